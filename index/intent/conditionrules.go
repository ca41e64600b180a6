package intent

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rules are tried in turn on the words at each place. They return the filters that the words say and leave in the reader what follows.
// weak words are also parts of names.
var rules = [...]func(r *reader) (pairs []pair, weak bool){opening, since, closing, situacao, amountRange, count, presence, regime, kind, region}

var (
	openingForm = regexp.MustCompile(`^(?:(?:abert|fundad|criad|constituid|inaugurad|registrad)[ao]s?|(?:data d[ea] )?abertura) `)
	sinceRule   = regexp.MustCompile(`^desde `)
)

func opening(r *reader) ([]pair, bool) {
	if r.take(openingForm) == nil {
		return nil, false
	}
	return r.dates("abertura"), false
}

// since reads "desde 2019" behind what the company is; behind "ativas" it is another date.
func since(r *reader) ([]pair, bool) {
	if r.before == "" || r.behind || !sinceRule.MatchString(r.text) {
		return nil, false
	}
	return r.dates("abertura"), true
}

var (
	situacoes = map[string]string{
		"ativ": "02", "baixad": "08", "fechad": "08", "encerrad": "08", "extint": "08", "inapt": "04", "suspens": "03", "nul": "01",
	}
	closingForm  = regexp.MustCompile(`^(baixad|fechad|encerrad|extint|inapt|suspens)[ao]s? `)
	pluralForm   = regexp.MustCompile(`^(nao (?:estao |sao )?)?(ativ|baixad|fechad|encerrad|extint|inapt|suspens|nul)[ao]s `)
	singularForm = regexp.MustCompile(`^(ativ|baixad|fechad|encerrad|extint|inapt|suspens|nul)[ao] `)
	situacaoForm = regexp.MustCompile(`^situacao (?:cadastral )?(ativ|baixad|inapt|suspens|nul)as? `)
)

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
	dividaWords  = `dividas?(?: ativas?| federa(?:l|is))*(?: (?:na|da|com a) uniao| na pgfn)?`
	contratWords = `contratos?(?: publicos?| com o governo)`
	bndesWords   = `(?:emprestimos?|financiamentos?) (?:d[oe]|no|com o) bndes`
)

var amountForms = [...]struct {
	form   *regexp.Regexp
	name   string
	yearly bool
}{
	{regexp.MustCompile(`^capital (?:social )?`), "capital", false},
	{regexp.MustCompile(`^(?:com )?` + dividaWords + ` `), "divida", false},
	{regexp.MustCompile(`^(?:com )?` + contratWords + ` `), "contratos", true},
	{regexp.MustCompile(`^(?:com )?` + bndesWords + ` `), "emprestimos", true},
}

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
		if pairs := r.amounts(f.name, false); pairs != nil && r.take(ofForm) != nil && r.take(f.form) != nil { // mais de 1 milhão de capital
			return pairs, false
		}
		*r = whole
	}
	return nil, false
}

var yearForm = regexp.MustCompile(`^(?:em|de) (\d{4}) `)

var countForm = regexp.MustCompile(`^(?:(?:com|tem|possuem|possui) )(mais de|pelo menos|no minimo|a partir de|ate|no maximo|menos de)? ?` +
	`(\d{1,4}) (ou mais )?(filia(?:l|is)|estabelecimentos?|socios?) (ou mais )?`)

// count reads how many there are. A company with ten branches has eleven establishments.
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
	signForm  = regexp.MustCompile(`^(com|sem|nem|tem|tenha|tenham|possuem|possui|nao tem|nao possuem|nao possui) (?:algu(?:m|ma|ns|mas) )?`)
	presences = [...]struct {
		form    *regexp.Regexp
		yes, no pair
	}{
		{regexp.MustCompile(`^dividas? (?:ativas?(?: (?:na|da|com a) uniao)?|federa(?:l|is)|(?:na|com a) uniao|na pgfn) `), pair{"fonte", "pgfn"}, pair{"fonte", "-pgfn"}},
		{regexp.MustCompile(`^(?:sancao|sancoes)(?: em vigor| vigentes?)? `), pair{"sancao", "sim"}, pair{"sancao", "nao"}},
		{regexp.MustCompile(`^` + contratWords + ` `), pair{"fonte", "pncp"}, pair{"fonte", "-pncp"}},
		{regexp.MustCompile(`^` + bndesWords + ` `), pair{"fonte", "bndes"}, pair{"fonte", "-bndes"}},
		{regexp.MustCompile(`^(?:multas?|autos? de infracao|autuac(?:ao|oes)) d[oe] ibama `), pair{"fonte", "ibama_autos"}, pair{"fonte", "-ibama_autos"}},
		{regexp.MustCompile(`^embargos? d[oe] ibama `), pair{"fonte", "ibama_embargos"}, pair{"fonte", "-ibama_embargos"}},
		{regexp.MustCompile(`^(?:registro na antt|rntrc) `), pair{"fonte", "rntrc"}, pair{"fonte", "-rntrc"}},
		{regexp.MustCompile(`^telefones? `), pair{"telefone", "sim"}, pair{"telefone", "nao"}},
		{regexp.MustCompile(`^(?:e mails?|emails?) `), pair{"email", "sim"}, pair{"email", "nao"}},
		{regexp.MustCompile(`^filia(?:l|is) `), pair{"estabelecimentos_de", "2"}, pair{"estabelecimentos_ate", "1"}},
	}
)

// presence reads what a company has or has not; one sign may stand before several.
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
	for _, p := range presences {
		if r.take(p.form) != nil {
			if r.sign == "sem" {
				return []pair{p.no}, false
			}
			return []pair{p.yes}, false
		}
	}
	r.sign = ""
	return nil, false
}

var (
	optingForm  = regexp.MustCompile(`^(nao )?optantes? (?:pelo|do|de|no) (?:regime )?(?:do )?(simples|mei)(?: nacional)? `)
	simplesForm = regexp.MustCompile(`^(?:do|no|pelo) simples( nacional)? `)
	meiForm     = regexp.MustCompile(`^(nao (?:sao |e )?)?meis? `)
	afterMEI    = regexp.MustCompile(`^(?:em|no|na|com|sem|que|ativ[ao]s|abert[ao]s) `)
	smallForm   = regexp.MustCompile(`^(?:de pequeno porte|porte pequeno) `)
	officeForm  = regexp.MustCompile(`^(matriz|matrizes|filial|filiais) `)
	smallThings = regexp.MustCompile(`^(?:animal|animais|caes|obras?|maquinas|equipamentos|veiculos|aeronaves|embarcacoes|hospital)$`)
	pointing    = regexp.MustCompile(`^(?:sao|so|somente|apenas|tipo)$`)
	qualities   = [...]struct {
		form *regexp.Regexp
		says pair
	}{
		{regexp.MustCompile(`^(?:micro ?empresas|porte (?:de )?micro ?empresa) `), pair{"porte", "01"}},
		{regexp.MustCompile(`^sancionad[ao]s `), pair{"sancao", "sim"}},
		{regexp.MustCompile(`^inscrit[ao]s (?:na|em) divida ativa(?: da uniao)? `), pair{"fonte", "pgfn"}},
		{regexp.MustCompile(`^(?:multad|autuad)[ao]s pelo ibama `), pair{"fonte", "ibama_autos"}},
		{regexp.MustCompile(`^embargad[ao]s pelo ibama `), pair{"fonte", "ibama_embargos"}},
	}
)

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

// regime reads the Simples and the MEI, whose names are parts of names, too.
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
	regionForm = regexp.MustCompile(`^(?:(?:[nd]a )?regiao|no) (norte|nordeste|sudeste|sul|centro oeste) `)
	ofForm     = regexp.MustCompile(`^d[eoa]s? `)
)

// region reads a region of the country; "no sul de Minas" is none.
func region(r *reader) ([]pair, bool) {
	m := r.take(regionForm)
	if m == nil || ofForm.MatchString(r.text) {
		return nil, false
	}
	return []pair{{"regiao", strings.ReplaceAll(m[1], " ", "-")}}, true
}
