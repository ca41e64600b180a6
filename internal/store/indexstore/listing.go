package indexstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"razao/index/flags"
	"razao/index/folder"
)

// listingVersion is the version of listings that this program writes and reads.
const listingVersion = 1

// Bounds of what is read into memory.
const (
	maxListing  = 1 << 20
	maxManifest = 64 << 20
)

// listing says what the store has of an index.
type listing struct {
	Version  int           `json:"version"`
	Index    string        `json:"index"`                    // folder name
	Files    []folder.File `json:"files"`                    // the manifest first, then flags
	Unneeded *time.Time    `json:"unneeded_since,omitempty"` // since when no load needs it; nil while one does
	Sum      string        `json:"sha256"`                   // SHA-256 of the encoding with an empty Sum
}

// errListing is the error of a listing that is damaged, of another version, or of another index.
var errListing = errors.New("listing in the index store damaged: `razao publish` writes it again")

// encode returns the listing in JSON, with its checksum.
func (l listing) encode() (string, error) {
	var err error
	if l.Sum, err = l.sum(); err != nil {
		return "", err
	}
	body, err := json.MarshalIndent(l, "", "  ")
	return string(body), err
}

// sum returns the checksum that belongs into Sum.
func (l listing) sum() (string, error) {
	l.Sum = ""
	body, err := json.Marshal(l)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:]), err
}

// parseListing decodes the listing of an index and checks version, checksum, index and paths. Only
// flags are accepted beside the manifest, which rules out path traversal. The error is errListing.
func parseListing(body []byte, index string) (*listing, error) {
	var l listing
	if err := json.Unmarshal(body, &l); err != nil {
		return nil, fmt.Errorf("%w (%w)", errListing, err)
	}
	if l.Version != listingVersion {
		return nil, fmt.Errorf("%w (it has version %d, this program reads %d)", errListing, l.Version, listingVersion)
	}
	if sum, err := l.sum(); err != nil || sum != l.Sum {
		return nil, fmt.Errorf("%w (its content has changed)", errListing)
	}
	if l.Index != index {
		return nil, fmt.Errorf("%w (it is of %q, not of %q)", errListing, l.Index, index)
	}
	for i, f := range l.Files {
		if isFile(f) && (i == 0 && f.Path == folder.ManifestName || i > 0 && flags.IsPath(f.Path)) {
			continue
		}
		return nil, fmt.Errorf("%w (file %d is %q)", errListing, i, f.Path)
	}
	if len(l.Files) == 0 {
		return nil, fmt.Errorf("%w (it names no manifest)", errListing)
	}
	return &l, nil
}

// contentSum matches a checksum; anything else would be a foreign name in the store.
var contentSum = regexp.MustCompile(`^[0-9a-f]{64}$`)

// isFile reports whether f has a plausible size and checksum.
func isFile(f folder.File) bool { return f.Bytes >= 0 && contentSum.MatchString(f.SHA256) }

// manifest returns the entry of the manifest.
func (l *listing) manifest() folder.File { return l.Files[0] }

// flags returns the entry of the flags at path, false when the store lacks them.
func (l *listing) flags(path string) (folder.File, bool) {
	for _, f := range l.Files[1:] {
		if f.Path == path {
			return f, true
		}
	}
	return folder.File{}, false
}

// readListing reads the listing of an index. The error is errListing, or that of the store:
// fs.ErrNotExist when there is none.
func readListing(ctx context.Context, s Store, index string) (*listing, error) {
	body, err := readSmall(ctx, s, listingsPrefix+index, maxListing)
	if err != nil {
		return nil, err
	}
	return parseListing(body, index)
}

// readManifest reads and verifies the manifest of a listing. A manifest of another format version
// is returned together with folder.ErrFormat: Sweep needs its files.
func readManifest(ctx context.Context, s Store, l *listing) (folder.Manifest, []byte, error) {
	f := l.manifest()
	body, err := readSmall(ctx, s, contentName(f.SHA256), maxManifest)
	if err != nil {
		return folder.Manifest{}, nil, err
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != f.SHA256 {
		return folder.Manifest{}, nil, fmt.Errorf("%s of index %s in %s: %w", f.Path, l.Index, s, &contentError{f, int64(len(body)), hex.EncodeToString(sum[:])})
	}
	m, err := folder.Parse(body)
	for _, f := range m.Files {
		if !isFile(f) {
			return m, nil, fmt.Errorf("%w (%s has no checksum)", folder.ErrDamaged, f.Path)
		}
	}
	return m, body, err
}
