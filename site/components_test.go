package site_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// classesOf returns the classes that a style sheet has rules for.
func classesOf(t *testing.T, name string) map[string]bool {
	t.Helper()
	body, err := os.ReadFile("page/static/" + name)
	if err != nil {
		t.Fatal(err)
	}
	sheet := regexp.MustCompile(`(?s)/\*.*?\*/|"[^"]*"|url\([^)]*\)`).ReplaceAllString(string(body), "")
	classes := map[string]bool{}
	for _, found := range regexp.MustCompile(`\.([a-z][a-z0-9-]*)`).FindAllStringSubmatch(sheet, -1) {
		classes[found[1]] = true
	}
	return classes
}

// classesIn returns the classes of the elements of a page.
func classesIn(d pagetest.Document) map[string]bool {
	classes := map[string]bool{}
	for n := range d.Descendants() {
		for _, class := range strings.Fields(pagetest.Document{Node: n}.Attribute("class")) {
			classes[class] = true
		}
	}
	return classes
}

// TestComponentsShowTheStylesheet compares the classes on /componentes with those in the style
// sheet, both ways.
func TestComponentsShowTheStylesheet(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t, func(s *sitetest.Setup) { s.Components = true })
	w := h.Get(t, "/componentes")
	if w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	pagetest.Form(t, w.Body.String())
	pagetest.Texts(t, w.Body.String(), []string{`content="noindex"`}, nil)
	if rows := strings.Count(w.Body.String(), `data-label="Estado"`); rows != 3 {
		t.Errorf("the table of sources without records has %d rows, want one for each of three states", rows)
	}
	const most = 60 << 10 // with all municipalities and two maps of the country
	if packed := h.Get(t, "/componentes", "Accept-Encoding", "gzip").Body.Len(); packed > most {
		t.Errorf("the page takes %d bytes of gzip", packed)
	}
	shown, known, own := classesIn(pagetest.Parse(t, w.Body.String())), classesOf(t, "style.css"), classesOf(t, "components.css")
	elsewhere := map[string]bool{
		"demo":    true, // over invented data
		"options": true, // made by the script of the search box
	}
	for class := range known {
		if !shown[class] && !elsewhere[class] {
			t.Errorf("/componentes shows nothing with the class %s of style.css", class)
		}
	}
	for class := range shown {
		if !known[class] && !own[class] {
			t.Errorf("no stylesheet knows the class %s of /componentes", class)
		}
	}
}

// TestTemplatesUseKnownClasses expects each literal class of a template in a style sheet.
func TestTemplatesUseKnownClasses(t *testing.T) {
	t.Parallel()
	known := classesOf(t, "style.css")
	for class := range classesOf(t, "components.css") {
		known[class] = true
	}
	constant := regexp.MustCompile(`class="([^"]*)"`)
	computed := regexp.MustCompile(`class=\{ (.*?) \}`)
	literal := regexp.MustCompile(`(== )?"([^"]*)"( \+)?`)
	for name, text := range templates(t) {
		var classes []string
		for _, found := range constant.FindAllStringSubmatch(text, -1) {
			classes = append(classes, strings.Fields(found[1])...)
		}
		for _, expression := range computed.FindAllStringSubmatch(text, -1) {
			for _, found := range literal.FindAllStringSubmatch(expression[1], -1) {
				parts := strings.Fields(found[2])
				if found[3] != "" && !strings.HasSuffix(found[2], " ") { // the rest of the last one is computed
					parts = parts[:len(parts)-1]
				}
				if found[1] == "" { // not what something is compared with
					classes = append(classes, parts...)
				}
			}
		}
		for _, class := range classes {
			if !known[class] {
				t.Errorf("%s: no stylesheet knows the class %s", name, class)
			}
		}
	}
}

// templates returns the text of every template of the website, by path.
func templates(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, pattern := range []string{"*.templ", "*/*.templ", "../api/*.templ"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found[name] = string(text)
		}
	}
	if len(found) < 40 {
		t.Fatalf("only %d templates", len(found))
	}
	return found
}

func TestComponentsAreForDevelopers(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	h.Status(t, http.StatusNotFound, "/componentes")
}
