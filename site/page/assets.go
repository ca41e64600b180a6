package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

//go:embed static
var staticFiles embed.FS

// contentTypes replaces mime.TypeByExtension, whose table differs from machine to machine.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

// packedExt marks large files that are embedded compressed. They are served under the name without
// it, with Content-Encoding: gzip.
const packedExt = ".gz"

// cssComment matches comments, which are stripped from style sheets.
// Licences (/*!) are kept.
var cssComment = regexp.MustCompile(`(?s)/\*[^!].*?\*/\s*`)

// assets holds the embedded files under content-hashed names, which clients may cache forever.
type assets struct {
	hashed    map[string]string               // style.css → style.1f2e3d4c5b6a.css
	documents map[string]func() *web.Document // by hashed name; made at first use
}

// forever is the caching of assets.
var forever = web.Caching{For: web.Everyone, Age: web.Forever}

// embedded returns the assets, which are part of the program and the same for all servers.
var embedded = sync.OnceValues(loadAssets)

// loadAssets reads and hashes all files. Style sheets come last: file names in them are replaced by
// the hashed names before they are hashed themselves.
func loadAssets() (assets, error) {
	a := assets{hashed: map[string]string{}, documents: map[string]func() *web.Document{}}
	var references []string // pairs of old and new name, for strings.NewReplacer
	var sheets []string
	err := fs.WalkDir(staticFiles, "static", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if path.Ext(file) == ".css" {
			sheets = append(sheets, file)
			return nil
		}
		body, err := staticFiles.ReadFile(file)
		if err != nil {
			return err
		}
		if name, ok := strings.CutSuffix(path.Base(file), packedExt); ok {
			a.add(name, body, true)
			return nil
		}
		references = append(references, path.Base(file), a.add(path.Base(file), body, false))
		return nil
	})
	if err != nil {
		return assets{}, fmt.Errorf("read assets: %w", err)
	}
	rename := strings.NewReplacer(references...)
	for _, file := range sheets { // after the files that they refer to
		body, err := staticFiles.ReadFile(file)
		if err != nil {
			return assets{}, fmt.Errorf("read assets: %w", err)
		}
		a.add(path.Base(file), []byte(rename.Replace(cssComment.ReplaceAllString(string(body), ""))), false)
	}
	return a, nil
}

// add adds a file, which is packed if it is embedded with compression.
func (a assets) add(name string, file []byte, packed bool) (hashed string) {
	sum := sha256.Sum256(file)
	ext := path.Ext(name)
	hashed = strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	a.hashed[name] = hashed
	a.documents[hashed] = sync.OnceValue(func() *web.Document {
		if packed {
			return web.NewDocument(contentTypes[ext], forever, unpack(file), file)
		}
		return web.NewDocument(contentTypes[ext], forever, file, nil)
	})
	return hashed
}

// Asset returns the content-hashed path of the asset with a file name, such as "style.css". An
// unknown name is fs.ErrNotExist, which fails the template.
func Asset(name string) (string, error) {
	a, err := embedded()
	if err != nil {
		return "", err
	}
	hashed, ok := a.hashed[name]
	if !ok {
		return "", fmt.Errorf("asset %s: %w", name, fs.ErrNotExist)
	}
	return "/static/" + hashed, nil
}

// Assets returns the paths of assets, separated by blanks.
func Assets(names ...string) (string, error) {
	paths := make([]string, len(names))
	for i, name := range names {
		var err error
		if paths[i], err = Asset(name); err != nil {
			return "", err
		}
	}
	return strings.Join(paths, " "), nil
}

// Static answers /static/{asset} with Cache-Control: immutable. Unknown names are 404, also hashes
// of earlier versions.
func (s *Server) Static(c *gin.Context) {
	document, ok := s.assets.documents[c.Param("asset")]
	if !ok {
		s.Fail(c, ErrUnknownPath)
		return
	}
	document().Send(c)
}

func unpack(packed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Errorf("unpack asset: %w", err)) // the files are part of the program
	}
	body, err := io.ReadAll(r)
	if err != nil {
		panic(fmt.Errorf("unpack asset: %w", err))
	}
	return body
}
