package company

import (
	"reflect"
	"strings"
	"testing"

	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
)

// TestMarkdownEscapesAllThatIsPublished fills every text of the view model with markup and requires
// that all of it is escaped in the output: text/template, unlike templ, escapes nothing on
// its own.
func TestMarkdownEscapesAllThatIsPublished(t *testing.T) {
	t.Parallel()
	const markup = "<b>"
	hs, _ := newHandlers(t, fixture.Load(t).Live)
	p := &companyPage{}
	fill(reflect.ValueOf(p).Elem(), markup)
	p.Canonical, p.HasCompany = "/1", true
	p.Records.Themes[0].Cards[0].Status = registry.Found
	p.Changes.Feed = "/1"
	var body strings.Builder
	if err := hs.markdown.Execute(&body, p); err != nil {
		t.Fatal(err)
	}
	text := body.String()
	if n := strings.Count(text, `\`+markup[:1]); n < 50 {
		t.Errorf("the page has %d published texts only: %s", n, text)
	}
	for _, span := range pagetest.CodeSpans(text) { // in which there is no markup
		text = strings.ReplaceAll(text, "`"+span+"`", "")
	}
	for line := range strings.Lines(strings.ReplaceAll(text, `\<`, "")) {
		if strings.Contains(strings.ReplaceAll(line, `<https://razao.exemplo/1>`, ""), "<") {
			t.Errorf("published markup is left in %s", line)
		}
	}
}

// fill sets all strings in v to text and all numbers to 2, and gives each slice one element.
func fill(v reflect.Value, text string) {
	if !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int64:
		v.SetInt(2)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	default: // flags, dates, codes: no texts
	}
}
