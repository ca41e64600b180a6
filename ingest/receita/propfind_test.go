package receita

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/web/fetch/fetchtest"
)

func TestParseListing(t *testing.T) {
	t.Parallel()
	dir := fetchtest.FolderXML(shareRoot + "/2026-09/")
	cases := map[string]struct {
		body string
		want []entry
	}{
		"empty folder": {dir, nil},
		"file":         {dir + fetchtest.FileXML(shareRoot+"/2026-09/Cnaes.zip", 7, `"a"`), []entry{{name: "Cnaes.zip", bytes: 7, etag: `"a"`}}},
		"folder last":  {fetchtest.FileXML(shareRoot+"/2026-09/Cnaes.zip", 7, `"a"`) + dir, []entry{{name: "Cnaes.zip", bytes: 7, etag: `"a"`}}},
		"whole addresses": {
			fetchtest.FolderXML("https://h/2026-09/") + fetchtest.FileXML("https://h/2026-09/Cnaes.zip", 7, `"a"`),
			[]entry{{name: "Cnaes.zip", bytes: 7, etag: `"a"`}},
		},
		"root of a host":   {fetchtest.FolderXML("/") + fetchtest.FolderXML("/2026-09/"), []entry{{name: "2026-09", folder: true, etag: `"f"`}}},
		"escaped name":     {dir + fetchtest.FileXML(shareRoot+"/2026-09/Cna%65s.zip", 7, `"a"`), []entry{{name: "Cnaes.zip", bytes: 7, etag: `"a"`}}},
		"escaped slash":    {dir + fetchtest.FileXML(shareRoot+"/2026-09/..%2fCnaes.zip", 7, `"a"`), []entry{{name: "../Cnaes.zip", bytes: 7, etag: `"a"`}}},
		"deeper":           {dir + fetchtest.FileXML(shareRoot+"/2026-09/old/Cnaes.zip", 7, `"a"`), nil},
		"traversal":        {dir + fetchtest.FileXML(shareRoot+"/2026-09/../2026-09/Cnaes.zip", 7, `"a"`), nil},
		"bad escape":       {dir + fetchtest.FileXML(shareRoot+"/2026-09/Cnaes%zz.zip", 7, `"a"`), nil},
		"unusable values":  {dir + fetchtest.FileXML(shareRoot+"/2026-09/Cnaes.zip", -7, "a\nb"), []entry{{name: "Cnaes.zip"}}},
		"refused property": {dir + strings.ReplaceAll(fetchtest.FileXML(shareRoot+"/2026-09/Cnaes.zip", 7, `"a"`), "200 OK", "403 Forbidden"), []entry{{name: "Cnaes.zip"}}},
	}
	for name, tc := range cases {
		got, err := parseListing([]byte(fetchtest.ListingXML(tc.body)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(entry{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, body := range []string{"", "PK", "<html></html>", `<multistatus></multistatus>`, `<d:multistatus xmlns:d="DAV:"><d:response>`} {
		if got, err := parseListing([]byte(body)); err == nil {
			t.Errorf("%q gave %v", body, got)
		}
	}
}

func TestNamesOfAReleaseOnly(t *testing.T) {
	t.Parallel()
	var entries []entry
	for _, name := range []string{"../Cnaes.zip", "/Cnaes.zip", `..\Cnaes.zip`, "cnaes.zip", "Cnaes.zip ", "Empresas01.zip", "Empresas1000.zip", "Empresas-1.zip", "Empresas0", "Cnaes.zip.part", "K3241.K03200Y0.D60912.EMPRECSV.zip", "manifest.json", "."} {
		entries = append(entries, entry{name: name, bytes: 1, etag: `"a"`})
	}
	entries = append(entries, entry{name: "Simples.zip", folder: true, bytes: 1, etag: `"a"`}, entry{name: "Motivos.zip", bytes: 1}, entry{name: "Paises.zip", etag: `"a"`})
	if l := pick(entries, Accept{}); len(l.Files) != 0 || !slices.Equal(l.Missing, releaseNames()) || len(l.Unread) != 13 {
		t.Errorf("got %+v", l)
	}
}

func FuzzParseListing(f *testing.F) {
	f.Add([]byte(fetchtest.ListingXML(fetchtest.FolderXML("/x/") + fetchtest.FileXML("/x/Cnaes.zip", 7, `"a"`))))
	f.Add([]byte(fetchtest.ListingXML(fetchtest.FolderXML("https://h") + fetchtest.FileXML("https://h/..%2fCnaes.zip", 0, ""))))
	f.Add([]byte(`<multistatus xmlns="DAV:"><response><href>/</href><propstat><prop><getetag>W/"1"</getetag></prop></propstat></response></multistatus>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		entries, err := parseListing(body)
		if err != nil && entries != nil {
			t.Fatalf("entries beside %v", err)
		}
		for _, e := range entries {
			if e.name == "" || e.bytes < 0 || e.etag != "" && !isETag(e.etag) {
				t.Fatalf("%+v", e)
			}
		}
		l := pick(entries, Accept{})
		if len(l.Files)+len(l.Missing) < len(releaseNames()) {
			t.Fatalf("%d files and %d missing", len(l.Files), len(l.Missing))
		}
		for _, file := range l.Files {
			if !tableAndNumber(file.Name) || slices.Contains(l.Missing, file.Name) || file.Bytes <= 0 || file.ETag == "" {
				t.Fatalf("%+v", file)
			}
		}
	})
}

// tableAndNumber is the strict form of a name that may become a path.
func tableAndNumber(name string) bool {
	for _, l := range layouts() {
		rest, ok := strings.CutPrefix(name, l.zip)
		digits, zip := strings.CutSuffix(rest, ".zip")
		if ok && zip && len(digits) <= 3 && strings.Trim(digits, "0123456789") == "" {
			return true
		}
	}
	return false
}
