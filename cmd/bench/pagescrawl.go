package main

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"time"

	"razao/internal/sitemap"
)

const (
	// publicAddress is where the measured website says that it is.
	publicAddress = "https://razao.exemplo"

	crawledPages = 1_000 // drawn from the sitemap
	faultsShown  = 10
)

// crawl is the sitemap as a search engine reads it.
type crawl struct {
	files         int
	addresses     int64
	packed, plain int64     // bytes of the files of establishments, all but the first
	served        latencies // of these files
	others        []string  // paths in the first file
	drawn         []string  // paths, evenly from all
	faults        []string  // of the pages drawn
}

// readSitemap reads the index and all files that it names.
func readSitemap(ctx context.Context, w *weigher) (*crawl, error) {
	say("reading the sitemap")
	body, _, err := w.get(ctx, "/sitemap.xml", "")
	if err != nil {
		return nil, err
	}
	files, err := locations(body)
	if err != nil {
		return nil, fmt.Errorf("sitemap: %w", err)
	}
	if len(files) == 0 {
		return nil, errors.New("the sitemap is empty: the folder was loaded with a release that says that it is invented")
	}
	c, r := &crawl{}, rand.New(rand.NewPCG(8, 8))
	for _, path := range files {
		if err := c.file(ctx, w, path, r); err != nil {
			return nil, err
		}
	}
	c.served = newLatencies(c.served)
	return c, nil
}

// file reads one file and draws from it, so that at the end every address was drawn with the same chance.
func (c *crawl) file(ctx context.Context, w *weigher, path string, r *rand.Rand) error {
	start := time.Now()
	packed, _, err := w.get(ctx, path, "")
	if err != nil {
		return err
	}
	took := time.Since(start)
	body, err := unpacked(packed)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	pages, err := locations(body)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if c.files++; c.files == 1 {
		c.others = pages
	} else {
		c.served = append(c.served, took)
		c.packed, c.plain = c.packed+int64(len(packed)), c.plain+int64(len(body))
	}
	for _, page := range pages {
		c.addresses++
		if len(c.drawn) < crawledPages {
			c.drawn = append(c.drawn, page)
		} else if i := r.Int64N(c.addresses); i < crawledPages {
			c.drawn[i] = page
		}
	}
	return nil
}

// listAgain copies the list of addresses in the folder of an index and returns the CPU time that this took: about what it
// takes to make it when the index is built.
func listAgain(folder string) (_ time.Duration, err error) {
	list, err := sitemap.Open(folder)
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "razao-bench-")
	if err != nil {
		return 0, fmt.Errorf("temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	start := ownCPU()
	w, err := sitemap.Create(dir)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	for part := range list.Parts() {
		if err := list.Each(part, w.Add); err != nil {
			return 0, err
		}
	}
	_, err = w.Close()
	return ownCPU() - start, err
}

// locations returns the paths that a file or the index of a sitemap lists.
func locations(body []byte) ([]string, error) {
	var list struct {
		Files []string `xml:"sitemap>loc"`
		Pages []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	paths := append(list.Files, list.Pages...)
	for i, address := range paths {
		path, ok := strings.CutPrefix(address, publicAddress)
		if !ok {
			return nil, fmt.Errorf("%s is at another address than %s", address, publicAddress)
		}
		paths[i] = path
	}
	return paths, nil
}

// check opens the pages that were drawn.
func (c *crawl) check(ctx context.Context, w *weigher) error {
	say("opening %s pages of the sitemap", count(int64(len(c.drawn))))
	for _, path := range c.drawn {
		fault, err := indexable(ctx, w, path)
		if err != nil {
			return err
		}
		if fault != "" {
			c.faults = append(c.faults, path+": "+fault)
		}
	}
	return nil
}

var (
	canonicalLink = regexp.MustCompile(`<link rel="canonical" href="([^"]*)">`)
	robotsMeta    = regexp.MustCompile(`<meta name="robots" content="[^"]*noindex`)
)

// indexable returns what keeps a search engine from listing the page at a path, "" for nothing.
func indexable(ctx context.Context, w *weigher, path string) (fault string, err error) {
	resp, err := w.send(ctx, path, "")
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	sent, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	body, err := decoded(resp, sent)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	canonical := canonicalLink.FindSubmatch(body)
	switch {
	case resp.StatusCode != 200 || resp.Request.URL.Path != path:
		return fmt.Sprintf("%s at %s", resp.Status, resp.Request.URL.Path), nil
	case strings.Contains(resp.Header.Get("X-Robots-Tag"), "noindex") || robotsMeta.Match(body):
		return "noindex", nil
	case canonical == nil:
		return "no canonical address", nil
	case html.UnescapeString(string(canonical[1])) != publicAddress+path:
		return "canonical is " + string(canonical[1]), nil
	}
	return "", nil
}
