// Package pagetest checks in tests what holds for every page of the website.
package pagetest

import (
	"regexp"
	"strings"
	"testing"
)

// Texts fails for each text of has that body lacks, and for each text of lacks that it has. It
// reports whether there is none.
func Texts(t testing.TB, body string, has, lacks []string) (ok bool) {
	t.Helper()
	ok = true
	for _, text := range has {
		if !strings.Contains(body, text) {
			t.Errorf("the page lacks %q", text)
			ok = false
		}
	}
	for _, text := range lacks {
		if strings.Contains(body, text) {
			t.Errorf("the page has %q", text)
			ok = false
		}
	}
	return ok
}

var (
	inline = regexp.MustCompile(`(?i)<[^>]*\s(style|on[a-z]+)\s*=|<style`)
	ids    = regexp.MustCompile(`\sid="([^"]*)"`)
)

// Form checks the HTML of a whole page: no inline style or script, which the
// Content-Security-Policy would block; exactly one h1, main, title, search landmark, description
// and language; unique ids; and a complete document. Error pages have no description.
func Form(t testing.TB, body string) {
	t.Helper()
	if found := inline.FindString(body); found != "" {
		t.Errorf("the page has inline style or script: %s", found)
	}
	if strings.Count(body, "<script") != strings.Count(body, `<script src="/static/`)+strings.Count(body, `<script type="application/ld+json">`) {
		t.Error("the page has a script that is not one of the site's files")
	}
	for _, once := range []string{"<h1", "<main ", "<title>", `role="search"`, `name="description"`, `<html lang="pt-BR">`} {
		want := 1
		if once == `name="description"` && strings.Contains(body, "class=\"trouble\"") {
			want = 0
		}
		part := body
		if once == "<title>" { // SVG has title elements, too
			part, _, _ = strings.Cut(body, "</head>")
		}
		if got := strings.Count(part, once); got != want {
			t.Errorf("the page has %d of %s, want %d", got, once, want)
		}
	}
	seen := map[string]bool{}
	for _, id := range ids.FindAllStringSubmatch(body, -1) {
		if seen[id[1]] {
			t.Errorf("the id %s is used twice", id[1])
		}
		seen[id[1]] = true
	}
	if !strings.HasSuffix(strings.TrimSpace(body), "</html>") {
		t.Error("the page ends early")
	}
}

// CodeSpans returns the texts of the code spans of a text in Markdown, as CommonMark §6.1 reads them.
func CodeSpans(markdown string) (spans []string) {
	for i := 0; i < len(markdown); i++ {
		switch markdown[i] {
		case '\\':
			i++ // an escaped backtick opens none
		case '`':
			fence := markdown[i : i+len(markdown[i:])-len(strings.TrimLeft(markdown[i:], "`"))]
			i += len(fence)
			text, ok := closedBy(markdown[i:], fence)
			if !ok {
				i-- // a literal run
				continue
			}
			i += len(text) + len(fence) - 1
			if strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") && strings.Trim(text, " ") != "" {
				text = text[1 : len(text)-1]
			}
			spans = append(spans, text)
		}
	}
	return spans
}

// closedBy returns the text before the first run of backticks that is as long as fence.
func closedBy(text, fence string) (before string, ok bool) {
	for i := 0; i < len(text); {
		at := strings.IndexByte(text[i:], '`')
		if at < 0 {
			break
		}
		i += at
		run := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
		if run == len(fence) {
			return text[:i], true
		}
		i += run
	}
	return "", false
}
