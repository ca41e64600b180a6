package questions

import (
	"strings"

	"razao/index"
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

func (s *sketch) two() index.Filters { return index.Filters{UF: s.uf, Situacao: s.situacao} }

func (s *sketch) three() index.Filters {
	return index.Filters{UF: s.uf, Situacao: s.situacao, CNAE: s.cnae[:2]}
}

// five filters always find at least the establishment itself.
func (s *sketch) five() index.Filters {
	return index.Filters{UF: s.uf, Municipio: s.municipio, Situacao: s.situacao, Porte: s.porte, CNAE: s.cnae}
}

// wide filters are those that many documents meet, with ranges and with what is not.
func (s *sketch) wide() index.Filters {
	return index.Filters{
		UF: s.uf, CNAEAny: s.cnae[:3], YearFrom: 2003, YearTo: 2021, HeadOffice: index.Yes, MEI: index.No,
	}
}
