package indexstore

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"razao/index/folder"
)

// FuzzListing parses arbitrary listings, as they are and with a fitting checksum. Accepted ones
// stay inside the folder of their index and survive a round trip.
func FuzzListing(f *testing.F) {
	since := time.Date(2026, 11, 2, 3, 4, 5, 6, time.UTC)
	sum := strings.Repeat("0a", 32)
	for _, l := range []listing{
		{Version: listingVersion, Index: "000001", Files: []folder.File{{Path: folder.ManifestName, Bytes: 9, SHA256: sum}, {Path: "sources/pgfn-000002", Bytes: 1, SHA256: sum}}},
		{Version: listingVersion, Index: "000001", Files: []folder.File{{Path: folder.ManifestName, SHA256: sum}}, Unneeded: &since},
		{Version: listingVersion, Index: "000001", Files: []folder.File{{Path: folder.ManifestName, SHA256: sum}, {Path: "sources/../../x-1", SHA256: sum}}},
	} {
		body, err := l.encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(body), false)
		f.Add([]byte(body), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, fitting bool) {
		var l listing
		if fitting && json.Unmarshal(body, &l) == nil {
			if text, err := l.encode(); err == nil {
				body = []byte(text)
			}
		}
		got, err := parseListing(body, "000001")
		if err != nil {
			if !errors.Is(err, errListing) {
				t.Errorf("%v", err)
			}
			return
		}
		for _, f := range got.Files {
			if !fs.ValidPath(f.Path) || f.Path != folder.ManifestName && strings.Count(f.Path, "/") != 1 || f.Bytes < 0 || len(f.SHA256) != 64 {
				t.Errorf("accepted %+v", f)
			}
		}
		text, err := got.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseListing([]byte(text), "000001"); err != nil {
			t.Errorf("written again: %v", err)
		}
	})
}
