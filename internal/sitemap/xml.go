package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"time"

	"github.com/klauspost/compress/gzip"

	"razao/internal/cnpj"
)

// namespace is that of the sitemap protocol.
const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// Entry is an address that a sitemap lists: a page, or in an index a file.
type Entry struct {
	URL     string    // absolute
	Changed time.Time // zero: not known
}

// Index returns a sitemap index of files. note stands in it as a comment when it is not "".
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

// Pages returns a sitemap file of pages, compressed.
func Pages(pages []Entry) []byte {
	body := header("urlset")
	for _, p := range pages {
		body = appendEntry(body, "url", escaped(p.URL), "", p.Changed)
	}
	return pack(append(body, "</urlset>\n"...))
}

// Pages returns the sitemap file of the part at an index of Parts, compressed: the pages are at site, which ends without
// a slash, under their numbers.
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

// entryBytes is the size of an entry without its site.
const entryBytes = len("<url><loc>12345678000195</loc><lastmod>2026-09-12</lastmod></url>\n")

func header(root string) []byte {
	return fmt.Appendf(nil, "%s<%s xmlns=\"%s\">\n", xml.Header, root, namespace)
}

func appendEntry(dst []byte, element, prefix, path string, changed time.Time) []byte {
	dst = append(append(append(dst, '<'), element...), "><loc>"...)
	dst = append(append(append(dst, prefix...), path...), "</loc>"...)
	if !changed.IsZero() {
		dst = append(changed.UTC().AppendFormat(append(dst, "<lastmod>"...), time.DateOnly), "</lastmod>"...)
	}
	return append(append(append(dst, "</"...), element...), ">\n"...)
}

func escaped(url string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(url)) // a bytes.Buffer takes everything
	return b.String()
}

// pack compresses a file. The same content gives the same bytes.
func pack(body []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is a valid one
	_, _ = z.Write(body)                            // a bytes.Buffer takes everything
	_ = z.Close()
	return b.Bytes()
}
