package index

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/flags"
	"razao/index/indextest"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// hasActivity says whether a code belongs to a section, division, group, class or subclass.
func hasActivity(code, filter string) bool {
	if len(filter) == 1 {
		return term.Section(code) == filter
	}
	return strings.HasPrefix(code, filter)
}

// narrowed returns the conditions of an address.
func narrowed(address string) filter.Set {
	var s filter.Set
	for part := range strings.SplitSeq(address, "&") {
		name, value, _ := strings.Cut(part, "=")
		s = s.Add(name, value)
	}
	return s
}

// passer returns what says whether a document passes filters, by looking at its fields.
func passer(s filter.Set) func(*build.Doc) bool { return passerOf(s, known) }

// passerOf is passer with what sources know of a document.
func passerOf(s filter.Set, of knowledge) func(*build.Doc) bool {
	parameters := s.Parameters()
	return func(d *build.Doc) bool {
		for name, values := range parameters {
			wanted, is, all := false, false, name == filter.SourceAll
			for _, value := range values {
				plain, excluded := strings.CutPrefix(value, "-")
				switch meets := meets(d, name, plain, of); {
				case excluded && (meets || isSought(name) && isUnsought(d)):
					return false
				case all && !meets:
					return false
				case !excluded:
					wanted, is = true, is || meets
				}
			}
			if wanted && !is {
				return false
			}
		}
		return true
	}
}

// isSought says whether a filter looks for a contact.
func isSought(name string) bool {
	_, sought := filter.Of(name, "x").WithoutSought()
	return sought
}

// isUnsought says whether a document is that of a natural person, whose contact is not searched.
func isUnsought(d *build.Doc) bool {
	return d.MEI || d.NaturezaJuridica == "2135" || strings.HasPrefix(d.NaturezaJuridica, "4")
}

// passing returns the documents that pass filters.
func passing(docs []build.Doc, filters filter.Set) (left []*build.Doc) {
	passes := passer(filters)
	for i := range docs {
		if passes(&docs[i]) {
			left = append(left, &docs[i])
		}
	}
	return left
}

// meets says whether a document has a value of a filter.
func meets(d *build.Doc, name, value string, of knowledge) bool {
	yes := func(is bool) string { return [...]string{"nao", "sim"}[bit(is)] }
	switch name {
	case filter.UF:
		return value == d.UF
	case filter.Municipio:
		return value == d.Municipio
	case filter.Situacao:
		return value == d.SituacaoCadastral
	case filter.Porte:
		return value == cmp.Or(d.PorteEmpresa, "00")
	case filter.Natureza:
		return value == d.NaturezaJuridica
	case filter.CNAE:
		return hasActivity(d.CNAE, value)
	case filter.CNAESecondary:
		return slices.ContainsFunc(strings.Split(d.CNAEsSecundarios, ","), func(code string) bool { return hasActivity(code, value) })
	case filter.CNAEAny:
		return slices.ContainsFunc(append(strings.Split(d.CNAEsSecundarios, ","), d.CNAE), func(code string) bool { return hasActivity(code, value) })
	case filter.MEI:
		return value == yes(d.MEI)
	case filter.Simples:
		return value == yes(d.Simples)
	case filter.HeadOffice:
		return d.HeadOffice == (value == "matriz")
	case filter.YearFrom:
		return strconv.Itoa(d.Opening/10_000) >= value
	case filter.YearTo:
		return d.Opening > 0 && strconv.Itoa(d.Opening/10_000) <= value
	case filter.OpenedFrom, filter.OpenedTo:
		return between(d.Opening, d.Opening > 0, name, value)
	case filter.SinceFrom, filter.SinceTo:
		return between(d.SituacaoDay, d.SituacaoDay > 0, name, value)
	case filter.SimplesFrom, filter.SimplesTo:
		return between(d.SimplesDay, d.SimplesDay > 0, name, value)
	case filter.MEIFrom, filter.MEITo:
		return between(d.MEIDay, d.MEIDay > 0, name, value)
	case filter.EstablishmentsFrom, filter.EstablishmentsTo:
		return between(d.Branches, true, name, value)
	case filter.PartnersFrom, filter.PartnersTo:
		return between(d.PartnerCount, true, name, value)
	case filter.CapitalFrom, filter.CapitalTo:
		return between(int(d.Capital), d.Capital >= 0, name, value)
	case filter.Capital:
		return d.Capital >= 0 && filter.CapitalBands()[term.CapitalBand(d.Capital)] == value
	case filter.Regiao:
		return strings.Contains(map[string]string{
			"sul": "PR SC RS", "sudeste": "SP RJ MG ES", "norte": "AC AM AP PA RO RR TO", "nordeste": "AL BA CE MA PB PE PI RN SE",
			"centro-oeste": "DF GO MT MS",
		}[value], d.UF)
	case filter.Bairro:
		return d.Bairro != "" && strings.Join(wordsOf(d.Bairro), " ") == strings.Join(wordsOf(value), " ")
	case filter.CEP:
		return strings.HasPrefix(d.CEP, value)
	case filter.DDD:
		return slices.Contains(d.DDDs[:], value)
	case filter.Pais:
		return d.Pais == value
	case filter.Motivo:
		return d.Motivo == value
	case filter.Telephone:
		return value == yes(d.Telephones != [2]string{})
	case filter.Phone:
		return slices.ContainsFunc([]string{d.DDDs[0] + d.Telephones[0], d.DDDs[1] + d.Telephones[1]}, func(phone string) bool {
			old := mobileForm.ReplaceAllString(phone, "$1$2") // numbers got a 9 before them
			return phone == value || old == mobileForm.ReplaceAllString(value, "$1$2")
		})
	case filter.Address:
		return strings.EqualFold(d.Email, value)
	case filter.Street:
		return d.Street != "" && streetOf(d.Street) == streetOf(value)
	case filter.House:
		return houseForm.FindString(d.HouseNumber) != "" && houseForm.FindString(d.HouseNumber) == houseForm.FindString(value)
	case filter.Email:
		return value == yes(d.Email != "")
	case filter.Domain:
		return strings.HasSuffix(strings.ToLower(d.Email), "@"+value)
	case filter.PartnerKind:
		kind := map[string]string{"empresa": "1", "pessoa": "2", "estrangeiro": "3"}[value]
		return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return p.Kind == kind })
	case filter.PartnerRole:
		return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return p.Role == value })
	case filter.PartnerAge:
		return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return p.Age == value })
	case filter.DebtFrom, filter.DebtTo:
		return between(of.total(d, "pgfn"), of.total(d, "pgfn") > 0, name, value)
	case filter.ContractsFrom, filter.ContractsTo:
		return between(of.total(d, "pncp"), of.total(d, "pncp") > 0, name, value)
	case filter.LoansFrom, filter.LoansTo:
		return between(of.total(d, "bndes"), of.total(d, "bndes") > 0, name, value)
	case filter.ContractsYear:
		return of.has(d, "pncp", flags.Year, value)
	case filter.LoansYear:
		return of.has(d, "bndes", flags.Year, value)
	case filter.Sanction:
		today := strconv.Itoa(int(record.Today()))
		return value == yes(of.has(d, "ceis", flags.InForce, today) || of.has(d, "cnep", flags.InForce, today))
	case filter.Source, filter.SourceAll:
		records, _ := of(d, value)
		return records
	case filter.PartnerDigits:
		return hasPartner(d, "***"+value+"**")
	case filter.PartnerRoot:
		return hasPartner(d, value)
	}
	panic("no filter is named " + name)
}

// mobileForm is a mobile telephone, with or without the ninth digit; houseForm is a number without the
// zeros before it.
var (
	mobileForm = regexp.MustCompile(`^(\d\d)9?([6-9]\d{7})$`)
	houseForm  = regexp.MustCompile(`[1-9]\d*`)
)

// streetOf writes a street of the invented registry in words without abbreviations, particles and titles.
func streetOf(street string) string {
	s := " " + strings.ToUpper(street) + " "
	for _, short := range [...][2]string{{" R. ", " RUA "}, {" AV ", " AVENIDA "}, {" DR. ", " "}, {" DE ", " "}} {
		s = strings.ReplaceAll(s, short[0], short[1])
	}
	return s
}

// knowledge says whether a source has records of a document, and what these add up to.
type knowledge func(d *build.Doc, id string) (records bool, values []flags.Value)

// known is what sources know of the document itself.
func known(d *build.Doc, id string) (records bool, values []flags.Value) {
	return indextest.CompanyIn([]build.Doc{*d}, id)
}

// ofCompanies is what sources know of the company that a document belongs to.
func ofCompanies(docs []build.Doc) knowledge {
	companies := map[cnpj.Root][]build.Doc{}
	for _, d := range docs {
		companies[d.CNPJ.Root()] = append(companies[d.CNPJ.Root()], d)
	}
	return func(d *build.Doc, id string) (records bool, values []flags.Value) {
		return indextest.CompanyIn(companies[d.CNPJ.Root()], id)
	}
}

// total returns the cents that a source has of a document, 0 for none.
func (of knowledge) total(d *build.Doc, id string) (cents int) {
	_, values := of(d, id)
	for _, v := range values {
		if v.Measure == flags.Total {
			cents += int(v.From)
		}
	}
	return cents
}

func (of knowledge) has(d *build.Doc, id string, m flags.Measure, number string) bool {
	n, err := strconv.ParseInt(number, 10, 64)
	_, values := of(d, id)
	return err == nil && slices.ContainsFunc(values, func(v flags.Value) bool { return v.Measure == m && v.From <= n && n <= v.To })
}

func bit(is bool) int {
	if is {
		return 1
	}
	return 0
}

// between compares what a document has with the end of a range, whose digits are a day AAAAMMDD, cents or a count.
func between(has int, known bool, name, value string) bool {
	if inReais[name] && !strings.Contains(value, ".") {
		value += ".00"
	}
	bound, err := strconv.Atoi(punctuation.Replace(value))
	if err != nil || !known {
		return false
	}
	if strings.HasSuffix(name, "_de") {
		return has >= bound
	}
	return has <= bound
}

var inReais = map[string]bool{
	filter.CapitalFrom: true, filter.CapitalTo: true, filter.DebtFrom: true, filter.DebtTo: true, filter.ContractsFrom: true, filter.ContractsTo: true,
	filter.LoansFrom: true, filter.LoansTo: true,
}

var punctuation = strings.NewReplacer("-", "", ".", "")

// hasPartner says whether the document of a partner begins with a text.
func hasPartner(d *build.Doc, begin string) bool {
	return slices.ContainsFunc(d.Partners, func(p build.Partner) bool { return strings.HasPrefix(p.Document, begin) })
}
