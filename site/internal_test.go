package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/site/page"
	"razao/site/page/pagetest"
)

// TestSentencesSayWhatTheToolsAnswered: each number in the sentence that a person reads is in the answers below it.
func TestSentencesSayWhatTheToolsAnswered(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`\d[\d./,-]*\d|\d`)
	digits := func(text string) string { return regexp.MustCompile(`\D`).ReplaceAllString(text, "") }
	for _, c := range readConversations[conversation]("tools.json") {
		answered := map[string]bool{}
		for _, call := range c.Calls {
			for _, text := range number.FindAllString(call.Answer, -1) {
				answered[digits(text)] = true
			}
		}
		said := number.FindAllString(c.Sentence, -1)
		if len(said) < 2 {
			t.Errorf("%q says no numbers", c.Sentence)
		}
		for _, text := range said {
			parts := strings.Split(text, "/") // a day or a month is published the other way around
			slices.Reverse(parts)
			if !answered[digits(text)] && !answered[strings.Join(parts, "")] {
				t.Errorf("%q: nothing that was answered has %s", c.Sentence, text)
			}
		}
	}
}

func TestFormatWhatsApp(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]string{
		"551133330000": "+55 (11) 3333-0000", "5511999990000": "+55 (11) 99999-0000", "15550001111": "+15550001111", "55": "+55",
	} {
		if got := formatWhatsApp(digits); got != want {
			t.Errorf("%s: %q, want %q", digits, got, want)
		}
	}
}

func TestPagesHoldHostileText(t *testing.T) {
	t.Parallel()
	pagetest.Hostile[page.Page](t, page.Render, &homePage{}, &apiPage{}, &apiV1Page{}, &referencePage{}, &assistantPage{}, &channelPage{},
		&privacyPage{}, &termsPage{}, &methodologyPage{}, &componentsPage{})
}
