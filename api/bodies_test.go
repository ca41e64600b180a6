package api

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// TestHostileBodies: bodies of JSON are read whole, and bounded, so that what a parser makes of each byte stays small, too. It runs alone, and so
// counts its own memory only.
func TestHostileBodies(t *testing.T) {
	const most = 8 << 20 // bytes that are allocated for a body
	fill := func(begin, content, end string) string {
		return begin + strings.Repeat(content, (maxBatch-len(begin)-len(end))/len(content)) + end
	}
	for name, body := range map[string]string{
		"depth":         fill(`{"cnpjs":`, "[", ""),
		"objects":       fill(`{"q0":`, `{"a":`, ""),
		"numbers":       fill(`{"cnpjs":[""`, `,""`, "]}"),
		"fields":        fill(`{"cnpjs":["1"],"campos":[""`, `,""`, "]}"),
		"keys":          fill(`{"a":{}`, `,"":{}`, "}"),
		"questions":     fill(`{"q0":{}`, `,"q0":{"properties":[{}]}`, "}"),
		"properties":    fill(`{"q0":{"query":"a","properties":[{}`, `,{}`, "]}}"),
		"values":        fill(`{"q0":{"query":"a","properties":[{"pid":"uf","v":[0`, ",0", "]}]}}"),
		"nested values": fill(`{"q0":{"query":"a","properties":[{"pid":"uf","v":`, "[", ""),
		"a number":      fill(`{"q0":{"query":"a","limit":1`, "0", "}}"),
		"an exponent":   `{"q0":{"query":"a","limit":1e999999999}}`,
		"a text":        fill(`{"q0":{"query":"`, `\u0000`, `"}}`),
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/lote", strings.NewReader(body))
		var before, between, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, batchErr := readBatch(c)
		runtime.ReadMemStats(&between)
		_, questionsErr := questionsOf(body)
		runtime.ReadMemStats(&after)
		batch, questions := between.TotalAlloc-before.TotalAlloc, after.TotalAlloc-between.TotalAlloc
		t.Logf("%-14s %6d bytes: batch %8d allocated, %v; questions %8d, %v", name, len(body), batch, batchErr != nil, questions, questionsErr != nil)
		if batch > most || questions > most {
			t.Errorf("%s: %d and %d bytes", name, batch, questions)
		}
	}
}
