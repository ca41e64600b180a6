package download

import (
	"context"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"razao/internal/web/fetch"
)

// Address downloads the file at an address that an operator named into an empty folder, and returns
// its path. The file is named as the server names it.
func Address(ctx context.Context, address, dir string, s Settings) (string, error) {
	const failures, unnamed = 3, "arquivo"
	d := New(s, failures, FollowRedirect)
	d.Retry.Stop = "Ctrl-C stops it" // dir is temporary: the next run begins again
	name := ""
	d.answered = func(a *fetch.Answer) { name = fileName(a.Response) }
	f, err := d.Open(dir, address)
	if err != nil {
		return "", err
	}
	if _, err := f.Fetch(ctx, []File{{Origins: []Origin{{Address: address, Name: unnamed}}}}); err != nil {
		return "", err
	}
	file := filepath.Join(dir, name)
	return file, os.Rename(filepath.Join(dir, unnamed), file)
}

// fileName returns the base name under which the server offers the file (Content-Disposition), else
// the last part of the address after redirects. It never contains a separator or begins with a dot,
// so the server cannot choose where the file is written.
func fileName(res *http.Response) string {
	name := path.Base(res.Request.URL.Path)
	if _, params, err := mime.ParseMediaType(res.Header.Get("Content-Disposition")); err == nil && params["filename"] != "" {
		name = path.Base(strings.ReplaceAll(params["filename"], `\`, "/"))
	}
	if strings.HasPrefix(name, ".") || name == "/" {
		return "arquivo"
	}
	return name
}
