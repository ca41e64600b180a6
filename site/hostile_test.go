package site_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestHostileText sends hostile texts in the parameters that pages show.
func TestHostileText(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, address := range []string{
		"/busca?q=%", "/busca?uf=%", "/busca?q=padaria&pagina=%", "/busca?q=padaria&ordem=%", "/busca/avancada?q=%&uf=%&cnae=%&capital_de=%&abertura_de=%&municipio=%",
		"/busca/avancada?buscar=1&uf=%", "/empresas?cnae=%", "/uf/sp?municipio=%", "/municipios?q=%", "/municipios?uf=%", "/municipios/comparar?q=%",
		"/estados?ordem=%", "/login?next=%", "/login?erro=%", "/12345678000195?pgfn_pagina=%", "/12345678000195?estabelecimentos_uf=%",
		"/privacidade/ocultar?cnpj=%", "/fontes/%", "/socio/456789/%",
	} {
		served := func(text string) string {
			return h.Get(t, strings.ReplaceAll(address, "%", url.PathEscape(url.QueryEscape(text))), "Accept", sitetest.HTML).Body.String()
		}
		if strings.Contains(address, "?") {
			served = func(text string) string {
				return h.Get(t, strings.ReplaceAll(address, "%", url.QueryEscape(text)), "Accept", sitetest.HTML).Body.String()
			}
		}
		for _, text := range pagetest.HostileTexts {
			pagetest.Harmless(t, text, served(text))
		}
	}
}

// TestNoWayAroundEscaping finds the names by which templ takes text as HTML, as an address or as a
// script without looking at it. Two links to editors need one of them.
func TestNoWayAroundEscaping(t *testing.T) {
	t.Parallel()
	doors := regexp.MustCompile(`templ\.(Raw|SafeURL|SafeCSS\w*|SafeScript\w*|JSFuncCall|JSUnsafeFuncCall|JSExpression|ComponentScript|FromGoHTML|Attributes|OrderedAttributes)\b|\{ \w+\.\.\. \}|^(script|css) |<style|\bon\w+=`)
	var used []string
	for name, text := range templates(t) {
		for line := range strings.Lines(text) {
			if doors.MatchString(line) {
				used = append(used, name+": "+strings.TrimSpace(line))
			}
		}
	}
	slices.Sort(used)
	if len(used) != 2 || !strings.Contains(used[0], `templ.SafeURL("cursor://anysphere`) || !strings.Contains(used[1], `templ.SafeURL("vscode:mcp/install?" + page.Encoded(`) {
		t.Errorf("around escaping: %q", used)
	}
}

// TestTermsAreInTheGlossary follows the links of templates to the glossary.
func TestTermsAreInTheGlossary(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	body := h.Body(t, "/glossario")
	links := 0
	for name, text := range templates(t) {
		for _, found := range regexp.MustCompile(`href="/glossario#([^"]*)"`).FindAllStringSubmatch(text, -1) {
			links++
			if !strings.Contains(body, ` id="`+found[1]+`"`) {
				t.Errorf("%s: the glossary has no entry %s", name, found[1])
			}
		}
	}
	if links < 10 {
		t.Errorf("only %d links to the glossary", links)
	}
}
