package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"time"

	"github.com/klauspost/compress/gzip"

	"razao/internal/data/cnpj"
)

// namespace is the XML namespace of the sitemap protocol.
const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// Entry is an address in a sitemap: a page, or in an index a file.
type Entry struct {
	URL     string    // absolute
	Changed time.Time // zero: unknown, no lastmod
}

// Index returns a sitemap index, not compressed. A note is added as an XML comment unless it is "";
// it must not contain "--".
func Index(files []Entry, note string) []byte {
	body := header("sitemapindex")
	if note != "" {
		body = fmt.Appendf(body, "<!-- %s -->\n", note)
	}
	for _, f := range files {
		body = appendEntry(body, "sitemap", escaped(f.URL), "", f.Changed)
	}
	return append(body, "</sitemapindex>\n"...)
}

// Pages returns a sitemap file, gzip-compressed.
func Pages(pages []Entry) []byte {
	body := header("urlset")
	for _, p := range pages {
		body = appendEntry(body, "url", escaped(p.URL), "", p.Changed)
	}
	return pack(append(body, "</urlset>\n"...))
}

// Pages returns the sitemap file of a part, gzip-compressed. part is an index of Parts. site is the
// public address without a final slash; a page is at site/ and its 14 positions. The result is
// deterministic.
func (l *List) Pages(part int, site string) ([]byte, error) {
	body := header("urlset")
	prefix := escaped(site + "/")
	body = append(make([]byte, 0, len(body)+l.parts[part].URLs*(len(prefix)+entryBytes)), body...)
	var number [14]byte
	err := l.Each(part, func(full cnpj.Full, changed Day) error {
		body = appendEntry(body, "url", prefix, string(full.Append(number[:0])), changed.Time())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return pack(append(body, "</urlset>\n"...)), nil
}

// entryBytes is the size of an entry without its site, to allocate once.
const entryBytes = len("<url><loc>12345678000195</loc><lastmod>2026-09-12</lastmod></url>\n")

func header(root string) []byte {
	return fmt.Appendf(nil, "%s<%s xmlns=\"%s\">\n", xml.Header, root, namespace)
}

// appendEntry appends an entry whose address is prefix and path, both already escaped.
func appendEntry(dst []byte, element, prefix, path string, changed time.Time) []byte {
	dst = append(append(append(dst, '<'), element...), "><loc>"...)
	dst = append(append(append(dst, prefix...), path...), "</loc>"...)
	if !changed.IsZero() {
		dst = append(changed.UTC().AppendFormat(append(dst, "<lastmod>"...), time.DateOnly), "</lastmod>"...)
	}
	return append(append(append(dst, "</"...), element...), ">\n"...)
}

// escaped returns an address with XML's special characters escaped.
func escaped(url string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(url)) // a bytes.Buffer never fails
	return b.String()
}

// pack compresses a body with gzip. The header has no time, so equal bodies give equal bytes.
func pack(body []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is valid
	_, _ = z.Write(body)                            // a bytes.Buffer never fails
	_ = z.Close()
	return b.Bytes()
}
