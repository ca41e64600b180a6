package web

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzip"
)

const (
	minGzipSize  = 1 << 10 // bytes; a smaller body fits one packet with its headers anyway
	maxKeptBytes = 1 << 20 // a larger buffer is left to the garbage collector, not pooled
)

// Reply is a complete response, rendered before any of it is sent, so that a failure while
// rendering can still become an error.
type Reply struct {
	Status      int
	ContentType string
	ETag        string // a strong tag made by ETag; "": none
	Caching     Caching
	Body        []byte // uncompressed; may be reused once Send has returned
}

// ErrorBody is the JSON body of an error: {"erro":{"codigo","mensagem"},"requisicao_id"}. Codes are part of the contract,
// messages are not.
type ErrorBody struct {
	Error struct {
		Code      string `json:"codigo"`
		Message   string `json:"mensagem"`
		Parameter string `json:"parametro,omitempty"` // that the error is about; not in v1 of the API
	} `json:"erro"`
	RequestID string `json:"requisicao_id"`
}

// Weight returns the highest weight that an Accept header gives one of some media ranges, as they are written (RFC 9110
// §12.5.1); 0: it names none of them.
func Weight(accept string, ranges ...string) float64 {
	highest := 0.0
	for part := range strings.SplitSeq(accept, ",") {
		media, parameters, _ := strings.Cut(part, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(parameters), "q="); ok {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		if slices.Contains(ranges, strings.ToLower(strings.TrimSpace(media))) {
			highest = max(highest, weight)
		}
	}
	return highest
}

// ETag returns a strong entity tag (RFC 9110 §8.8.3): the content's xxHash, 64 bits, in quotes. It tells
// versions of one address apart and need not withstand an attacker, who could only mislead himself. The
// caller decides what the content is; what it leaves out, such as a time, does not change the tag.
func ETag(content []byte) string {
	sum := binary.BigEndian.AppendUint64(nil, xxhash.Sum64(content))
	return `"` + base64.RawURLEncoding.EncodeToString(sum) + `"`
}

// Sender sends replies. The zero value is ready to use and safe for concurrent use; it must not be copied after first use.
type Sender struct {
	compressors sync.Pool // of *compressor
}

// compressor is a reusable gzip writer with its output.
type compressor struct {
	writer *gzip.Writer
	out    bytes.Buffer
}

// Send writes a reply with Content-Length, compressed if the client accepts gzip and the body is
// text of at least 1 KB. A 200 becomes a 304 (RFC 9110 §13.1) if If-None-Match has its tag or,
// without that header, If-Modified-Since is not before the Last-Modified that the caller set. A
// body beyond Options.Bodies becomes a plain 503. Set all other headers before.
//
// The tag of a compressed body ends in -gzip. Send releases the request's slot before it writes,
// so a slow reader holds none.
func (s *Sender) Send(c *gin.Context, r Reply) {
	gzipped, current := negotiate(c, r)
	if current {
		return
	}
	event := EventOf(c.Request.Context())
	if err := event.Hold(len(r.Body)); err != nil {
		event.Fail(err)
		unavailable(c, err)
		return
	}
	if !gzipped {
		write(c, r.Status, r.Body)
		return
	}
	z := s.compress(r.Body)
	write(c, r.Status, z.out.Bytes())
	if z.out.Cap() <= maxKeptBytes {
		s.compressors.Put(z)
	}
}

// negotiate sets the headers of a reply, and reports whether its body is to be compressed. If the
// client has it already, it responds with 304 and reports that.
func negotiate(c *gin.Context, r Reply) (gzipped, current bool) {
	header := c.Writer.Header()
	r.Caching.Set(c, r.Status)
	if compressible(r.ContentType) {
		vary(header, "Accept-Encoding")
		gzipped = len(r.Body) >= minGzipSize && AcceptsGzip(c.Request)
	}
	if r.ETag != "" {
		header.Set("ETag", tagOf(r.ETag, gzipped))
	}
	if r.Status == http.StatusOK && notModified(c, r.ETag) {
		c.Status(http.StatusNotModified)
		c.Writer.WriteHeaderNow()
		return gzipped, true
	}
	header.Set("Content-Type", r.ContentType)
	if gzipped {
		header.Set("Content-Encoding", "gzip")
	}
	return gzipped, false
}

// Document is a 200 whose body is the same for many requests. It is compressed once, and as all of
// them share its bytes, slow readers hold nothing of Options.Bodies.
type Document struct {
	reply Reply
	gzip  []byte // body, compressed; nil if it never is
}

// NewDocument returns a document. packed is its body compressed with gzip; nil: NewDocument does
// that. Neither may be changed afterwards.
func NewDocument(contentType string, caching Caching, body, packed []byte) *Document {
	if packed == nil && compressible(contentType) {
		packed = Compress(body)
	}
	return &Document{Reply{Status: http.StatusOK, ContentType: contentType, ETag: ETag(body), Caching: caching, Body: body}, packed}
}

// Compress returns a body that is sent many times as gzip, smaller than Sender makes it in passing.
func Compress(body []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(body) // a bytes.Buffer never fails
	_ = z.Close()
	return out.Bytes()
}

// Send writes d as Sender.Send would.
func (d *Document) Send(c *gin.Context) {
	gzipped, current := negotiate(c, d.reply)
	switch {
	case current:
	case gzipped:
		write(c, http.StatusOK, d.gzip)
	default:
		write(c, http.StatusOK, d.reply.Body)
	}
}

// Current responds with 304 and returns true if the client has the 200 with this tag. It saves
// rendering an expensive response whose tag is known beforehand. The type must be one that Send
// does not compress, and the caller sets Cache-Control.
func (s *Sender) Current(c *gin.Context, etag string) bool {
	c.Header("ETag", etag)
	if !notModified(c, etag) {
		return false
	}
	c.Status(http.StatusNotModified)
	c.Writer.WriteHeaderNow()
	return true
}

// notModified evaluates the preconditions in their order (RFC 9110 §13.2.2): If-Modified-Since counts only without
// If-None-Match, and only if the caller set Last-Modified.
func notModified(c *gin.Context, etag string) bool {
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

// write sends status and body with Content-Length; for HEAD only the header.
func write(c *gin.Context, status int, body []byte) {
	c.Writer.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.Status(status)
	c.Writer.WriteHeaderNow()
	EventOf(c.Request.Context()).releaseSlot() // the rest is the client's time
	if c.Request.Method != http.MethodHead {
		_, _ = c.Writer.Write(body) // fails only if the client has left
	}
}

// compress returns a body as gzip. The caller puts the compressor back into the pool.
func (s *Sender) compress(body []byte) *compressor {
	z, ok := s.compressors.Get().(*compressor)
	if !ok {
		z = &compressor{}
		z.writer, _ = gzip.NewWriterLevel(&z.out, gzip.BestSpeed) // fails only for an invalid level
	}
	z.out.Reset()
	z.writer.Reset(&z.out)
	_, _ = z.writer.Write(body) // a bytes.Buffer never fails
	_ = z.writer.Close()
	return z
}

// compressible reports whether a media type is text. Fonts, images and archives are compressed
// already.
func compressible(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "json") || strings.HasSuffix(media, "javascript") ||
		strings.HasSuffix(media, "xml")
}

// AcceptsGzip reports whether the client takes gzip (Accept-Encoding, RFC 9110 §12.5.3). "gzip" takes precedence over "*".
func AcceptsGzip(r *http.Request) bool {
	accepted := false
	for _, value := range r.Header.Values("Accept-Encoding") {
		for value != "" {
			var item string
			item, value, _ = strings.Cut(value, ",")
			coding, weight, _ := strings.Cut(item, ";")
			switch coding = strings.TrimSpace(coding); {
			case strings.EqualFold(coding, "gzip"):
				return positiveWeight(weight)
			case coding == "*":
				accepted = positiveWeight(weight)
			}
		}
	}
	return accepted
}

// positiveWeight reports whether a parameter such as " q=0.5" is above zero (RFC 9110 §12.4.2); without one it is 1.
func positiveWeight(parameter string) bool {
	name, value, found := strings.Cut(parameter, "=")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return true
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return err == nil && q > 0
}

// gzipSuffix ends the tag of a compressed body: strong tags differ when bytes do (RFC 9110 §8.8.3.3).
const gzipSuffix = `-gzip"`

func tagOf(tag string, gzipped bool) string {
	if gzipped {
		return strings.TrimSuffix(tag, `"`) + gzipSuffix
	}
	return tag
}

// matches reports whether If-None-Match is "*" or lists tag or the tag of its compressed form, by weak comparison (RFC 9110
// §13.1.2). A client may hold either form: both are the same content.
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
				break // malformed; the other header lines still count
			}
			if got := value[:end]; got == tag || got == tagOf(tag, true) {
				return true
			}
			value = value[end:]
		}
	}
	return false
}
