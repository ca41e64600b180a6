package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"razao/lab/internal/load"
)

// difference is one way in which two answers differ.
type difference struct {
	where         string // "status", "body", "body, FIELD", or a header's name
	before, after string
	shape         string // of bodies: equal for differences that look alike
}

// volatile are headers of which only the number is compared: they follow from the clock, or are tokens.
var volatile = []string{"Date", "Last-Modified", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit", "Set-Cookie"}

const absent = "(none)" // a header

// asset is the address of a file that has its hash in it. The file itself is compared under the address
// that each server gives it.
var asset = regexp.MustCompile(`(/static/[^"./]+)\.[0-9a-f]{12}(\.[a-z0-9]+)`)

// formID is the id of a form, which is drawn for each time that it is shown.
var formID = regexp.MustCompile(`name="formulario" value="[A-Z2-7]+"`)

// version is a place where an answer names the build.
var version = regexp.MustCompile(`"versao":"[^"]*"|"version":"[^"]*","websiteUrl"`)

// differences compares two answers: if the status is another one, nothing else.
func (r *run) differences(q *question, got [2]answer) (found []difference) {
	if got[0].status != got[1].status {
		return []difference{{where: "status", before: fmt.Sprint(got[0].status), after: fmt.Sprint(got[1].status)}}
	}
	before, after := r.comparable(q, got, 0), r.comparable(q, got, 1)
	if !bytes.Equal(before, after) {
		found = append(found, bodies(before, after))
	}
	names := maps.Clone(got[0].header)
	maps.Copy(names, got[1].header)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name == "Content-Length" && got[0].header.Get("Content-Encoding") != "" {
			continue
		}
		had, has := r.headerValue(got, 0, name), r.headerValue(got, 1, name)
		if (name == "Etag" || name == "Content-Length") && had != absent && has != absent && (len(got[0].body) == 0 || !bytes.Equal(got[0].body, got[1].body)) {
			continue // they follow from a body that differs or is not sent (HEAD, 304)
		}
		if had != has {
			found = append(found, difference{where: name, before: had, after: has})
		}
	}
	return found
}

// comparable returns a body without what is the server's own.
func (r *run) comparable(q *question, got [2]answer, i int) []byte {
	if bytes.Equal(got[0].body, got[1].body) {
		return got[0].body
	}
	text := asset.ReplaceAllString(r.sides[i].masks.Replace(string(got[i].body)), "$1$2")
	text = formID.ReplaceAllString(text, "")
	if q.path[0] == "/health" || q.path[0] == "/mcp" {
		text = version.ReplaceAllString(text, "")
	}
	for _, pattern := range r.ignore {
		text = pattern.ReplaceAllString(text, "")
	}
	return []byte(text)
}

func (r *run) headerValue(got [2]answer, i int, name string) string {
	values, ok := got[i].header[name]
	switch {
	case !ok:
		return absent
	case slices.Contains(volatile, name):
		return fmt.Sprintf("(%d)", len(values))
	}
	return asset.ReplaceAllString(r.sides[i].masks.Replace(strings.Join(values, " | ")), "$1$2")
}

// field is the name of a field in a JSON object, also in JSON quoted in JSON, as results of tools are.
var field = regexp.MustCompile(`"([A-Za-z_]+)\\?":`)

// bodies shows the first position at which two bodies differ.
func bodies(before, after []byte) difference {
	at := 0
	for at < min(len(before), len(after)) && before[at] == after[at] {
		at++
	}
	d := difference{
		where: "body", before: fragment(before, at-60, at+100), after: fragment(after, at-60, at+100),
		shape: digits.ReplaceAllString(fragment(before, at-10, at+20)+"\x00"+fragment(after, at-10, at+20), "0"),
	}
	if fields := field.FindAllSubmatch(before[:at], -1); len(fields) > 0 && json.Valid(before) {
		d.where = "body, " + string(fields[len(fields)-1][1])
		d.shape = d.where // JSON differs in values of all kinds, but in few fields
	}
	return d
}

var digits = regexp.MustCompile(`[0-9]+`)

// fragment returns body[from:to], as far as there is one, widened to whole characters.
func fragment(body []byte, from, to int) string {
	from, to = max(from, 0), min(to, len(body))
	for from > 0 && !utf8.RuneStart(body[from]) {
		from--
	}
	return strings.ToValidUTF8(string(body[from:to]), "")
}

var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`)

// learn finds out what is each server's own: its address, and the moments of its loads, which
// /v2/fontes and /health give, in the forms in which answers show them.
func (r *run) learn(ctx context.Context) error {
	for i := range r.sides {
		s := &r.sides[i]
		masks := []string{s.address, "ADDRESS"}
		for _, path := range []string{"/v2/fontes", "/health"} {
			q := question{path: both(path)}
			got, err := r.send(ctx, &q, i, uuid.UUID{})
			if err != nil {
				return err
			}
			if got.status != http.StatusOK {
				return fmt.Errorf("%s%s: status %d: %s", s.address, path, got.status, got.body)
			}
			for _, text := range moment.FindAllString(string(got.body), -1) {
				masks = append(masks, forms(text)...)
			}
		}
		s.masks = strings.NewReplacer(masks...)
	}
	var err error
	r.owners, err = load.Owners(ctx, r.sides[0].address, r.drawn.Sources)
	return err
}

var brasilia = time.FixedZone("", -3*60*60)

// forms returns the forms of a moment that answers show, each followed by what takes its place.
func forms(text string) (masks []string) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil
	}
	for _, form := range []string{text, t.In(brasilia).Format("02/01/2006 15:04"), t.In(brasilia).Format("15:04")} {
		masks = append(masks, form, "MOMENT")
	}
	return masks
}
