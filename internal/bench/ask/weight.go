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

const weighedPages = 200 // of each kind

// weight is the size of the pages of one kind, in bytes.
type weight struct {
	plain, packed int // medians, uncompressed and as sent
	heaviest      int // the largest page as sent
	needs         int // assets of the heaviest page as sent: style sheets, scripts and fonts
}

// total is what a first visit to the heaviest page transfers, with a cold browser cache.
func (w *weight) total() int { return w.heaviest + w.needs }

// weigher fetches pages compressed with gzip and caches the size of their assets.
type weigher struct {
	client *client
	assets map[string]int // bytes as sent, by path
}

func newWeigher(ctx context.Context, address string) (*weigher, error) {
	c, err := dial(ctx, address)
	return &weigher{client: c, assets: map[string]int{}}, err
}

func (w *weigher) close() error { return w.client.conn.Close() }

// get returns a page uncompressed and the bytes of its body as sent. header is "" or further header
// lines.
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

// weigh fetches the first weighedPages of paths.
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

// needs returns the size of the assets that a page refers to.
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
