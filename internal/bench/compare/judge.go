package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	fragmentBefore = 40 // bytes shown of a body up to the first that differs
	fragmentAfter  = 80 // and from there on
	shapeBefore    = 12 // bytes that tell which differences are alike
	shapeAfter     = 24
)

// difference is one way in which two answers differ.
type difference struct {
	where         string // "status", "body", "body, FIELD", or a header's name
	opinion       string // of bodies: whether the content is the same in another form; "": not known
	before, after string
	shape         string // equal for differences of the same kind; groups them in the report
}

// newDifference is a difference of statuses or headers.
func newDifference(where, before, after string) difference {
	d := difference{where: where, before: before, after: after}
	if where != "Etag" { // a hash: its shape says nothing
		d.shape = shape(before) + "\x00" + shape(after)
	}
	return d
}

// volatile are headers whose values differ between two calls to the same server. Only their
// presence is compared.
var volatile = map[string]bool{
	"Date":                  true, // the second
	"X-Ratelimit-Remaining": true, // both servers count on the same account
	"X-Ratelimit-Reset":     true, // the second
	"Set-Cookie":            true, // a random token
}

// version is a place where an answer names the build, which differs on purpose.
type version struct {
	path  string
	build *regexp.Regexp
}

var versions = []version{
	{"/health", regexp.MustCompile(`"versao":"[^"]*"`)},
	{"/mcp", regexp.MustCompile(`"version":"[^"]*","websiteUrl"`)},
}

// judge returns how two answers differ, nil if they are equal. Of answers with different statuses
// nothing else is compared; of different bodies, neither ETag nor length, which follow from the
// body.
func judge(q *question, before, after answer) []difference {
	if before.status != after.status {
		return []difference{newDifference("status", fmt.Sprint("status ", before.status), fmt.Sprint("status ", after.status))}
	}
	var found []difference
	first, second := withoutVersion(q.path, before.body), withoutVersion(q.path, after.body)
	sameBody := bytes.Equal(first, second)
	if !sameBody {
		found = append(found, bodies(first, second))
	}
	names := maps.Clone(before.header)
	maps.Copy(names, after.header)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if name == "Etag" && !sameBody || name == "Content-Length" && !comparableLength(q, before, after) {
			continue
		}
		had, has := headerValue(before, name), headerValue(after, name)
		if had != has {
			found = append(found, newDifference(name, had, has))
		}
	}
	return found
}

// comparableLength reports whether different lengths mean something. They do not if a compressor,
// the name of the build, or a difference of bodies explains them.
func comparableLength(q *question, before, after answer) bool {
	namesBuild := slices.ContainsFunc(versions, func(v version) bool { return v.path == q.path })
	return !namesBuild && before.header.Get("Content-Encoding") == "" && bytes.Equal(before.body, after.body)
}

// headerValue joins the values of a header; of a volatile one it returns only their number.
func headerValue(a answer, name string) string {
	values, ok := a.header[name]
	switch {
	case !ok:
		return "(none)"
	case volatile[name]:
		return fmt.Sprintf("(%d)", len(values))
	}
	return strings.Join(values, " | ")
}

// withoutVersion removes the name of the build from a body.
func withoutVersion(path string, body []byte) []byte {
	for _, v := range versions {
		if path == v.path {
			body = v.build.ReplaceAll(body, nil)
		}
	}
	return body
}

// bodies describes the first position at which two bodies differ. For JSON the shape is the last
// field name before it, otherwise the text around it without names and numbers.
func bodies(before, after []byte) difference {
	at := 0
	for at < min(len(before), len(after)) && before[at] == after[at] {
		at++
	}
	d := difference{
		where: "body", opinion: opinion(before, after),
		before: fragment(before, at-fragmentBefore, at+fragmentAfter), after: fragment(after, at-fragmentBefore, at+fragmentAfter),
		shape: shape(fragment(before, at-shapeBefore, at+shapeAfter)) + "\x00" + shape(fragment(after, at-shapeBefore, at+shapeAfter)),
	}
	if fields := field.FindAllSubmatch(before[:at], -1); len(fields) > 0 && json.Valid(before) {
		d.shape = string(fields[len(fields)-1][1]) // JSON differs in values of all kinds, but in few fields
		d.where = "body, " + d.shape
	}
	return d
}

// field is the name of a field in a JSON object, also in JSON that is quoted within a JSON string,
// as results of tools are.
var field = regexp.MustCompile(`"([A-Za-z_]+)\\?":`)

// fragment returns body[from:to], clamped to the body and widened to whole characters.
func fragment(body []byte, from, to int) string {
	from, to = max(from, 0), min(to, len(body))
	for from > 0 && !utf8.RuneStart(body[from]) {
		from--
	}
	return strings.ToValidUTF8(string(body[from:to]), "")
}

// opinion compares two different bodies by content: as JSON values, or as the words of a page.
func opinion(before, after []byte) string {
	var first, second any
	switch {
	case decode(before, &first) && decode(after, &second):
		if reflect.DeepEqual(first, second) {
			return "same values, other order or spelling"
		}
		return "other values"
	case slices.Equal(words(before), words(after)):
		return "same words, other markup"
	}
	return ""
}

// decode parses JSON with numbers as written, so that 1.0 and 1.00 remain different.
func decode(body []byte, to *any) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return d.Decode(to) == nil && !d.More()
}

var tag = regexp.MustCompile(`<[^>]*>`)

// words returns the visible words of a page.
func words(page []byte) []string {
	return strings.Fields(string(tag.ReplaceAll(page, []byte(" "))))
}

// value is text in capitals, a capitalised name, or a number: what varies from company to company.
var value = regexp.MustCompile(`[\p{Lu}0-9.*][^<>"=\p{Ll}]*(\p{Lu}\p{Ll}+[^<>"=\p{Ll}]*)*`)

// shape replaces every value in a text by A.
func shape(text string) string { return value.ReplaceAllString(text, "A") }
