package mcp

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// FuzzMessages posts arbitrary bodies with a valid token: each is answered or refused, and
// responses are JSON, never batches of them.
func FuzzMessages(f *testing.F) {
	accounts, sealed := pgtest.Pool(f), seal.New("secret of the tests")
	store := account.NewStore(accounts, sealed)
	_, key, err := store.CreateKey(f.Context(), "assistente@exemplo.com.br", "testes")
	if err != nil {
		f.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	meter := account.OpenMeter(accounts, sealed, log)
	f.Cleanup(meter.Close)
	const base = "https://razao.example"
	server, err := New(Config{
		Assistant: newAssistant(f, fixture.Shared(f), base), BaseURL: base, Version: "2.0.0", Log: log,
		Verify: verifier(key.Account), Meter: meter,
	})
	if err != nil {
		f.Fatal(err)
	}
	engine := web.NewEngine(web.Options{Log: log, BaseURL: base})
	server.Register(engine)
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"consultar_cnpj","arguments":{"cnpj":"12345678"}}}`
	f.Add(call, "application/json", "application/json, text/event-stream", "2025-06-18")
	f.Add(`[`+call+`,{"jsonrpc":"2.0","method":"notifications/initialized"}]`, "application/json; charset=utf-8", "*/*", "")
	f.Add(`{"jsonrpc":"2.0","id":{},"method":"initialize","params":null}`, "", "text/event-stream", "1")
	calls := 0
	f.Fuzz(func(t *testing.T, body, media, accept, version string) {
		if calls++; calls%30 == 0 { // within the sixty of a minute
			if _, err := accounts.Exec(t.Context(), `DELETE FROM admission`); err != nil {
				t.Fatal(err)
			}
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, base+"/mcp", strings.NewReader(body))
		for name, value := range map[string]string{
			"Authorization": "Bearer " + lastingToken, "Content-Type": media, "Accept": accept, "Mcp-Protocol-Version": version,
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		if strings.HasPrefix(strings.TrimSpace(w.Body.String()), "[") {
			t.Errorf("a batch was answered: %s", w.Body)
		}
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid(w.Body.Bytes()) {
			t.Errorf("no JSON: %s", w.Body)
		}
	})
}
