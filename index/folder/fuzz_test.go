package folder

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzRead reads arbitrary manifests, as they are and with a fitting checksum.
func FuzzRead(f *testing.F) {
	dir := f.TempDir()
	m := Manifest{Format: Format}
	if err := m.Write(dir); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, false)
	f.Add(bytes.Replace(whole, []byte(`"files": null`), []byte(`"files": [{"path": "../../x", "bytes": 1}]`), 1), true)
	for _, path := range []string{".", "", "..", "a/.", "a//b", "a/", "/a", "a/../b"} {
		f.Add(bytes.Replace(whole, []byte(`"files": null`), []byte(`"files": [{"path": "`+path+`"}]`), 1), true)
	}
	f.Add(bytes.Replace(whole, []byte(`"shards": null`), []byte(`"shards": [{"path": "../../x", "docs": 1}]`), 1), true)
	f.Add([]byte("{\"Sum\":\"0\"\n}"), true)
	f.Fuzz(func(t *testing.T, body []byte, fitting bool) {
		if n := len(body) - len(manifestEnd) - 64; fitting && n >= 0 {
			if sum := sumOfManifest(body); sum != "" {
				copy(body[n:], sum)
			}
		}
		if parsed, err := Parse(body); err == nil && slices.ContainsFunc(parsed.Files, func(f File) bool {
			return f.Path == "." || !filepath.IsLocal(f.Path) || filepath.Clean(f.Path) != f.Path
		}) {
			t.Errorf("accepted what is no file: %+v", parsed.Files)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ManifestName), body, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := Read(dir)
		switch {
		case err == nil && (m.Format != Format || m.Sum != sumOfManifest(body)):
			t.Errorf("accepted: %+v", m)
		case err == nil && slices.ContainsFunc(m.Files, func(f File) bool { return !filepath.IsLocal(f.Path) }):
			t.Errorf("accepted files outside the folder: %+v", m.Files)
		case err == nil && slices.ContainsFunc(m.Shards, func(s Shard) bool { return !filepath.IsLocal(s.Path) }):
			t.Errorf("accepted shards outside the folder: %+v", m.Shards)
		case err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat):
			t.Errorf("%v", err)
		}
	})
}
