package intent

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rules are tried in this order at each token; the first that returns pairs wins and leaves the
// rest of the input in the reader. weak marks readings that are also common words of names.
var rules = [...]func(r *reader) (pairs []pair, weak bool){opening, since, closing, situacao, amountRange, count, presence, regime, kind, region}

var (
	openingForm = words(`(?:abert|fundad|criad|constituid|inaugurad|registrad)[ao]s?|(?:data d[ea] )?abertura`)
	sinceRule   = words(`desde`)
)

// opening reads "abertas depois de 2020".
func opening(r *reader) ([]pair, bool) {
	if r.take(openingForm) == nil {
		return nil, false
	}
	return r.dates("abertura"), false
}

// since reads a bare "desde 2019" after a word that is no condition. After "ativas" it would be
// another date.
func since(r *reader) ([]pair, bool) {
	if r.before == "" || r.behind || !sinceRule.MatchString(r.text) {
		return nil, false
	}
	return r.dates("abertura"), true
}

const closedWords = `baixad|fechad|encerrad|extint|inapt|suspens`

var (
	situacoes = map[string]string{
		"ativ": "02", "baixad": "08", "fechad": "08", "encerrad": "08", "extint": "08", "inapt": "04", "suspens": "03", "nul": "01",
	}
	closingForm  = words(`(` + closedWords + `)[ao]s?`)
	pluralForm   = words(`(nao (?:estao |sao )?)?(ativ|nul|` + closedWords + `)[ao]s`)
	singularForm = words(`(ativ|nul|` + closedWords + `)[ao]`)
	situacaoForm = words(`situacao (?:cadastral )?(ativ|nul|` + closedWords + `)as?`)
)

// closing reads a situação with a date: "baixadas em 2021".
func closing(r *reader) ([]pair, bool) {
	m := r.take(closingForm)
	if m == nil {
		return nil, false
	}
	when := r.dates("situacao")
	if when == nil {
		return nil, false
	}
	return append([]pair{{"situacao", situacoes[m[1]]}}, when...), false
}

// situacao reads a situação without a date. Plural adjectives are mostly conditions, but singular
// ones mostly names: these need "está" or "empresa" before them.
func situacao(r *reader) ([]pair, bool) {
	if m := r.take(situacaoForm); m != nil {
		return []pair{{"situacao", situacoes[m[1]]}}, false
	}
	if m := r.take(pluralForm); m != nil {
		value := situacoes[m[2]]
		if m[1] != "" {
			value = "-" + value
		}
		return []pair{{"situacao", value}}, m[1] == "" && r.before != "estao"
	}
	if slices.Contains([]string{"esta", "empresa"}, r.before) {
		if m := r.take(singularForm); m != nil {
			return []pair{{"situacao", situacoes[m[1]]}}, true
		}
	}
	return nil, false
}

const (
	debtWords     = `dividas?(?: ativas?| federa(?:l|is))*(?: (?:na|da|com a) uniao| na pgfn)?`
	contractWords = `contratos?(?: publicos?| com o governo)`
	loanWords     = `(?:emprestimos?|financiamentos?) (?:d[oe]|no|com o) bndes`
)

var amountForms = [...]struct {
	form   *regexp.Regexp
	name   string
	yearly bool
}{
	{regexp.MustCompile(`^capital (?:social )?`), "capital", false},
	{words(`(?:com )?` + debtWords), "divida", false},
	{words(`(?:com )?` + contractWords), "contratos", true},
	{words(`(?:com )?` + loanWords), "emprestimos", true},
}

// amountRange reads a range of capital, debt, contracts or loans, the amount before or after its
// subject, and a year of contracts or loans.
func amountRange(r *reader) ([]pair, bool) {
	for _, f := range amountForms {
		whole := *r
		if r.take(f.form) != nil {
			if pairs := r.amounts(f.name, f.name == "capital"); pairs != nil {
				return pairs, false
			}
			if m := r.take(yearForm); m != nil && f.yearly {
				return []pair{{f.name + "_ano", m[1]}}, false
			}
		}
		*r = whole
		// The amount comes first: mais de 1 milhão de capital.
		if pairs := r.amounts(f.name, false); pairs != nil && r.take(ofForm) != nil && r.take(f.form) != nil {
			return pairs, false
		}
		*r = whole
	}
	return nil, false
}

var yearForm = words(`(?:em|de) (\d{4})`)

var countForm = regexp.MustCompile(`^(?:(?:com|tem|possuem|possui) )(mais de|pelo menos|no minimo|a partir de|ate|no maximo|menos de)? ?` +
	`(\d{1,4}) (ou mais )?(filia(?:l|is)|estabelecimentos?|socios?) (ou mais )?`)

// count reads a number of branches, establishments or partners. Establishments include the head
// office: ten branches are eleven establishments.
func count(r *reader) ([]pair, bool) {
	m := r.take(countForm)
	if m == nil || m[1] != "" && m[3]+m[5] != "" {
		return nil, false
	}
	n, _ := strconv.Atoi(m[2])
	name := "estabelecimentos"
	switch m[4][0] {
	case 'f':
		n++
	case 's':
		name = "socios"
	}
	from, to := pair{name + "_de", strconv.Itoa(n)}, pair{name + "_ate", strconv.Itoa(n)}
	switch cmp.Or(m[1], m[3], m[5]) {
	case "mais de":
		return []pair{{from.name, strconv.Itoa(n + 1)}}, false
	case "menos de":
		return []pair{{to.name, strconv.Itoa(max(n-1, 0))}}, false
	case "ate", "no maximo":
		return []pair{to}, false
	case "":
		return []pair{from, to}, false
	}
	return []pair{from}, false
}

var (
	signForm   = regexp.MustCompile(`^(com|sem|nem|tem|tenha|tenham|possuem|possui|nao tem|nao possuem|nao possui) (?:algu(?:m|ma|ns|mas) )?`)
	branchForm = words(`filia(?:l|is)`)
	presences  = [...]struct {
		form          *regexp.Regexp
		name, yes, no string
	}{
		{
			words(`dividas? (?:ativas?(?: (?:na|da|com a) uniao)?|federa(?:l|is)|(?:na|com a) uniao|na pgfn)`),
			"fonte", "pgfn", "-pgfn",
		},
		{words(`(?:sancao|sancoes)(?: em vigor| vigentes?)?`), "sancao", "sim", "nao"},
		{words(contractWords), "fonte", "pncp", "-pncp"},
		{words(loanWords), "fonte", "bndes", "-bndes"},
		{words(`(?:multas?|autos? de infracao|autuac(?:ao|oes)) d[oe] ibama`), "fonte", "ibama_autos", "-ibama_autos"},
		{words(`embargos? d[oe] ibama`), "fonte", "ibama_embargos", "-ibama_embargos"},
		{words(`registro na antt|rntrc`), "fonte", "rntrc", "-rntrc"},
		{words(`telefones?`), "telefone", "sim", "nao"},
		{words(`e mails?|emails?`), "email", "sim", "nao"},
	}
)

// presence reads what a company has or lacks. One sign may govern an enumeration: "com telefone e
// e-mail".
func presence(r *reader) ([]pair, bool) {
	before := r.sign
	r.sign = ""
	if m := r.take(signForm); m != nil {
		r.sign = "com"
		if m[1] == "sem" || m[1] == "nem" || strings.HasPrefix(m[1], "nao") {
			r.sign = "sem"
		}
	} else if r.sign = before; r.sign == "" {
		return nil, false
	}
	has := r.sign == "com"
	for _, p := range presences {
		switch {
		case r.take(p.form) == nil:
		case has:
			return []pair{{p.name, p.yes}}, false
		default:
			return []pair{{p.name, p.no}}, false
		}
	}
	switch {
	case r.take(branchForm) == nil:
	case has:
		return []pair{{"estabelecimentos_de", "2"}}, false
	default:
		return []pair{{"estabelecimentos_ate", "1"}}, false
	}
	r.sign = ""
	return nil, false
}

var (
	optingForm  = words(`(nao )?optantes? (?:pelo|do|de|no) (?:regime )?(?:do )?(simples|mei)(?: nacional)?`)
	simplesForm = words(`(?:do|no|pelo) simples( nacional)?`)
	meiForm     = words(`(nao (?:sao |e )?)?meis?`)
	afterMEI    = words(`em|no|na|com|sem|que|ativ[ao]s|abert[ao]s`)
	smallForm   = words(`de pequeno porte|porte pequeno`)
	officeForm  = words(`(matriz|matrizes|filial|filiais)`)
	smallThings = regexp.MustCompile(`^(?:animal|animais|caes|obras?|maquinas|equipamentos|veiculos|aeronaves|embarcacoes|hospital)$`)
	pointing    = regexp.MustCompile(`^(?:sao|so|somente|apenas|tipo)$`)
	qualities   = [...]struct {
		form *regexp.Regexp
		says pair
	}{
		{words(`micro ?empresas|porte (?:de )?micro ?empresa`), pair{"porte", "01"}},
		{words(`sancionad[ao]s`), pair{"sancao", "sim"}},
		{words(`inscrit[ao]s (?:na|em) divida ativa(?: da uniao)?`), pair{"fonte", "pgfn"}},
		{words(`(?:multad|autuad)[ao]s pelo ibama`), pair{"fonte", "ibama_autos"}},
		{words(`embargad[ao]s pelo ibama`), pair{"fonte", "ibama_embargos"}},
	}
)

// kind reads size, head office or branch, and adjectives about public records. Nearly all are weak.
func kind(r *reader) ([]pair, bool) {
	for _, q := range qualities {
		if r.take(q.form) != nil {
			return []pair{q.says}, true
		}
	}
	if !smallThings.MatchString(r.before) && r.take(smallForm) != nil {
		return []pair{{"porte", "03"}}, true
	}
	m := r.take(officeForm)
	if m == nil {
		return nil, false
	}
	value := "filial"
	if m[1][0] == 'm' {
		value = "matriz"
	}
	pointed := pointing.MatchString(r.before)
	if !pointed && !strings.HasSuffix(m[1], "s") {
		return nil, false
	}
	return []pair{{"tipo", value}}, !pointed
}

// regime reads the Simples and the MEI. Both words are also parts of names, so the context decides.
func regime(r *reader) ([]pair, bool) {
	plural := strings.HasSuffix(r.before, "s")
	if m := r.take(optingForm); m != nil {
		if m[1] != "" {
			return []pair{{m[2], "nao"}}, false
		}
		return append([]pair{{m[2], "sim"}}, r.dates(m[2])...), false
	}
	if m := r.take(simplesForm); m != nil && (m[1] != "" || plural) {
		return []pair{{"simples", "sim"}}, m[1] == ""
	}
	m := r.take(meiForm)
	switch {
	case m == nil:
		return nil, false
	case m[1] != "":
		return []pair{{"mei", "nao"}}, false
	case pointing.MatchString(r.before):
		return []pair{{"mei", "sim"}}, false
	case m[0] == "meis ", (plural || r.before == "") && afterMEI.MatchString(r.text):
		return []pair{{"mei", "sim"}}, true
	}
	return nil, false
}

var (
	regionForm = words(`(?:(?:[nd]a )?regiao|no) (norte|nordeste|sudeste|sul|centro oeste)`)
	ofForm     = words(`d[eoa]s?`)
)

// region reads a region of the country. "No sul de Minas" is not one.
func region(r *reader) ([]pair, bool) {
	m := r.take(regionForm)
	if m == nil || ofForm.MatchString(r.text) {
		return nil, false
	}
	return []pair{{"regiao", strings.ReplaceAll(m[1], " ", "-")}}, true
}
