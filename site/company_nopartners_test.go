package site_test

import (
	"fmt"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestWhyThereAreNoPartners checks the text for companies without partners by legal nature and
// status.
func TestWhyThereAreNoPartners(t *testing.T) {
	t.Parallel()
	const (
		public      = "Órgãos e entidades da administração pública não têm sócios: são parte do poder público ou criados por ele."
		state       = "Empresas públicas e sociedades de economia mista são controladas pelo poder público; a publicação não traz os administradores desta."
		shares      = "De sociedades anônimas a publicação traz administradores, e não acionistas; desta não traz nenhum."
		nonprofit   = "Associações, fundações e outras entidades sem fins lucrativos não têm sócios, e sim dirigentes; desta a publicação não traz nenhum."
		unexplained = "A publicação não traz sócios desta empresa e não diz por quê: a natureza jurídica dela costuma ter quadro societário."
		ended       = "A publicação não traz sócios desta empresa, que está encerrada. De empresas encerradas o quadro societário às vezes já não é publicado."
		active      = "02"
	)
	cases := []struct{ nature, status, want string }{
		{"1015", active, public},
		{"1244", active, public},
		{"2011", active, state},
		{"2038", active, state},
		{"2046", active, shares},
		{"2054", active, shares},
		{"2135", active, "Empresário individual, MEI ou não, não tem sócios: a empresa é a própria pessoa."},
		{"2143", active, "De cooperativas a publicação traz dirigentes, e não cooperados; desta não traz nenhum."},
		{"2224", active, "Clubes e fundos de investimento não têm sócios, e sim cotistas, que a publicação não traz."},
		{"2305", active, "A EIRELI tinha um só titular e virou sociedade limitada unipessoal por lei de 2021; a publicação não traz o titular desta."},
		{"2313", active, "A EIRELI tinha um só titular e virou sociedade limitada unipessoal por lei de 2021; a publicação não traz o titular desta."},
		{"3999", active, nonprofit},
		{"3069", "08", nonprofit}, // the legal nature takes precedence over the status
		{"4120", active, "Este CNPJ identifica uma pessoa física em uma atividade, e não uma sociedade: não há sócios."},
		{"5010", active, "Organizações internacionais e representações de outros países não têm sócios."},
		{"2062", active, unexplained},
		{"2062", "03", unexplained},
		{"2062", "01", ended},
		{"2062", "08", ended},
		{"2062", "04", "A publicação não traz sócios desta empresa, que está inapta. De empresas nessa situação o quadro societário às vezes não é publicado."},
		{"", active, "A publicação não traz os dados da empresa nem os sócios."},
	}
	var companies, establishments strings.Builder
	numbers := make([]string, len(cases))
	row := func(b *strings.Builder, fields ...string) { b.WriteString(`"` + strings.Join(fields, `";"`) + "\"\n") }
	for i, c := range cases {
		root := fmt.Sprintf("901%05d", i)
		parsed, err := cnpj.ParseRoot(root)
		if err != nil {
			t.Fatal(err)
		}
		number := cnpj.Join(parsed, 1)
		numbers[i] = number.String()
		if c.nature != "" {
			row(&companies, root, "EXEMPLO SEM SOCIOS "+c.nature, c.nature, "49", "1000,00", "05", "")
		}
		row(&establishments, root, "0001", number.CheckDigits(), "1", "", c.status, "20200110", "00", "", "", "20100110", "4711302", "",
			"RUA", "DAS PALMEIRAS", "214", "", "CAMBUI", "13024100", "SP", "6291", "", "", "", "", "", "", "", "", "")
	}
	company, establishment := `"`+fixture.Bakery+`";"PADARIA`, `"`+fixture.Bakery+`";"0001"`
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-09", company, companies.String()+company, establishment, establishments.String()+establishment))
	h := sitetest.New(t, l)
	for i, c := range cases {
		page := h.Page(t, "/"+numbers[i])
		if said := groupsOf(t, page)["Pessoas"]; len(said) == 0 || said[0] != c.want {
			t.Errorf("%s with status %s: %q, want %q", c.nature, c.status, said, c.want)
		}
		pagetest.Texts(t, page.Text(), nil, []string{"quadro societário publicado"})
	}
}
