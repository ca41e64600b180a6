package term

import "strings"

// family is an abbreviation with its variants: the short form under which the family is indexed,
// and the full words.
type family struct {
	short string
	full  []string
}

// abbreviations maps every short form to its family. ambiguous maps the full words of families that
// have several: there the short form does not tell which is meant.
var abbreviations, ambiguous = readFamilies(`
	adm admin = administradora administracao
	alim = alimentos alimenticios
	assoc ass = associacao
	av = avenida
	cia = companhia
	clin = clinica
	col = colegio
	com = comercio comercial
	cond condom = condominio
	confec = confeccoes
	const constr construt = construtora construcoes construcao
	consult = consultoria
	coop = cooperativa
	dist distr distrib = distribuidora distribuicao
	empr empreend = empreendimentos
	eng engen = engenharia
	esc = escola
	farm = farmacia farmacias
	fund = fundacao
	hosp = hospital
	imob = imobiliaria imobiliarios
	ind inds = industria industrial industrias
	inform = informatica
	inst = instituto
	irm = irmaos irmao
	lab = laboratorio laboratorios
	lanch = lanchonete
	mat mats = materiais
	merc = mercado mercearia
	mun = municipal municipio
	pad = padaria
	part partic = participacoes
	pref = prefeitura
	prod prods = produtos
	repr repres = representacoes representacao
	rest = restaurante
	serv servs = servicos
	sind = sindicato
	sr = senhor
	sra = senhora
	sta = santa
	sto = santo
	superm = supermercado supermercados
	tec tecn = tecnologia
	transp transps = transportes transportadora transporte
`)

// readFamilies parses lines of the form "short variants = full words".
func readFamilies(table string) (short, several map[string]*family) {
	short, several = make(map[string]*family), make(map[string]*family)
	for line := range strings.Lines(strings.TrimSpace(table)) {
		left, right, _ := strings.Cut(line, "=")
		forms := strings.Fields(left)
		f := &family{forms[0], strings.Fields(right)}
		for _, form := range forms {
			short[form] = f
		}
		if len(f.full) == 1 {
			continue
		}
		for _, word := range f.full {
			several[word] = f
		}
	}
	return short, several
}

// Canonical returns the form in which a folded word is searched: the full word of an abbreviation,
// or, when it may abbreviate several words, the short form that is indexed with each of them.
func Canonical(word []byte) string {
	f := abbreviations[string(word)]
	switch {
	case f == nil:
		return string(word)
	case len(f.full) == 1:
		return f.full[0]
	}
	return f.short
}

// AlsoIndexed returns the forms under which a folded word is indexed beside itself: for an
// abbreviation its short form and all full words, for one of several full words the short form.
// Both are empty for other words. The slice is shared and must not be changed.
func AlsoIndexed(word []byte) (short string, full []string) {
	if f := abbreviations[string(word)]; f != nil {
		return f.short, f.full
	}
	if f := ambiguous[string(word)]; f != nil {
		return f.short, nil
	}
	return "", nil
}
