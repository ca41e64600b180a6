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
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

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

// cssComment matches comments, which are stripped from style sheets to save 600 bytes per page.
// Licences (/*!) are kept.
var cssComment = regexp.MustCompile(`(?s)/\*[^!].*?\*/\s*`)

// assets holds the embedded files under content-hashed names, which clients may cache forever.
type assets struct {
	hashed map[string]string // style.css → style.1f2e3d4c5b6a.css
	files  map[string][]byte // by hashed name
	packed map[string][]byte // gzip-compressed files, by hashed name
}

// loadAssets reads and hashes all files. Style sheets come last: file names in them are replaced by
// the hashed names before they are hashed themselves.
func loadAssets() (assets, error) {
	a := assets{hashed: map[string]string{}, files: map[string][]byte{}, packed: map[string][]byte{}}
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
			a.addTo(a.packed, name, body)
			return nil
		}
		references = append(references, path.Base(file), a.add(path.Base(file), body))
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
		a.add(path.Base(file), []byte(rename.Replace(cssComment.ReplaceAllString(string(body), ""))))
	}
	return a, nil
}

func (a assets) add(name string, body []byte) (hashed string) { return a.addTo(a.files, name, body) }

func (a assets) addTo(files map[string][]byte, name string, body []byte) (hashed string) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	hashed = strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	a.hashed[name] = hashed
	files[hashed] = body
	return hashed
}

// url returns the path of an asset. An unknown name is fs.ErrNotExist, which fails the template.
func (a assets) url(name string) (string, error) {
	hashed, ok := a.hashed[name]
	if !ok {
		return "", fmt.Errorf("asset %s: %w", name, fs.ErrNotExist)
	}
	return "/static/" + hashed, nil
}

// AssetURL returns the content-hashed path of the asset with a file name, such as "style.css". The
// error is fs.ErrNotExist.
func (s *Server) AssetURL(name string) (string, error) { return s.assets.url(name) }

// Static answers /static/{asset} with Cache-Control: immutable. Unknown names are 404, also hashes
// of earlier versions.
func (s *Server) Static(c *gin.Context) {
	forever := web.Caching{For: web.Everyone, Age: web.Forever}
	name := c.Param("asset")
	kind := contentTypes[path.Ext(name)]
	if packed, ok := s.assets.packed[name]; ok {
		forever.Set(c, http.StatusOK)
		sendPacked(c, kind, packed)
		return
	}
	body, ok := s.assets.files[name]
	if !ok {
		s.Fail(c, ErrUnknownPath)
		return
	}
	s.Sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: kind, ETag: web.ETag(body), Caching: forever, Body: body})
}

// sendPacked sends a compressed asset as it is, or unpacked to clients without gzip.
func sendPacked(c *gin.Context, kind string, packed []byte) {
	body := packed
	if acceptsGzip(c.GetHeader("Accept-Encoding")) {
		c.Header("Content-Encoding", "gzip")
	} else {
		body = unpack(packed)
	}
	c.Header("Vary", "Accept-Encoding")
	c.Header("Content-Length", strconv.Itoa(len(body)))
	c.Data(http.StatusOK, kind, body)
}

// acceptsGzip reports whether an Accept-Encoding header (RFC 9110 §12.5.3) names gzip with a weight
// above 0.
func acceptsGzip(header string) bool {
	for item := range strings.SplitSeq(header, ",") {
		coding, weight, _ := strings.Cut(item, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
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
