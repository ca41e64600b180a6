package filter_test

import (
	"strings"
	"testing"

	"razao/index/filter"
	"razao/internal/data/record"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	r := reader(t)
	few := tables()
	few[record.DomainCNAE]["4721103"] = "Comércio varejista de laticínios e frios"
	few[record.DomainCNAE]["1091102"] = "Fabricação de produtos de padaria e confeitaria com predominância de produção própria"
	few[record.DomainNatureza]["2240"] = "Sociedade Simples Limitada"
	for _, c := range []struct{ name, typed, want string }{
		{"municipio", "campin", "Campinas/SP (São Paulo) | Campina Grande/PB (Paraíba) | Campina Grande do Sul/PR (Paraná)"},
		{"municipio", "CAMPINAS", "Campinas/SP (São Paulo) | Campinas do Piauí/PI (Piauí) | Campinas do Sul/RS (Rio Grande do Sul)"},
		{"municipio", "sao paulo/s", "São Paulo/SP (São Paulo)"},
		{"municipio", "bom jesus", "Bom Jesus/PI (Piauí) | Bom Jesus/RS (Rio Grande do Sul) | Bom Jesus/RN (Rio Grande do Norte)"},
		{"municipio", "xyzzy", ""},
		{"municipio", " ", ""},
		{"cnae", "4721-1", "4721-1 (Classe: Comércio varejista) | 4721-1/02 Padaria e confeitaria com predominância de revenda (Subclasse) | " +
			"4721-1/03 Comércio varejista de laticínios e frios (Subclasse)"},
		{filter.CNAEAny, "47.21-1/02", "4721-1/02 Padaria e confeitaria com predominância de revenda (Subclasse)"},
		{"cnae", "472", "472 (Grupo: Comércio varejista) | 4721-1 (Classe: Comércio varejista) | 4721-1/02 Padaria e confeitaria com predominância de revenda (Subclasse)"},
		{"cnae", "g", "G Comércio, reparação de veículos automotores e motocicletas (Seção) | D Eletricidade e gás (Seção) | " +
			"E Água, esgoto, atividades de gestão de resíduos e descontaminação (Seção)"},
		{"cnae", "padaria", "4721-1/02 Padaria e confeitaria com predominância de revenda (Subclasse) | " +
			"1091-1/02 Fabricação de produtos de padaria e confeitaria com predominância de produção própria (Subclasse)"},
		{"cnae", "comercio v", "47 Comércio varejista (Divisão) | 4721-1/03 Comércio varejista de laticínios e frios (Subclasse) | " +
			"G Comércio, reparação de veículos automotores e motocicletas (Seção)"},
		{"cnae", "PRÓPRIA padar", "1091-1/02 Fabricação de produtos de padaria e confeitaria com predominância de produção própria (Subclasse)"},
		{"cnae", "adaria", ""},
		{"cnae", "99999", ""},
		{"natureza", "206-2", "206-2 Sociedade Empresária Limitada"},
		{"natureza", "limitada", "206-2 Sociedade Empresária Limitada | 224-0 Sociedade Simples Limitada"},
		{"natureza", "empresaria", "206-2 Sociedade Empresária Limitada"},
		{"pais", "estados", "249 Estados Unidos"},
		{filter.PartnerRole, "administrador", "49 Sócio-Administrador"},
	} {
		var got []string
		for _, o := range r.Complete(few, filter.Named(c.name), c.typed, 3) {
			said := o.Value
			if o.Text != "" {
				said += " (" + o.Text + ")"
			}
			got = append(got, said)
			if _, ok := r.Value(few, c.name, o.Value); !ok {
				t.Errorf("%s: no value %q", c.name, o.Value)
			}
		}
		if said := strings.Join(got, " | "); said != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.name, c.typed, said, c.want)
		}
	}
	if got := r.Complete(nil, filter.Named("cnae"), "padaria", 10); len(got) < 2 || got[0].Value != "4721-1/01 Padaria e confeitaria com predominância de produção própria" {
		t.Errorf("without a load: %+v", got)
	}
}

// TestEveryValueIsRead reads back what is offered for every code.
func TestEveryValueIsRead(t *testing.T) {
	t.Parallel()
	r := reader(t)
	for _, c := range filter.All() {
		if !c.Completes() || c.Domain == record.DomainMunicipio {
			continue
		}
		all := r.Values(tables(), c)
		if len(all) == 0 {
			t.Errorf("%s has no values", c.Name)
		}
		for _, o := range all {
			if _, ok := r.Value(tables(), c.Name, o.Value); !ok || strings.Contains(o.Value, ";") {
				t.Errorf("%s: no value %q", c.Name, o.Value)
			}
		}
	}
	for _, o := range r.Values(nil, filter.Named("cnae")) {
		if _, ok := r.Value(tables(), "cnae", o.Value); !ok || strings.Contains(o.Value, ";") {
			t.Errorf("no value %q", o.Value)
		}
	}
}

// BenchmarkComplete searches the whole classification, the slowest domain.
func BenchmarkComplete(b *testing.B) {
	r := reader(b)
	for b.Loop() {
		r.Complete(nil, filter.Named("cnae"), "com", 10)
	}
}
