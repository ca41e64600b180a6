package people

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/people/follow"
	"razao/internal/people/mail"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/changes"
)

// Telling puts into words what followers are told, for mails, feeds and pages.
type Telling struct {
	base    string // public address
	atlas   *territory.Atlas
	filters *filter.Reader
}

// NewTelling returns a Telling with links to a public address. It fails if an embedded table is
// malformed.
func NewTelling(base string, live *snapshot.Live) (*Telling, error) {
	filters, err := live.Filters()
	if err != nil {
		return nil, fmt.Errorf("filters of saved searches: %w", err)
	}
	return &Telling{strings.TrimRight(base, "/"), live.Atlas(), filters}, nil
}

// Search reads a saved search.
func (t *Telling) Search(snap *snapshot.Snapshot, value string) (snapshot.ChangeQuery, error) {
	_, q, err := t.readSearch(snap, value)
	return snapshot.ChangeQuery{Text: q.Text, Filters: q.Filters}, err
}

// wordsName is the parameter of a search that has its words.
const wordsName = "q"

// readSearch reads a saved search and returns it in words, too. One with neither words nor filters is an
// error: it would be the whole country.
func (t *Telling) readSearch(snap *snapshot.Snapshot, value string) (string, index.Query, error) {
	values, err := url.ParseQuery(value)
	if err != nil {
		return "", index.Query{}, fmt.Errorf("saved search: %w", err)
	}
	q := index.Query{Text: strings.TrimSpace(values.Get(wordsName))}
	given, set, err := t.filters.Read(snap, values)
	if err == nil && set.Empty() && q.Text == "" {
		err = errNothingAsked
	}
	if err != nil {
		return "", index.Query{}, err
	}
	q.Filters = set
	var phrases []string
	if q.Text != "" {
		phrases = append(phrases, "“"+q.Text+"”")
	}
	for _, p := range filter.Phrases(given) {
		phrases = append(phrases, ptbr.Join(": ", p.Label, p.Text))
	}
	return strings.Join(phrases, "; "), q, nil
}

// told is what one load changed of a company, in words.
type told struct {
	Name   string
	Root   cnpj.Root
	URL    string
	Source string // and its period
	Events []toldEvent
}

// toldEvent is one event: what happened, and the fields before and after.
type toldEvent struct {
	What  string
	Lines []string
}

// words puts changes into words. Companies that are gone have their number as a name.
func (t *Telling) words(ctx context.Context, snap *snapshot.Snapshot, changed []follow.Changed) ([]told, error) {
	var roots []cnpj.Root
	for i := range changed {
		roots = append(roots, changed[i].Root)
	}
	heads, err := snap.Companies(ctx, roots)
	if err != nil {
		return nil, err
	}
	all := make([]told, 0, len(changed))
	for i := range changed {
		c := &changed[i]
		load := c.Changes[0].Load
		one := told{Name: nameOf(c.Root, heads[c.Root]), Root: c.Root, URL: t.base + "/" + c.Root.String(), Source: loadName(load.Source, load.Period)}
		for n := range c.Changes {
			one.Events = append(one.Events, t.event(snap, &c.Changes[n]))
		}
		all = append(all, one)
	}
	return all, nil
}

// unlink writes what is published so that mail programs make no links of it.
func (c *told) unlink() {
	c.Name = ptbr.Unlinked(c.Name)
	for i := range c.Events {
		e := &c.Events[i]
		e.What = ptbr.Unlinked(e.What)
		for n := range e.Lines {
			e.Lines[n] = ptbr.Unlinked(e.Lines[n])
		}
	}
}

// nameOf returns the name of a company; h is nil if it is not in the load.
func nameOf(root cnpj.Root, h *pack.Head) string {
	if h == nil || h.Company.RazaoSocial == "" {
		return "CNPJ " + root.Masked()
	}
	return ptbr.Holder(root, h.Company.RazaoSocial, h.Individual())
}

// loadName names a load by its source and period.
func loadName(id, period string) string {
	return ptbr.Plain(wording.SourceTitle(id) + ", " + ptbr.Period(period))
}

func (t *Telling) event(snap *snapshot.Snapshot, c *snapshot.Change) toldEvent {
	w := wording.ChangeOf(t.atlas, snap, c)
	e := toldEvent{What: ptbr.Plain(w.Title)}
	if number, ok := c.Number(); ok && number.Order().String() != "0001" {
		e.What += " (estabelecimento " + number.Masked() + ")"
	}
	for _, line := range w.Lines() {
		e.Lines = append(e.Lines, ptbr.Plain(line))
	}
	if len(e.Lines) == 1 {
		e.What, e.Lines = e.What+": "+e.Lines[0], nil
	}
	return e
}

// mostInDigest is how many companies a mail lists.
const mostInDigest = 100

// digestMail is a digest in words.
type digestMail struct {
	Subject     string
	Told        []told
	More        int    // companies that are not listed
	All         string // address of the list of all
	Gaps        []string
	Unsubscribe string // address
}

// Digest writes the mail of a digest.
func (t *Telling) Digest(ctx context.Context, snap *snapshot.Snapshot, d *follow.Digest) (mail.Message, error) {
	listed := d.Changed[:min(len(d.Changed), mostInDigest)]
	m := digestMail{
		More: len(d.Changed) - len(listed), All: t.base + followingPath + "#mudou",
		Unsubscribe: t.base + unsubscribePath + "?token=" + d.Unsubscribe,
	}
	var err error
	if m.Gaps, err = changes.Unknown(ctx, snap, d.Since); err != nil {
		return mail.Message{}, err
	}
	if m.Told, err = t.words(ctx, snap, listed); err != nil {
		return mail.Message{}, err
	}
	name := m.Told[0].Name
	for i := range m.Told {
		m.Told[i].unlink()
	}
	companies := map[cnpj.Root]bool{}
	for i := range d.Changed {
		companies[d.Changed[i].Root] = true
	}
	switch {
	case len(companies) > 1:
		m.Subject = fmt.Sprintf("Mudanças em %s empresas que você segue", ptbr.Count(len(companies)))
	case name != m.Told[0].Name: // bait, perhaps: a subject has no name that looks like an address
		m.Subject = "Mudou: CNPJ " + m.Told[0].Root.String()
	default:
		m.Subject = "Mudou: " + name
	}
	m.Subject = oneLine(m.Subject)
	var html bytes.Buffer
	if err := m.HTML().Render(ctx, &html); err != nil {
		return mail.Message{}, fmt.Errorf("digest: %w", err)
	}
	return mail.Message{Subject: m.Subject, Text: printable(m.Text()), HTML: printable(html.String()), Unsubscribe: m.Unsubscribe}, nil
}

// Text returns the mail as plain text.
func (m *digestMail) Text() string {
	var b strings.Builder
	for i := range m.Told {
		c := &m.Told[i]
		fmt.Fprintf(&b, "%s\n%s\n", c.Name, c.Source)
		for _, e := range c.Events {
			fmt.Fprintf(&b, "- %s\n", e.What)
			for _, line := range e.Lines {
				fmt.Fprintf(&b, "  %s\n", line)
			}
		}
		fmt.Fprintf(&b, "%s\n\n", c.URL)
	}
	if m.More > 0 {
		fmt.Fprintf(&b, "%s\n%s\n\n", m.moreText(), m.All)
	}
	if len(m.Gaps) > 0 {
		fmt.Fprintf(&b, "O que não se sabe:\n- %s\n\n", strings.Join(m.Gaps, "\n- "))
	}
	fmt.Fprintf(&b, "Você recebe este aviso porque segue empresas, sócios ou buscas no Razão. Para não receber mais:\n%s\n", m.Unsubscribe)
	return b.String()
}

// printable replaces control characters, which published texts have now and then and mails must not, by
// blanks.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

func (m *digestMail) moreText() string {
	return "E mais " + ptbr.Counted(m.More, "empresa que mudou.", "empresas que mudaram.")
}
