package api

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/internal/testing/fixture"
)

func TestCursorsComeBack(t *testing.T) {
	t.Parallel()
	s := cursorSigner{[]byte("key")}
	const path = "/v2/empresas/12345678/socios"
	for _, tt := range []struct {
		load int64
		from int
	}{{1, 0}, {1, 20}, {300, 1 << 40}, {1<<63 - 1, 127}, {1<<63 - 1, 1<<63 - 1}} {
		cursor := string(s.append(nil, path, 20, tt.load, tt.from))
		load, from, err := s.read(cursor, path, 20)
		if err != nil || load != tt.load || from != tt.from || len(cursor) > longestCursor {
			t.Errorf("%+v came back from %s as %d, %d, %v", tt, cursor, load, from, err)
		}
	}
}

func TestForeignCursorsAreRefused(t *testing.T) {
	t.Parallel()
	s := cursorSigner{[]byte("key")}
	const path = "/v2/empresas/12345678/socios"
	cursor := string(s.append(nil, path, 20, 3, 40))
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name, cursor, path string, limit int, s cursorSigner) {
		t.Helper()
		if load, from, err := s.read(cursor, path, limit); !errors.Is(err, errCursor) {
			t.Errorf("%s: load %d, position %d, %v", name, load, from, err)
		}
	}
	refused("another limit", cursor, path, 21, s)
	refused("another company", cursor, "/v2/empresas/12345679/socios", 20, s)
	refused("another collection", cursor, "/v2/empresas/12345678/estabelecimentos", 20, s)
	refused("another key", cursor, path, 20, cursorSigner{[]byte("other")})
	refused("a line break inside", cursor[:8]+"\n"+cursor[8:], path, 20, s)
	refused("padded", cursor+"=", path, 20, s)
	refused("empty", "", path, 20, s)
	refused("without end", strings.Repeat("A", 1<<16), path, 20, s)
	for i := range cursor {
		for _, c := range []byte("A_-z!") {
			if cursor[i] != c {
				refused("character changed", cursor[:i]+string(c)+cursor[i+1:], path, 20, s)
			}
		}
		refused("cut", cursor[:i], path, 20, s)
	}
	for i := range raw {
		changed := append([]byte{}, raw...)
		changed[i] ^= 1
		refused("bit changed", base64.RawURLEncoding.EncodeToString(changed), path, 20, s)
	}
	longer := append([]byte{0x83, 0x00}, raw[1:]...) // the same load in two bytes
	refused("written otherwise", base64.RawURLEncoding.EncodeToString(longer), path, 20, s)
}

func FuzzReadCursor(f *testing.F) {
	s := cursorSigner{[]byte("key")}
	const path = "/v2/empresas/12345678/socios"
	f.Add(string(s.append(nil, path, 20, 3, 40)), path, 20)
	f.Add("AQG9", "", 0)
	f.Fuzz(func(t *testing.T, cursor, address string, limit int) {
		load, from, err := s.read(cursor, address, limit)
		if err == nil && cursor != string(s.append(nil, address, limit, load, from)) {
			t.Errorf("%q is accepted", cursor)
		}
	})
}

// link returns the address of the second page of a collection.
func (s *service) link(t testing.TB, path string) string {
	t.Helper()
	page := s.collection(t, path)
	if page.URL == nil {
		t.Fatalf("%s has no further page", path)
	}
	return *page.URL
}

// TestCursorsInRequests sends the cursors of one collection to other addresses and limits.
func TestCursorsInRequests(t *testing.T) {
	t.Parallel()
	s := read(t, everyCrowd.Shared(t))
	const company = "/v2/empresas/" + fixture.Chain
	establishment := "/v2/estabelecimentos/" + branch(t, fixture.Chain, crowdFirst)
	_, query, _ := strings.Cut(s.link(t, company+"/socios?limite=7"), "?")
	cursor, _, _ := strings.Cut(query, "&")
	good := company + "/socios?" + query
	for _, accepted := range []string{
		good, company + "/socios?limite=7&" + cursor, s.link(t, company+"/socios?limite=20"),
		strings.ReplaceAll(s.link(t, company+"/socios"), "&limite=20", ""), // the limit of our link is the usual one
	} {
		if got := s.do(t, "GET", accepted); got.status != 200 {
			t.Errorf("%s: %d %s", accepted, got.status, got.body)
		}
	}
	for _, tt := range []struct{ path, code string }{
		{company + "/socios?" + cursor, "cursor_invalido"},
		{company + "/socios?" + cursor + "&limite=8", "cursor_invalido"},
		{company + "/estabelecimentos?" + query, "cursor_invalido"},
		{"/v2/empresas/" + fixture.Bakery + "/socios?" + query, "cursor_invalido"},
		{company + "/fontes/ceis?" + query, "cursor_invalido"},
		{establishment + "/fontes/ceis?" + strings.SplitN(s.link(t, company+"/fontes/ceis?limite=7"), "?", 2)[1], "cursor_invalido"},
		{company + "/fontes/cnep?" + strings.SplitN(s.link(t, company+"/fontes/ceis?limite=7"), "?", 2)[1], "cursor_invalido"},
		{company + "/socios?cursor=", "cursor_invalido"},
		{company + "/socios?cursor=abc&limite=7", "cursor_invalido"},
		{good[:len(good)-1] + "8", "cursor_invalido"},
		{company + "/socios?cursor=%00&limite=7", "cursor_invalido"},
		{good + "&" + cursor, "parametro_invalido"},
		{company + "/basic?" + query, "parametro_invalido"},
		{company + "/full?" + query, "parametro_invalido"},
		{establishment + "/full?" + query, "parametro_invalido"},
		{"/v2/empresas/00000001/socios?" + query, "cursor_invalido"}, // input comes before the resource
	} {
		checkError(t, s.do(t, "GET", tt.path), 400, tt.code)
	}
}

// TestCursorsEndWithTheirLoad publishes new loads of one source after another: only cursors of that
// source become 409.
func TestCursorsEndWithTheirLoad(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	crowded(t, l, 30, "pgfn", "ceis")
	s := start(t, l)
	const company = "/v2/empresas/" + fixture.Chain
	links := map[string]string{}
	for _, path := range []string{"socios", "estabelecimentos", "fontes/ceis", "fontes/pgfn"} {
		links[path] = s.link(t, company+"/"+path)
	}
	check := func(changed ...string) {
		t.Helper()
		for path, link := range links {
			got := s.do(t, "GET", link)
			gone := false
			for _, c := range changed {
				gone = gone || c == path
			}
			if gone {
				checkError(t, got, 409, "fotografia_alterada")
			} else if got.status != 200 {
				t.Errorf("%s after a load of others: %d %s", path, got.status, got.body)
			}
		}
	}
	former, err := l.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	firstLoad := former.LoadOf("ceis")
	former.Release()
	ceis, _ := source.Find("ceis")
	publish(t, l, map[string]int64{"ceis": storeCrowd(t, l.Store, ceis, rootOf(t, fixture.Chain), 30)})
	check("fontes/ceis")
	l.Ingest(t)
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("fontes/ceis", "socios", "estabelecimentos")
	publish(t, l, map[string]int64{"ceis": firstLoad})
	check("socios", "estabelecimentos") // what the cursor walks is back
	publish(t, l, map[string]int64{"ceis": storeCrowd(t, l.Store, ceis, rootOf(t, fixture.Bakery), 1)})
	check("fontes/ceis", "socios", "estabelecimentos") // also where the company has no records any more
}
