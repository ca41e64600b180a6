package ask

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/klauspost/compress/gzip"
)

const weighedPages = 200 // of a kind

// weight is what the pages of a kind weigh, in bytes.
type weight struct {
	plain, packed int // in the middle
	heaviest      int // packed
	needs         int // by the heaviest besides: style sheets, scripts and fonts, packed
}

// total is what somebody who comes to the heaviest page for the first time takes.
func (w *weight) total() int { return w.heaviest + w.needs }

// weigher reads pages as browsers take them, compressed, and remembers what their assets weigh.
type weigher struct {
	client *client
	assets map[string]int // packed bytes
}

func newWeigher(ctx context.Context, address string) (*weigher, error) {
	c, err := dial(ctx, address)
	return &weigher{client: c, assets: map[string]int{}}, err
}

func (w *weigher) close() error { return w.client.conn.Close() }

// get returns a page and the bytes that were sent for it. header is "" or further lines of the request.
func (w *weigher) get(path, header string) (page []byte, sent int, err error) {
	sent, err = w.client.send([]byte(path), []byte("Accept-Encoding: gzip\r\n"+header), nil)
	page = bytes.Clone(w.client.body.Bytes())
	if err != nil || !bytes.HasPrefix(page, []byte("\x1f\x8b")) {
		return page, sent, err
	}
	zip, err := gzip.NewReader(bytes.NewReader(page))
	if err == nil {
		page, err = io.ReadAll(zip)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("unpack %s: %w", path, err)
	}
	return page, sent, nil
}

// weigh reads some of the pages at paths.
func (w *weigher) weigh(header string, paths []string) (weight, error) {
	var all weight
	var plain, packed []int
	for _, path := range paths[:min(weighedPages, len(paths))] {
		page, size, err := w.get(path, header)
		if err != nil {
			return all, err
		}
		plain, packed = append(plain, len(page)), append(packed, size)
		if size > all.heaviest {
			all.heaviest = size
			if all.needs, err = w.needs(page); err != nil {
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
func (w *weigher) needs(page []byte) (all int, err error) {
	for _, link := range assetLink.FindAllSubmatch(page, -1) {
		asset := string(link[1])
		if w.assets[asset] == 0 {
			if _, w.assets[asset], err = w.get(asset, ""); err != nil {
				return 0, err
			}
		}
		all += w.assets[asset]
	}
	return all, nil
}
