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
	where         string // status, body, or the name of a header
	opinion       string // on bodies: whether they say the same in another way
	before, after string
	shape         string // equal in differences that are alike
}

// newDifference is one between statuses or headers.
func newDifference(where, before, after string) difference {
	d := difference{where: where, before: before, after: after}
	if where != "Etag" { // a hash: no two are alike
		d.shape = shape(before) + "\x00" + shape(after)
	}
	return d
}

// volatile are the headers that two calls to one server give different values. That both have them is still compared.
var volatile = map[string]bool{
	"Date":                  true, // the second
	"X-Ratelimit-Remaining": true, // both servers count on the same account
	"X-Ratelimit-Reset":     true, // the second
	"Set-Cookie":            true, // a random token
}

// version is a place where an answer names the build, which is what differs on purpose.
type version struct {
	path  string
	build *regexp.Regexp
}

var versions = []version{
	{"/health", regexp.MustCompile(`"versao":"[^"]*"`)},
	{"/mcp", regexp.MustCompile(`"version":"[^"]*","websiteUrl"`)},
}

// judge returns how two answers differ, nothing when they do not.
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

// comparableLength says whether lengths that differ are worth a word: not when the reason is a compressor, the name of a build, or a body that
// is reported already.
func comparableLength(q *question, before, after answer) bool {
	namesBuild := slices.ContainsFunc(versions, func(v version) bool { return v.path == q.path })
	return !namesBuild && before.header.Get("Content-Encoding") == "" && bytes.Equal(before.body, after.body)
}

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

func withoutVersion(path string, body []byte) []byte {
	for _, v := range versions {
		if path == v.path {
			body = v.build.ReplaceAll(body, nil)
		}
	}
	return body
}

// bodies tells where two bodies begin to differ.
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

// field is one of a JSON object, or of one in a text of JSON.
var field = regexp.MustCompile(`"([A-Za-z_]+)\\?":`)

// fragment returns a part of a body, as far as there is one.
func fragment(body []byte, from, to int) string {
	from, to = max(from, 0), min(to, len(body))
	for from > 0 && !utf8.RuneStart(body[from]) {
		from--
	}
	return strings.ToValidUTF8(string(body[from:to]), "")
}

// opinion is a second look at bodies that differ.
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

// decode reads JSON. Numbers keep their digits, objects forget their order.
func decode(body []byte, to *any) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return d.Decode(to) == nil && !d.More()
}

var tag = regexp.MustCompile(`<[^>]*>`)

// words are what a reader of a page sees.
func words(page []byte) []string {
	return strings.Fields(string(tag.ReplaceAll(page, []byte(" "))))
}

// value is text in capitals, a name, or a number.
var value = regexp.MustCompile(`[\p{Lu}0-9.*][^<>"=\p{Ll}]*(\p{Lu}\p{Ll}+[^<>"=\p{Ll}]*)*`)

// shape is what differences of many companies have in common: without numbers and names.
func shape(text string) string { return value.ReplaceAllString(text, "A") }
