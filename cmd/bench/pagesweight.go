package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
)

const weighedPages = 200 // of a kind

// asset is a file that pages need.
type asset struct {
	path          string
	plain, packed int // bytes, as browsers take it
}

// weight is what the pages of a kind weigh, in bytes. What they need besides is that of the heaviest.
type weight struct {
	plain, packed          int // in the middle
	heaviest               int // packed
	sheets, scripts, fonts int // packed
}

// total is what somebody who comes to the heaviest page for the first time takes.
func (w *weight) total() int { return w.heaviest + w.sheets + w.scripts + w.fonts }

// weigher reads pages as they are sent and remembers what they need.
type weigher struct {
	address string
	assets  []asset
}

// weigh reads some of the pages at paths.
func (w *weigher) weigh(ctx context.Context, header string, paths []string) (weight, error) {
	var all weight
	var plain, packed []int
	for _, path := range paths[:min(weighedPages, len(paths))] {
		body, size, err := w.get(ctx, path, header)
		if err != nil {
			return all, err
		}
		plain, packed = append(plain, len(body)), append(packed, size)
		if size > all.heaviest {
			all.heaviest = size
			if err := w.needs(ctx, &all, body); err != nil {
				return all, err
			}
		}
	}
	slices.Sort(plain)
	slices.Sort(packed)
	all.plain, all.packed = plain[len(plain)/2], packed[len(packed)/2]
	return all, nil
}

var assetLink = regexp.MustCompile(`(?:href|src)="(/static/[^"]+\.(?:css|js|woff2))"`)

// needs weighs what a page names.
func (w *weigher) needs(ctx context.Context, all *weight, page []byte) error {
	all.sheets, all.scripts, all.fonts = 0, 0, 0
	for _, link := range assetLink.FindAllSubmatch(page, -1) {
		a, err := w.asset(ctx, string(link[1]))
		if err != nil {
			return err
		}
		switch path.Ext(a.path) {
		case ".css":
			all.sheets += a.packed
		case ".js":
			all.scripts += a.packed
		case ".woff2":
			all.fonts += a.packed
		}
	}
	return nil
}

func (w *weigher) asset(ctx context.Context, path string) (asset, error) {
	if i := slices.IndexFunc(w.assets, func(a asset) bool { return a.path == path }); i >= 0 {
		return w.assets[i], nil
	}
	body, size, err := w.get(ctx, path, "")
	if err != nil {
		return asset{}, err
	}
	a := asset{path, len(body), size}
	w.assets = append(w.assets, a)
	return a, nil
}

// get reads what is at a path, which must be there, and returns its body with the bytes that were sent for it. header is ""
// or one line.
func (w *weigher) get(ctx context.Context, path, header string) (body []byte, sent int, err error) {
	resp, err := w.send(ctx, path, header)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, 0, fmt.Errorf("ask for %s: status %s", path, resp.Status)
	}
	packed, err := io.ReadAll(resp.Body)
	if err == nil {
		body, err = decoded(resp, packed)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", path, err)
	}
	return body, len(packed), nil
}

// send asks as browsers do, who take compressed answers and follow redirections.
func (w *weigher) send(ctx context.Context, path, header string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+w.address+path, nil)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", path, err)
	}
	r.Header.Set("Accept-Encoding", "gzip") // said here, so that the client hands on what is sent
	if name, value, ok := strings.Cut(strings.TrimSpace(header), ": "); ok {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", path, err)
	}
	return resp, nil
}

// decoded returns the content of an answer.
func decoded(resp *http.Response, sent []byte) ([]byte, error) {
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return sent, nil
	}
	return unpacked(sent)
}

func unpacked(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
