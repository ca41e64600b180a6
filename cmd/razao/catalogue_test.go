package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"razao/internal/data/ptbr"
)

// TestCatalogueSaysWhatThePagesSay: what /v2/fontes says of a source is on its page, in words.
func TestCatalogueSaysWhatThePagesSay(t *testing.T) {
	t.Parallel()
	r := openServer(t)
	facts := 0
	for _, entry := range r.rest("/v2/fontes")["dados"].(object)["fontes"].([]any) {
		src := entry.(object)
		body := strings.NewReplacer("&#43;", "+", "&amp;", "&").Replace(r.visit("/fontes/" + src["id"].(string)).Body.String())
		said := func(values ...any) {
			t.Helper()
			for _, v := range values {
				text, isText := v.(string)
				if number, ok := v.(json.Number); ok {
					n, err := number.Int64()
					text, isText = ">"+ptbr.Count(n), err == nil
				}
				if facts++; !isText || !strings.Contains(body, text) {
					t.Errorf("%s: the page lacks %v", src["id"], v)
				}
			}
		}
		said(src["titulo"], src["descricao"], src["orgao"], src["conjunto"], src["url"], src["licenca"], src["total"])
		if rhythm, known := src["periodicidade"].(string); known {
			said(rhythm, string(src["desatualizada_apos_dias"].(json.Number))+" dias depois")
		}
		for _, rule := range src["deixadas_de_fora"].([]any) {
			said(rule.(object)["motivo"], rule.(object)["linhas"])
		}
		loads := src["cargas"].([]any)
		if !slices.ContainsFunc(loads, func(l any) bool { return l.(object)["situacao"] == "em_uso" }) {
			t.Errorf("%s: no load is in service: %v", src["id"], loads)
		}
		for _, l := range loads {
			said(ptbr.Period(l.(object)["competencia"].(string)), l.(object)["linhas_lidas"], l.(object)["registros"])
		}
	}
	if facts < 14*10 {
		t.Errorf("only %d facts compared", facts)
	}
}
