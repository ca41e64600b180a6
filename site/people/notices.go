package people

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode"

	"razao/index/filter"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/people/follow"
	"razao/internal/people/mail"
	"razao/internal/store/journal"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/changes"
)

// Notices puts into words what followers are notified of, for mails and pages.
type Notices struct {
	base    string // public address
	atlas   *territory.Atlas
	filters *filter.Reader
}

// NewNotices returns a Notices with links to a public address. It fails if an embedded table is
// malformed.
func NewNotices(base string, live *snapshot.Live) (*Notices, error) {
	filters, err := live.Filters()
	if err != nil {
		return nil, fmt.Errorf("filters of saved searches: %w", err)
	}
	return &Notices{strings.TrimRight(base, "/"), live.Atlas(), filters}, nil
}

// Search reads a saved search.
func (n *Notices) Search(snap *snapshot.Snapshot, value string) (journal.Query, error) {
	_, q, err := journal.ReadSearch(n.filters, snap, value)
	return q, err
}

// search puts a saved search into words.
func (n *Notices) search(snap *snapshot.Snapshot, value string) (string, error) {
	given, q, err := journal.ReadSearch(n.filters, snap, value)
	if err != nil {
		return "", err
	}
	var phrases []string
	if q.Text != "" {
		phrases = append(phrases, "“"+q.Text+"”")
	}
	for _, p := range filter.Phrases(given) {
		phrases = append(phrases, ptbr.Join(": ", p.Label, p.Text))
	}
	return strings.Join(phrases, "; "), nil
}

// words puts what loads changed of companies into words.
func (n *Notices) words(snap *snapshot.Snapshot, changed []journal.Entry) [][]wording.Change {
	all := make([][]wording.Change, len(changed))
	for i, of := range changed {
		for k := range of {
			all[i] = append(all[i], n.brief(snap, &of[k]))
		}
	}
	return all
}

// brief puts a change into words, on one line if it has no more.
func (n *Notices) brief(snap *snapshot.Snapshot, c *journal.Change) wording.Change {
	w := n.headline(snap, c)
	if len(w.Lines) == 1 {
		w.Title, w.Lines = w.Title+": "+w.Lines[0], nil
	}
	return w
}

// headline puts a change into words. The title names the establishment, unless the company has no other.
func (n *Notices) headline(snap *snapshot.Snapshot, c *journal.Change) wording.Change {
	w := wording.ChangeOf(n.atlas, snap, c)
	if _, ok := c.Number(); ok && (c.Company == nil || c.Company.Establishments > 1 || c.Kind == change.Removed) {
		w.Title += " (estabelecimento " + w.Establishment.Text + ")"
	}
	w.Establishment = wording.Link{}
	return w
}

// unlink writes what is published so that mail programs make no links of it.
func unlink(of []wording.Change) {
	for i := range of {
		c := &of[i]
		c.Company.Text, c.Title = ptbr.Unlinked(c.Company.Text), ptbr.Unlinked(c.Title)
		for n := range c.Lines {
			c.Lines[n] = ptbr.Unlinked(c.Lines[n])
		}
	}
}

// mostInDigest is how many companies a mail lists.
const mostInDigest = 100

// digestMail is a digest in words.
type digestMail struct {
	Subject     string
	Changed     [][]wording.Change // of a company and load each
	Base        string             // public address
	More        int                // companies that are not listed
	All         string             // address of the list of all
	Gaps        []string
	Unsubscribe string // address
}

// Digest writes the mail of a digest.
func (n *Notices) Digest(ctx context.Context, snap *snapshot.Snapshot, d *follow.Digest) (mail.Message, error) {
	listed := d.Changed[:min(len(d.Changed), mostInDigest)]
	m := digestMail{
		Changed: n.words(snap, listed), Base: n.base, More: len(d.Changed) - len(listed), All: n.base + followingPath + "#mudou",
		Unsubscribe: n.base + unsubscribePath + "?token=" + d.Unsubscribe,
	}
	var err error
	if m.Gaps, err = changes.Unknown(ctx, snap, d.Since); err != nil {
		return mail.Message{}, err
	}
	first := &m.Changed[0][0]
	name := first.Company.Text
	for _, of := range m.Changed {
		unlink(of)
	}
	companies := map[cnpj.Root]bool{}
	for i := range d.Changed {
		companies[d.Changed[i].Root()] = true
	}
	switch {
	case len(companies) > 1:
		m.Subject = fmt.Sprintf("Mudanças em %s empresas que você segue", ptbr.Count(len(companies)))
	case name != first.Company.Text: // bait, perhaps: a subject has no name that looks like an address
		m.Subject = "Mudou: CNPJ " + first.Event.Root.String()
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
	for _, of := range m.Changed {
		fmt.Fprintf(&b, "%s\n%s, %s\n", of[0].Company.Text, of[0].Source, of[0].Seen)
		for i := range of {
			fmt.Fprintf(&b, "- %s\n", of[i].Title)
			for _, line := range of[i].Lines {
				fmt.Fprintf(&b, "  %s\n", line)
			}
		}
		fmt.Fprintf(&b, "%s/%s\n\n", m.Base, of[0].Event.Root)
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

// printable replaces by blanks what mails must not have: control characters, which published texts have now and then, and blanks that
// do not break.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(ptbr.Plain(text), ""))
}

func (m *digestMail) moreText() string {
	return "E mais " + ptbr.Counted(m.More, "empresa que mudou.", "empresas que mudaram.")
}
