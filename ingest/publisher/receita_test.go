package publisher

import (
	"bytes"
	"encoding/binary"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path"
	"strings"
	"testing"

	"razao/ingest"
	"razao/ingest/download"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/internal/web/fetch/fetchtest"
)

// putMonth publishes the invented release at the share as a real one of a month.
func putMonth(t *testing.T, site *fetchtest.Site, month string) {
	t.Helper()
	for _, f := range fixture.Published(t, month).Files {
		content, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		member := strings.TrimSuffix(f.Name, ".zip")
		site.Put("share/"+month+"/"+f.Name, sourcefiles.Zip(t, map[string]string{member: string(content)}))
	}
}

// TestMonthsThatCannotBeTaken: a month that has not begun, is listed and gone, or is broken does not keep out those
// before and after it, but trouble that may pass is no absence.
func TestMonthsThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-07"))
	site := fetchtest.NewSite(t, nil)
	for _, month := range []string{"2026-08", "2026-09", "2062-10", "2099-12"} {
		putMonth(t, site, month)
	}
	answers := map[string]int{} // statuses in place of files and folders
	site.Answer = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		status, misbehaves := answers[path.Clean(r.URL.Path)]
		if misbehaves {
			w.WriteHeader(status)
		}
		return misbehaves
	}
	var log bytes.Buffer
	p := &Publishers{
		Ingester: l.Ingester, Dir: t.TempDir(), Receita: site.URL + "/share/", Log: slog.New(slog.NewTextHandler(&log, nil)),
	}
	load := func() error {
		t.Helper()
		log.Reset()
		_, err := p.LoadReceita(t.Context(), Release{Options: ingest.Options{Unattended: true}})
		return err
	}
	served := func(want string) {
		t.Helper()
		if now, err := l.Ingester.Served(t.Context(), registry.Receita); err != nil || now.Period != want {
			t.Errorf("%+v is served, want %s: %v", now, want, err)
		}
	}

	answers["/share/2026-09"] = http.StatusForbidden
	if err := load(); !errors.As(err, new(*UnreachableError)) {
		t.Errorf("a folder that lets nobody in: %v", err)
	}
	served("2026-07")
	answers["/share/2026-09"] = http.StatusNotFound
	if err := load(); err != nil {
		t.Errorf("a folder that is gone: %v", err)
	}
	served("2026-08")
	for _, want := range []string{"month=2062-10", "month=2099-12", "month=2026-09"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%s is not in\n%s", want, &log)
		}
	}
	for _, r := range site.Requests() {
		if strings.Contains(r.Path, "2062-10") || strings.Contains(r.Path, "2099-12") {
			t.Errorf("asked for %s", r.Path)
		}
	}

	delete(answers, "/share/2026-09")
	answers["/share/2026-09/Empresas3.zip"] = http.StatusGone
	if err := load(); !errors.As(err, new(*ingest.CurrentError)) || !strings.Contains(log.String(), "Empresas3.zip") {
		t.Errorf("a file that is gone: %v\n%s", err, &log)
	}
	delete(answers, "/share/2026-09/Empresas3.zip")
	whole := site.File("share/2026-09/Empresas3.zip")
	bomb := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(bomb[bytes.Index(bomb, []byte("PK\x01\x02"))+24:], 1<<31) // bytes that it unpacks to
	site.Put("share/2026-09/Empresas3.zip", bomb)
	if err := load(); !errors.Is(err, download.ErrBroken) || errors.As(err, new(*ingest.CurrentError)) {
		t.Errorf("a file that is a bomb: %v", err)
	}
	served("2026-08")
	site.Put("share/2026-09/Empresas3.zip", whole)
	if err := load(); err != nil {
		t.Errorf("the month is whole: %v", err)
	}
	served("2026-09")

	// What arrives whole may be no release either, which is known when it is opened.
	putMonth(t, site, "2026-10")
	member := func(name string) []byte {
		return sourcefiles.Zip(t, map[string]string{name: "\"00000001\";\"EMPRESA\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n"})
	}
	first := true
	for what, file := range map[string][]byte{
		"published in another month": member("K3241.K03200Y3.D60912.EMPRECSV"),
		"is not a Empresas file":     member("K3241.K03200Y3.D61010.SOCIOCSV"),
		"has 2 members":              sourcefiles.Zip(t, map[string]string{"Empresas3": "", "b": ""}),
		"has 3 columns":              sourcefiles.Zip(t, map[string]string{"Empresas3": strings.Repeat("\"1\";\"2\";\"3\"\n", 20)}),
		"written in UTF-8":           sourcefiles.Zip(t, map[string]string{"Empresas3": strings.Repeat("\"00000001\";\"AÇÃO\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n", 20)}),
	} {
		site.Put("share/2026-10/Empresas3.zip", file)
		if first { // the month before was published again
			site.Put("share/2026-09/Motivos.zip", sourcefiles.Zip(t, map[string]string{"Motivos": "\"00\";\"SEM MOTIVO\"\n"}))
		}
		before, err := l.Ingester.Served(t.Context(), registry.Receita)
		if err != nil {
			t.Fatal(err)
		}
		err = load()
		if now, _ := l.Ingester.Served(t.Context(), registry.Receita); first != (err == nil) || first == (now.ID == before.ID) || now.Period != "2026-09" {
			t.Errorf("%s: %v, load %d after %d is served", what, err, now.ID, before.ID)
		}
		if !first && (!strings.Contains(err.Error(), what) || errors.As(err, new(*ingest.CurrentError))) || !strings.Contains(log.String(), "month=2026-10") || !strings.Contains(log.String(), what) {
			t.Errorf("%s: %v\n%s", what, err, &log)
		}
		first = false
	}
	putMonth(t, site, "2026-10")
	if err := load(); err != nil {
		t.Errorf("the month is right: %v", err)
	}
	served("2026-10")

	// One that had not begun was loaded, as before months were checked.
	l.Publish(t, fixture.Published(t, "2062-10"))
	putMonth(t, site, "2026-11")
	if err := load(); err != nil {
		t.Errorf("after a month that has not begun: %v", err)
	}
	served("2026-11")
	future := fixture.Published(t, "2062-11")
	if _, err := l.Ingester.Receita(t.Context(), &future, ingest.Options{}); !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "has not begun") {
		t.Errorf("from a folder: %v", err)
	}
}
