package questions

import (
	"strings"

	"razao/index/filter"
	"razao/internal/record"
	"razao/internal/registry/pack"
)

// sketch is what queries about an establishment need to know of it.
type sketch struct {
	name, uf, municipio, situacao, porte, natureza, cnae string
}

// sketchOf copies its texts, which share memory with the row.
func sketchOf(h *pack.Head, e *record.Establishment) sketch {
	return sketch{
		name: strings.Clone(h.Company.RazaoSocial), porte: strings.Clone(h.Company.PorteEmpresa), natureza: strings.Clone(h.Company.NaturezaJuridica),
		uf: strings.Clone(e.UF), municipio: strings.Clone(e.Municipio),
		situacao: strings.Clone(e.SituacaoCadastral), cnae: strings.Clone(e.CNAEFiscalPrincipal),
	}
}

// whole says that there is something to filter and search by.
func (s *sketch) whole() bool {
	return s.name != "" && s.porte != "" && s.uf != "" && s.uf != "EX" && s.municipio != "" && s.situacao != "" && len(s.cnae) == 7
}

func (s *sketch) two() filter.Set { return filter.Of(filter.UF, s.uf, filter.Situacao, s.situacao) }

func (s *sketch) three() filter.Set {
	return s.two().Add(filter.CNAE, s.cnae[:2])
}

// five filters always find at least the establishment itself.
func (s *sketch) five() filter.Set {
	return s.two().Add(filter.Municipio, s.municipio).Add(filter.Porte, s.porte).Add(filter.CNAE, s.cnae)
}

// wide filters are those that many documents meet, with ranges and with what is not.
func (s *sketch) wide() filter.Set {
	return filter.Of(filter.UF, s.uf, filter.CNAEAny, s.cnae[:3], filter.YearFrom, "2003", filter.YearTo, "2021",
		filter.HeadOffice, "matriz", filter.MEI, "nao")
}
