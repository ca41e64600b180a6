package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestParseChecksShards: shards are opened by their paths, so a manifest from an index store must
// not name one outside the folder (path traversal), nor one of which no file is verified.
func TestParseChecksShards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shard Shard
		want  error
	}{
		{Shard{Path: "shard", Docs: 3}, nil},
		{Shard{Path: "shard"}, nil},
		{Shard{Path: "shard", Docs: -1}, ErrDamaged},
		{Shard{Path: "../shard", Docs: 3}, ErrDamaged},
		{Shard{Path: "shard/../../other", Docs: 3}, ErrDamaged},
		{Shard{Path: "shard/../shard", Docs: 3}, ErrDamaged},
		{Shard{Path: "/shard", Docs: 3}, ErrDamaged},
		{Shard{Path: "shard/", Docs: 3}, ErrDamaged},
		{Shard{Path: "", Docs: 3}, ErrDamaged},
		{Shard{Path: ".", Docs: 3}, ErrDamaged},
		{Shard{Path: "unlisted", Docs: 3}, ErrDamaged},
		{Shard{Path: "sha", Docs: 3}, ErrDamaged}, // a prefix of the name only
		{Shard{Path: "one", Docs: 3}, ErrDamaged}, // a file, no folder
	} {
		t.Run(fmt.Sprintf("%q of %d", c.shard.Path, c.shard.Docs), func(t *testing.T) {
			t.Parallel()
			dir, m := sound(t)
			m.Shards = []Shard{c.shard}
			if err := m.Write(dir); err != nil {
				t.Fatal(err)
			}
			body, err := os.ReadFile(filepath.Join(dir, ManifestName))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Parse(body); !errors.Is(err, c.want) {
				t.Errorf("Parse: %v, want %v", err, c.want)
			}
		})
	}
}
