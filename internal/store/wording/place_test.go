package wording

import (
	"testing"

	"razao/internal/testing/fixture"
)

// TestPlaces names every state with its preposition.
func TestPlaces(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"AC": "do Acre", "AL": "de Alagoas", "AM": "do Amazonas", "AP": "do Amapá", "BA": "da Bahia", "CE": "do Ceará", "DF": "do Distrito Federal",
		"ES": "do Espírito Santo", "GO": "de Goiás", "MA": "do Maranhão", "MG": "de Minas Gerais", "MS": "de Mato Grosso do Sul", "MT": "de Mato Grosso",
		"PA": "do Pará", "PB": "da Paraíba", "PE": "de Pernambuco", "PI": "do Piauí", "PR": "do Paraná", "RJ": "do Rio de Janeiro",
		"RN": "do Rio Grande do Norte", "RO": "de Rondônia", "RR": "de Roraima", "RS": "do Rio Grande do Sul", "SC": "de Santa Catarina", "SE": "de Sergipe",
		"SP": "de São Paulo", "TO": "do Tocantins", "EX": "do exterior",
	}
	atlas := fixture.Atlas(t)
	for code, of := range want {
		if uf, ok := atlas.UF(code); !ok || OfState(uf) != of {
			t.Errorf("%s: %q, want %q", code, OfState(uf), of)
		}
	}
	if len(want) != len(atlas.UFs()) {
		t.Errorf("%d states, %d in the atlas", len(want), len(atlas.UFs()))
	}
	for _, m := range atlas.Municipalities() {
		if m.UF == "SP" && m.Name == "Campinas" && (InCity(m) != "em Campinas/SP" || OfCity(m) != "de Campinas/SP") {
			t.Error(InCity(m), OfCity(m))
		}
		if m.Name == rio && (InCity(m) != "no Rio de Janeiro/RJ" || OfCity(m) != "do Rio de Janeiro/RJ") {
			t.Error(InCity(m), OfCity(m))
		}
	}
}
