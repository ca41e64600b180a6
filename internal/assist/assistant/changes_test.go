package assistant

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/testing/fixture"
)

// changed has the release, and a month in which a company, a partner and a person's address changed.
var changed = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09",
		`"PADARIA ESTRELA DO SUL LTDA";"2062";"49";"480000,00"`, `"PADARIA ESTRELA DO NORTE LTDA";"2062";"49";"500000,00"`,
		`"12345678";"1";"ESTRELA PARTICIPA`, `"12345678";"1";"LUA PARTICIPA`,
		`"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`,
		`"SEGREDO";"77"`, `"OCULTA";"78"`))
})

// everyChange reads all pages of a query and returns the codes of its events, and the last cursor.
func everyChange(t *testing.T, a *Assistant, q ChangesQuery) (codes []string, cursor *string) {
	t.Helper()
	for {
		answer, err := a.Changes(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range answer.Itens {
			codes = append(codes, answer.Itens[i].Event.Code())
		}
		if !answer.HaMais {
			return codes, answer.ProximoCursor
		}
		q.Cursor = *answer.ProximoCursor
	}
}

func TestChangesByPages(t *testing.T) {
	t.Parallel()
	a := open(t, changed.Shared(t))
	for name, q := range map[string]ChangesQuery{
		"company": {CNPJ: fixture.Bakery}, "branch": {CNPJ: "12.345.678/0003-57"}, "country": {}, "events": {Eventos: []string{"socio", "empresa.nome"}}, "place": {Municipio: []string{"Campinas/SP"}},
	} {
		q.Limite = mostChanges
		whole, _ := everyChange(t, a, q)
		if len(whole) < 2 {
			t.Errorf("%s: %v", name, whole)
		}
		for limit := 1; limit <= len(whole); limit++ {
			q.Limite = limit
			if got, _ := everyChange(t, a, q); !slices.Equal(got, whole) {
				t.Errorf("%s by %d: %v, want %v", name, limit, got, whole)
			}
		}
	}
	answer, err := a.Changes(t.Context(), ChangesQuery{CNPJ: fixture.Bakery})
	if err != nil {
		t.Fatal(err)
	}
	text := answer.Text()
	for _, part := range []string{
		"Capital social (empresa.capital), CNPJ 12345678, competência 2026-09, comparada com 2026-08. R$ 480.000,00 → R$ 500.000,00",
		"Sócio entrou em 02/08/2019: Lua Participações S.A. (socio.entrou), CNPJ 12345678, documento do sócio 98765432000198, competência 2026-09, comparada com 2026-08. Qualificação: Sócio;",
		"CNPJ 12.345.678/0003-57, competência 2026-09, comparada com 2026-08. Situação: Ativa → Baixada", "receita: mudanças conhecidas da carga 2026-08 à 2026-09.",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	raw, err := json.Marshal(answer)
	if err != nil || !strings.Contains(string(raw), `"antes":{"capital_social":480000.00}`) {
		t.Errorf("%v %s", err, raw)
	}
}

// TestChangesGoOn keeps a cursor over a rollback and another load, and until it is forgotten.
func TestChangesGoOn(t *testing.T) {
	t.Parallel()
	l := changed.Load(t)
	a := open(t, &l.Served)
	first, err := a.Changes(t.Context(), ChangesQuery{Limite: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, end := everyChange(t, a, ChangesQuery{})
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	l.Publish(t, fixture.Published(t, "2026-10", "480000,00", "600000,00"))
	answer, err := a.Changes(t.Context(), ChangesQuery{Cursor: *end})
	if err != nil || len(answer.Itens) != 1 || answer.Itens[0].Event.Code() != "empresa.capital" || len(answer.Retiradas) != 1 ||
		!strings.Contains(answer.Text(), "(receita, 2026-09) foi desfeita") {
		t.Errorf("%+v, %v", answer, err)
	}
	_, err = a.Changes(t.Context(), ChangesQuery{Cursor: *end, Eventos: []string{"socio"}})
	if refusal := refusalOf(t, err); refusal.Kind != Malformed || !strings.Contains(refusal.Text, "cursor_invalido") {
		t.Errorf("%+v", refusal)
	}
	if _, err := l.Pool.Exec(t.Context(), `DELETE FROM history WHERE former_id IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	l.Publish(t, fixture.Published(t, "2026-11", "480000,00", "700000,00"))
	_, err = a.Changes(t.Context(), ChangesQuery{Cursor: *first.ProximoCursor})
	refusal := refusalOf(t, err)
	_, rest, found := strings.Cut(refusal.Text, `cursor="`)
	if cursor, _, _ := strings.Cut(rest, `"`); refusal.Kind != Changed || !found {
		t.Errorf("%+v", refusal)
	} else if codes, _ := everyChange(t, a, ChangesQuery{Cursor: cursor}); !slices.Equal(codes, []string{"empresa.capital"}) {
		t.Errorf("from the oldest position: %v", codes)
	}
}

func FuzzPosition(f *testing.F) {
	f.Add(*positionCursor(history.Position{Seq: 3, Hash: 1 << 63, Event: 2}, "mudancas"), "mudancas")
	f.Add(*positionCursor(history.Position{Seq: 3, Hash: 1 << 63, Event: 2, AsOf: 9}, "mudancas"), "mudancas")
	f.Add("AQG9", "")
	f.Fuzz(func(t *testing.T, cursor, query string) {
		p, err := positionOf(cursor, query)
		if err != nil {
			return
		}
		if again, err := positionOf(*positionCursor(p, query), query); err != nil || again != p {
			t.Errorf("%q is %+v, then %+v, %v", cursor, p, again, err)
		}
		if _, err := positionOf(cursor, query+"x"); cursor != "" && err == nil {
			t.Errorf("%q is accepted by another query", cursor)
		}
	})
}
