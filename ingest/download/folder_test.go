package download

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/web/fetch/fetchtest"
)

func TestFetchSendsNothingTwice(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	s := newSite(t, map[string][]byte{badPath: content})
	var sent []int64
	o, _ := s.options()
	o.Progress = func(_ string, done, _ int64) { sent = append(sent, done) }
	dir := t.TempDir()
	for range 2 {
		if err := s.fetchBad(t, dir, o); err != nil {
			t.Fatal(err)
		}
	}
	if s.times(badPath) != 2 || sent[len(sent)-1] != int64(len(content)) {
		t.Errorf("%d requests, progress %v", s.times(badPath), sent)
	}
	before := len(sent)
	cases := []struct {
		what   string
		change func() error
	}{
		{"the file was cut", func() error { return os.Truncate(filepath.Join(dir, badName), 5) }},
		{"the file is gone", func() error { return os.Remove(filepath.Join(dir, badName)) }},
		{"the manifest is gone", func() error { return os.Remove(filepath.Join(dir, manifestName)) }},
		{"it was published again", func() error { content = zipOf(t, "again"); s.Put(badPath, content); return nil }},
	}
	for _, tc := range cases {
		if err := tc.change(); err != nil {
			t.Fatal(err)
		}
		if err := s.fetchBad(t, dir, o); err != nil {
			t.Fatalf("%s: %v", tc.what, err)
		}
		if len(sent) == before {
			t.Errorf("%s: nothing was sent", tc.what)
		}
		before = len(sent)
		if diff := cmp.Diff(map[string]string{badName: string(content)}, filesIn(t, dir)); diff != "" {
			t.Errorf("%s: %s", tc.what, diff)
		}
	}
}

// quarter puts the files of a quarter of pgfn into the site and returns them.
func (s *site) quarter(t *testing.T, label string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, system := range []string{"Nao_Previdenciario", "Previdenciario", "FGTS"} {
		name := "Dados_abertos_" + system + ".zip"
		files[name] = string(zipOf(t, label+system))
		s.Put(label+"/"+name, []byte(files[name]))
	}
	return files
}

// TestFetchReplacesAllOrNothing downloads a new quarter over an old one, first without its last
// file.
func TestFetchReplacesAllOrNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	former, next := s.quarter(t, "2026_trimestre_01"), s.quarter(t, "2026_trimestre_02")
	busy := true
	s.hook = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if busy && r.URL.Path == "/2026_trimestre_02/Dados_abertos_FGTS.zip" {
			return answer503(w, r, 0)
		}
		return false
	}
	o, _ := s.options()
	dir := t.TempDir()
	fetch := func(period string) error {
		o.Period = period
		_, err := Fetch(t.Context(), "pgfn", dir, o)
		return err
	}
	if err := fetch("2026-03"); err != nil {
		t.Fatal(err)
	}
	if err := fetch("2026-06"); err == nil || !strings.Contains(err.Error(), "FGTS") {
		t.Fatalf("without a file: %v", err)
	}
	visible := map[string]string{}
	for name, content := range filesIn(t, dir) {
		if !strings.HasPrefix(name, ".") {
			visible[name] = content
		}
	}
	if diff := cmp.Diff(former, visible); diff != "" {
		t.Error(diff)
	}
	busy = false
	if err := fetch("2026-06"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(next, filesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
	if got := s.times("2026_trimestre_02/Dados_abertos_Previdenciario.zip"); got != 2 {
		t.Errorf("a file that was whole was asked for %d times", got)
	}
}

// TestFetchRepairsAMixture stops a download between two of its renames, as a crash would: the folder
// is marked until the next one has repaired it, which asks for nothing twice.
func TestFetchRepairsAMixture(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	former, next := s.quarter(t, "2026_trimestre_01"), s.quarter(t, "2026_trimestre_02")
	o, _ := s.options()
	dir := t.TempDir()
	bring := func(period string) (sent int64, err error) {
		o.Period = period
		o.Progress = func(_ string, done, _ int64) { sent += done }
		_, err = Fetch(t.Context(), "pgfn", dir, o)
		return sent, err
	}
	if _, err := bring("2026-03"); err != nil {
		t.Fatal(err)
	}
	const second = "Dados_abertos_Previdenciario.zip"
	obstacle := filepath.Join(dir, second) // no file can be renamed to a folder
	if err := errors.Join(os.Remove(obstacle), os.Mkdir(obstacle, 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := bring("2026-06"); err == nil {
		t.Fatal("a file took the place of a folder")
	}
	if err := errors.Join(os.Remove(obstacle), os.WriteFile(obstacle, []byte(former[second]), 0o600)); err != nil {
		t.Fatal(err)
	}
	mixture := filesIn(t, dir)
	if mixture["Dados_abertos_Nao_Previdenciario.zip"] != next["Dados_abertos_Nao_Previdenciario.zip"] {
		t.Fatal("the first file was not renamed")
	}
	if _, marked := mixture[MixedMark]; !marked {
		t.Errorf("the mixture is not marked: %v", slices.Sorted(maps.Keys(mixture)))
	}
	sent, err := bring("2026-06")
	if err != nil {
		t.Fatal(err)
	}
	if sent > 0 {
		t.Errorf("%d bytes were sent again", sent)
	}
	if diff := cmp.Diff(next, filesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
	if sent, err := bring("2026-06"); err != nil || sent > 0 {
		t.Errorf("afterwards %d bytes were sent, %v", sent, err)
	}
}

func TestFetchDeletesOnlyWhatItBrought(t *testing.T) {
	t.Parallel()
	first, second := zipOf(t, "first"), zipOf(t, "second")
	s := newSite(t, map[string][]byte{"ceis/20260929": first, "ceis/20260930": second})
	o, _ := s.options()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.csv"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, day := range []string{"2026-09-29", "2026-09-30"} {
		o.Period = day
		if _, err := Fetch(t.Context(), "ceis", dir, o); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{badName: string(second), "mine.csv": "mine"}
	if diff := cmp.Diff(want, filesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// TestFetchMovesOnToTheNextAddress must not continue with bytes from one address what another
// address sends.
func TestFetchMovesOnToTheNextAddress(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	s := newSite(t, map[string][]byte{
		autosCKAN:                    packageOf("/novo/auto_infracao_csv.zip"),
		"novo/auto_infracao_csv.zip": zipOf(t, "other"), autosPath: content,
	})
	s.hook = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if r.URL.Path != "/novo/auto_infracao_csv.zip" {
			return false
		}
		if nth == 1 {
			fetchtest.Half(w, r, zipOf(t, "other"))
		}
		return answer503(w, r, nth)
	}
	o, _ := s.options()
	dir := t.TempDir()
	for range 2 { // the second time the other address is still asked first, and still fails
		if _, err := Fetch(t.Context(), "ibama_autos", dir, o); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"auto_infracao_csv.zip": string(content)}, filesIn(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff([]string{"", ""}, s.Ranges(autosPath)); diff != "" {
		t.Error(diff)
	}
}

// TestFetchLeavesOneFile downloads the embargoes from the fallback address, then from the preferred
// one when it works again.
func TestFetchLeavesOneFile(t *testing.T) {
	t.Parallel()
	table, archive := "a;b\n"+strings.Repeat("1;2\n", 100), zipOf(t, "archive")
	s := newSite(t, map[string][]byte{embargoCSV: []byte(table), embargoZip: archive})
	busy := true
	s.hook = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		if !busy || r.URL.Path != "/"+embargoCSV {
			return false
		}
		if nth == 1 {
			fetchtest.Half(w, r, []byte(table))
		}
		return answer503(w, r, nth)
	}
	o, _ := s.options()
	dir := t.TempDir()
	for _, want := range []map[string]string{{"termo_embargo_csv.zip": string(archive)}, {"termo_embargo.csv": table}} {
		if _, err := Fetch(t.Context(), "ibama_embargos", dir, o); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, filesIn(t, dir)); diff != "" {
			t.Error(diff)
		}
		busy = false
	}
}

// TestFetchKnowsVersionsByDate uses Last-Modified with a server that sends no ETags.
func TestFetchKnowsVersionsByDate(t *testing.T) {
	t.Parallel()
	const date = "Wed, 30 Sep 2026 10:00:00 GMT"
	s := newSite(t, map[string][]byte{badPath: zipOf(t, "content")})
	s.hook = func(w http.ResponseWriter, r *http.Request, nth int) bool {
		w.Header().Del("ETag")
		w.Header().Set("Last-Modified", date)
		if nth == 1 {
			return false
		}
		if got := r.Header.Get("If-Modified-Since"); got != date {
			t.Errorf("asked for what is newer than %q", got)
		}
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	o, _ := s.options()
	dir := t.TempDir()
	for range 2 {
		if err := s.fetchBad(t, dir, o); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFetchChecksWhatAFormerRunLeft(t *testing.T) {
	t.Parallel()
	content := zipOf(t, "content")
	damaged := append([]byte("XX"), content[2:]...)
	for name, part := range map[string][]byte{"whole": content, "damaged": damaged} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string][]byte{badPath: content})
			dir := t.TempDir()
			f, err := New(Settings{}, 1, FollowRedirect).Open(dir, "ceis")
			if err != nil {
				t.Fatal(err)
			}
			v := Version{Address: s.URL + "/" + badPath, ETag: fetchtest.ETag(content), Bytes: int64(len(part))}
			if err := f.setPart(badName, v); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.part(badName), part, 0o600); err != nil {
				t.Fatal(err)
			}
			o, _ := s.options()
			var sent int64
			o.Progress = func(_ string, done, _ int64) { sent = done }
			if err := s.fetchBad(t, dir, o); err != nil {
				t.Fatal(err)
			}
			if (sent > 0) != (name == "damaged") {
				t.Errorf("%d bytes were sent", sent)
			}
			if diff := cmp.Diff(map[string]string{badName: string(content)}, filesIn(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFetchRefusesFolders(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	o, _ := s.options()
	for manifest, want := range map[string]string{`{"source":"cnep"}`: "folder of its own", `{"source":`: "delete it"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, manifestName), []byte(manifest), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.fetchBad(t, dir, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", manifest, err)
		}
	}
	if len(s.Requests()) > 0 {
		t.Errorf("asked for %v", s.Requests())
	}
}
