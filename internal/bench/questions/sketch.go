package questions

import (
	"strings"

	"razao/index/filter"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
)

// sketch is what queries about one establishment are derived from.
type sketch struct {
	name, uf, municipio, situacao, porte, natureza, cnae string
}

// sketchOf clones the texts, which share memory with the row buffer of the scan.
func sketchOf(h *pack.Head, e *record.Establishment) sketch {
	return sketch{
		name: strings.Clone(h.Company.RazaoSocial), porte: strings.Clone(h.Company.PorteEmpresa), natureza: strings.Clone(h.Company.NaturezaJuridica),
		uf: strings.Clone(e.UF), municipio: strings.Clone(e.Municipio),
		situacao: strings.Clone(e.SituacaoCadastral), cnae: strings.Clone(e.CNAEFiscalPrincipal),
	}
}

// whole reports whether every field that filters need is present and the place is in Brazil.
func (s *sketch) whole() bool {
	return s.name != "" && s.porte != "" && s.uf != "" && s.uf != "EX" && s.municipio != "" && s.situacao != "" && len(s.cnae) == 7
}

// two returns the filters by state and situation.
func (s *sketch) two() filter.Set { return filter.Of(filter.UF, s.uf, filter.Situacao, s.situacao) }

// three returns those of two and the division of the main activity.
func (s *sketch) three() filter.Set {
	return s.two().Add(filter.CNAE, s.cnae[:2])
}

// five returns filters that always match at least the establishment itself.
func (s *sketch) five() filter.Set {
	return s.two().Add(filter.Municipio, s.municipio).Add(filter.Porte, s.porte).Add(filter.CNAE, s.cnae)
}

// wide returns filters that match many documents, with ranges and an exclusion. They need not match
// the establishment itself.
func (s *sketch) wide() filter.Set {
	return filter.Of(filter.UF, s.uf, filter.CNAEAny, s.cnae[:3], filter.YearFrom, "2003", filter.YearTo, "2021",
		filter.HeadOffice, "matriz", filter.MEI, "nao")
}
