package sample

var importerDialect = dialect{quoting: asNeeded, eol: "\r\n", windows: true}

func (s *sources) importerFiles() []file {
	return []file{{
		name: "empresas-habilitadas.csv", modified: s.month.AddDate(0, 0, 19),
		header: importerDialect.header("RAZÃO SOCIAL;CNPJ EMPRESA;MODALIDADE HABILITAÇÃO"),
		from:   0, to: s.inProportion(250_000, 40), rows: importerDialect.rows(s.importerRow),
	}}
}

// importerRow appends a company that may import. Every row has its own part of the companies, so that none repeats
// another but those that are meant to.
func (s *sources) importerRow(l *line, x int) {
	of, modality := x, 0
	switch x % 150 {
	case 9: // the row above once more
		of--
	case 14: // the company above with another modality
		of, modality = x-1, 1
	}
	d := newDice(s.seed, topicImporter, uint64(of))
	part := s.n / s.inProportion(250_000, 40)
	lost := x%150 == 5 || x%150 == 6
	c := s.findIn(&d, part, 1, func(i int) int { return of*part + i }, (*company).firm)
	if lost {
		c = s.find(&d, func(c *company) bool { return c.firm() && c.root.String()[0] == '0' && c.root.String()[1] != '0' })
	}
	l.next()
	l.b = s.appendPlainName(l.b, &c)
	document, whole := c.root.String(), d.permille(40)
	e := s.establishment(&c, 0)
	switch {
	case x%150 == 5 && document[0] == '0':
		document = document[1:]
	case x%150 == 6 && document[0] == '0':
		document = e.full.String()[1:]
	case x%150 == 20:
		document = string(appendFull(nil, e.full))
	case whole:
		document = e.full.String()
	}
	l.field(document)
	names := [...]string{
		"LIMITADA (ATÉ US$ 50.000,00)", "LIMITADA (ATÉ US$ 150.000,00)", "EXPRESSA", "ILIMITADA", "Limitada (até US$ 150.000)",
	}
	l.field(names[(d.n(len(names))+modality)%len(names)])
}
