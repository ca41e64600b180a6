package receita

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"razao/ingest/download"
	"razao/internal/web/fetch"
)

const maxListing = 1 << 20 // bytes, for each of which encoding/xml may keep forty; a month takes about 30 kB

// wantedProperties is the body of PROPFIND: only the properties that are read.
const wantedProperties = `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype/><d:getcontentlength/><d:getetag/></d:prop></d:propfind>`

// entry is a direct child of a listed folder. Fields that the share did not state, or stated
// unreadably, are zero.
type entry struct {
	name   string // last segment of its address, unescaped: untrusted
	folder bool
	bytes  int64
	etag   string
}

// propfind lists a folder. It retries.
func (s *Share) propfind(ctx context.Context, folder *url.URL) (entries []entry, err error) {
	err = s.files.Retry.Do(ctx, folder.Redacted(), func() (bool, error) {
		entries, err = s.propfindOnce(ctx, folder)
		return false, err
	})
	return entries, err
}

// propfindOnce is one attempt of propfind, with Depth 1.
func (s *Share) propfindOnce(ctx context.Context, folder *url.URL) ([]entry, error) {
	req, err := http.NewRequest("PROPFIND", folder.String(), strings.NewReader(wantedProperties))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Depth", "1")
	req.Header.Set("Content-Type", "application/xml; charset=utf-8")
	body, err := s.files.Read(ctx, req, http.StatusMultiStatus, maxListing)
	if err != nil {
		return nil, err
	}
	if looksLikePage(body) {
		return nil, download.PageError(folder.Redacted())
	}
	entries, err := parseListing(body)
	if err != nil {
		// An overloaded server sends half a document, so try again.
		return nil, fetch.Passing("%s answered with an unreadable listing: %w", folder.Redacted(), err)
	}
	return entries, nil
}

// looksLikePage reports whether a body is HTML, whatever its Content-Type.
func looksLikePage(body []byte) bool {
	start := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 512)]))
	return bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
}

// multistatus is the part of a WebDAV answer (RFC 4918, section 14.16) that is read.
type multistatus struct {
	XMLName   xml.Name `xml:"DAV: multistatus"`
	Responses []struct {
		Href      string `xml:"DAV: href"`
		Propstats []struct {
			Status string `xml:"DAV: status"`
			Prop   struct {
				Collection *struct{} `xml:"DAV: resourcetype>collection"`
				Length     string    `xml:"DAV: getcontentlength"`
				ETag       string    `xml:"DAV: getetag"`
			} `xml:"DAV: prop"`
		} `xml:"DAV: propstat"`
	} `xml:"DAV: response"`
}

// parseListing returns the direct children of the folder in an answer to PROPFIND. WebDAV includes
// the folder itself, which is the entry with the shortest path; entries that are not directly below
// it are ignored.
func parseListing(body []byte) ([]entry, error) {
	var doc multistatus
	if err := xml.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	hrefs := make([]string, len(doc.Responses))
	folder := ""
	for i, r := range doc.Responses {
		hrefs[i] = hrefPath(r.Href)
		if i == 0 || len(hrefs[i]) < len(folder) {
			folder = hrefs[i]
		}
	}
	var entries []entry
	for i, r := range doc.Responses {
		dir, last := path.Split(hrefs[i])
		name, err := url.PathUnescape(last)
		if err != nil || name == "" || hrefs[i] == folder || strings.TrimSuffix(dir, "/") != folder {
			continue
		}
		e := entry{name: name}
		for _, p := range r.Propstats {
			if p.Status != "" && !strings.Contains(p.Status, " 200") {
				continue
			}
			e.folder = e.folder || p.Prop.Collection != nil
			if n, err := strconv.ParseInt(p.Prop.Length, 10, 64); err == nil && n >= 0 {
				e.bytes = n
			}
			if isETag(p.Prop.ETag) {
				e.etag = p.Prop.ETag
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// hrefPath returns the path of an address without its trailing slash. It stays escaped, because an
// escaped slash must not turn one name into two segments.
func hrefPath(href string) string {
	href = strings.TrimSpace(href)
	if _, rest, ok := strings.Cut(href, "://"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		href = "/" + rest
	}
	return strings.TrimRight(href, "/")
}

// isETag reports whether a tag is safe to send in a request header: printable ASCII, at most 256
// bytes (header injection).
func isETag(s string) bool {
	return s != "" && len(s) <= 256 && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}
