package site

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

//go:embed static
var staticFiles embed.FS

// contentTypes are fixed here because the system's own table differs from machine to machine.
var contentTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

// assets are the embedded files under names that carry a hash of their content.
type assets struct {
	hashed map[string]string // style.css → style.1f2e3d4c5b6a.css
	files  map[string][]byte // by hashed name
}

func loadAssets() (assets, error) {
	a := assets{hashed: map[string]string{}, files: map[string][]byte{}}
	var references []string // old and new names in turn
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
		references = append(references, path.Base(file), a.add(path.Base(file), body))
		return err
	})
	if err != nil {
		return assets{}, fmt.Errorf("read assets: %w", err)
	}
	rename := strings.NewReplacer(references...)
	for _, file := range sheets { // last, because they name the others
		body, err := staticFiles.ReadFile(file)
		if err != nil {
			return assets{}, fmt.Errorf("read assets: %w", err)
		}
		a.add(path.Base(file), []byte(rename.Replace(string(body))))
	}
	return a, nil
}

func (a assets) add(name string, body []byte) (hashed string) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	hashed = strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	a.hashed[name] = hashed
	a.files[hashed] = body
	return hashed
}

// url returns the address of an asset. An unknown name fails the template that asks for it.
func (a assets) url(name string) (string, error) {
	hashed, ok := a.hashed[name]
	if !ok {
		return "", fmt.Errorf("asset %s: %w", name, fs.ErrNotExist)
	}
	return "/static/" + hashed, nil
}

func (s *Site) static(c *gin.Context) {
	name := c.Param("asset")
	body, ok := s.assets.files[name]
	if !ok {
		s.NotFound(c)
		return
	}
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	s.sender.Send(c, web.Reply{Status: http.StatusOK, ContentType: contentTypes[path.Ext(name)], ETag: web.ETag(body), Body: body})
}
