package records

import "razao/internal/sample/draw"

// importers returns the rows of habilitacao_aduaneira.
func (s *sources) importers() int { return s.volume(250_000, 40) }

// importer returns a row of habilitacao_aduaneira. Each row draws its company from a part of the
// founders of its own, so companies repeat only where a row copies the one above: once identically,
// once with another modality. Two in 150 documents have lost a leading zero, root or full CNPJ.
func (s *sources) importer(x int) row {
	of, modality := x, 0
	switch x % 150 {
	case 9: // the row above once more
		of--
	case 14: // the company above with another modality
		of, modality = x-1, 1
	}
	d := s.Dice(draw.Importer, uint64(of))
	part := s.Founders / s.importers()
	c := s.find(&d, evenly(of*part, part), firm)
	if lost := x%150 == 5 || x%150 == 6; lost {
		c = s.anywhere(&d, func(c *company) bool { return firm(c) && c.Root.String()[0] == '0' && c.Root.String()[1] != '0' })
	}
	e, root, whole := s.Establishment(&c, 0), c.Root.String(), d.Permille(40)
	document := ifElse(whole, e.Full.String(), root)
	switch {
	case x%150 == 5 && root[0] == '0':
		document = root[1:]
	case x%150 == 6 && root[0] == '0':
		document = e.Full.String()[1:]
	case x%150 == 20:
		document = e.Full.Masked()
	}
	modalities := [...]string{
		"LIMITADA (ATÉ US$ 50.000,00)", "LIMITADA (ATÉ US$ 150.000,00)", "EXPRESSA", "ILIMITADA", "Limitada (até US$ 150.000)",
	}
	return row{
		"RAZÃO SOCIAL", s.PlainName(&c), "CNPJ EMPRESA", document,
		"MODALIDADE HABILITAÇÃO", modalities[(d.N(len(modalities))+modality)%len(modalities)],
	}
}
