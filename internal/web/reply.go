package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"
)

const (
	smallestGzip = 1 << 10 // below it the headers cost what compression saves
	largestKept  = 1 << 20 // buffers that one huge answer has grown are not kept
)

// Reply is a complete answer, rendered before anything of it is sent.
type Reply struct {
	Status      int
	ContentType string
	ETag        string // made by ETag; "": the answer has none
	Body        []byte
}

// ErrorBody is the JSON body of an error, for programs.
type ErrorBody struct {
	Error struct {
		Code    string `json:"codigo"`
		Message string `json:"mensagem"`
	} `json:"erro"`
	RequestID string `json:"requisicao_id"`
}

// ETag returns the entity tag of a content. Answers that differ only in what the caller left out of content have the
// same tag.
func ETag(content []byte) string {
	const size = 16 // 128 bits: no two contents share a tag
	sum := sha256.Sum256(content)
	tag := make([]byte, 0, 2+base64.RawURLEncoding.EncodedLen(size))
	tag = append(tag, '"')
	tag = base64.RawURLEncoding.AppendEncode(tag, sum[:size])
	return string(append(tag, '"'))
}

// Sender sends replies. The zero Sender is ready, may be used concurrently and must not be copied.
type Sender struct {
	compressors sync.Pool // of *compressor
}

type compressor struct {
	writer *gzip.Writer
	out    bytes.Buffer
}

// Send writes a reply: compressed when the client takes it and it is worth it, and as 304 when the client says that it
// already has a 200 with this ETag or, when it names none, of the time of Last-Modified. Other headers, such as that and
// Cache-Control, are set by the caller before.
func (s *Sender) Send(c *gin.Context, r Reply) {
	header := c.Writer.Header()
	zip := false
	if compressible(r.ContentType) {
		header.Add("Vary", "Accept-Encoding")
		zip = len(r.Body) >= smallestGzip && AcceptsGzip(c.Request)
	}
	if r.ETag != "" {
		header.Set("ETag", tagOf(r.ETag, zip))
	}
	if r.Status == http.StatusOK && unchanged(c, r.ETag) {
		c.Status(http.StatusNotModified)
		c.Writer.WriteHeaderNow()
		return
	}
	header.Set("Content-Type", r.ContentType)
	if !zip {
		write(c, r.Status, r.Body)
		return
	}
	z := s.compress(r.Body)
	header.Set("Content-Encoding", "gzip")
	write(c, r.Status, z.out.Bytes())
	if z.out.Cap() <= largestKept {
		s.compressors.Put(z)
	}
}

// Current reports whether the client says that it already has the 200 with this ETag; then it has been answered with a
// 304. It is for answers that cost much to make and that Send would not compress: it comes before making them.
func (s *Sender) Current(c *gin.Context, etag string) bool {
	c.Header("ETag", etag)
	if !unchanged(c, etag) {
		return false
	}
	c.Status(http.StatusNotModified)
	c.Writer.WriteHeaderNow()
	return true
}

// unchanged compares what the client asks for with the tag of the answer or, when it asks for no tag, with the time in
// the header Last-Modified, if the caller has set it.
func unchanged(c *gin.Context, etag string) bool {
	if tags := c.Request.Header.Values("If-None-Match"); len(tags) > 0 {
		return etag != "" && matches(tags, etag)
	}
	modified, err := http.ParseTime(c.Writer.Header().Get("Last-Modified"))
	if err != nil {
		return false
	}
	since, err := http.ParseTime(c.GetHeader("If-Modified-Since"))
	return err == nil && !modified.After(since)
}

func write(c *gin.Context, status int, body []byte) {
	c.Writer.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.Status(status)
	c.Writer.WriteHeaderNow()
	if c.Request.Method != http.MethodHead {
		_, _ = c.Writer.Write(body) // the client has left; there is nobody to tell
	}
}

func (s *Sender) compress(body []byte) *compressor {
	z, ok := s.compressors.Get().(*compressor)
	if !ok {
		z = &compressor{}
		z.writer, _ = gzip.NewWriterLevel(&z.out, gzip.BestSpeed) // the level is a valid one
	}
	z.out.Reset()
	z.writer.Reset(&z.out)
	_, _ = z.writer.Write(body) // a bytes.Buffer takes everything
	_ = z.writer.Close()
	return z
}

func compressible(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "json") || strings.HasSuffix(media, "javascript") ||
		strings.HasSuffix(media, "xml")
}

// AcceptsGzip reports whether a client takes gzip (RFC 9110 §12.5.3). What it says of gzip by name counts more than "*".
func AcceptsGzip(r *http.Request) bool {
	accepted := false
	for _, value := range r.Header.Values("Accept-Encoding") {
		for value != "" {
			var item string
			item, value, _ = strings.Cut(value, ",")
			coding, weight, _ := strings.Cut(item, ";")
			switch coding = strings.TrimSpace(coding); {
			case strings.EqualFold(coding, "gzip"):
				return positive(weight)
			case coding == "*":
				accepted = positive(weight)
			}
		}
	}
	return accepted
}

// positive reports whether a weight such as " q=0.5" is above zero; without a weight it is 1.
func positive(weight string) bool {
	name, value, found := strings.Cut(weight, "=")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return true
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return err == nil && q > 0
}

// gzipMark tells the compressed form of a content from the plain one: different bytes need different strong tags.
const gzipMark = `-gzip"`

func tagOf(tag string, zip bool) string {
	if zip {
		return strings.TrimSuffix(tag, `"`) + gzipMark
	}
	return tag
}

// matches reports whether If-None-Match names tag or its compressed form, or is "*". A content that a client holds in
// either form is still current.
func matches(values []string, tag string) bool {
	for _, value := range values {
		for value != "" {
			value = strings.TrimLeft(value, " \t,")
			if value == "*" {
				return true
			}
			value = strings.TrimPrefix(value, "W/")
			end := strings.IndexByte(strings.TrimPrefix(value, `"`), '"') + len(`""`)
			if !strings.HasPrefix(value, `"`) || end < len(`""`) {
				break // not a list of tags
			}
			if got := value[:end]; got == tag || got == tagOf(tag, true) {
				return true
			}
			value = value[end:]
		}
	}
	return false
}
