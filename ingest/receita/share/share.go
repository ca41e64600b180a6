// Package share lists and downloads the monthly CNPJ releases of the tax authority's public share: a Nextcloud folder
// reached by WebDAV on a weak server, so every transfer is resumed, repeated and checked.
package share

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"razao/ingest/fetch"
)

// DefaultBase is the address under which the share held the AAAA-MM folders when this was written. The token in it is
// public and changes now and then, so the address is a setting.
const DefaultBase = "https://arquivos.receitafederal.gov.br/public.php/dav/files/gn672Ad4CF8N6TK/Dados/Cadastros/CNPJ/"

const maxStreams = 4 // with more the server refuses connections

// Options are the settings of a Client; the zero value is ready for use.
type Options struct {
	HTTP    *http.Client  // nil: one of its own. Its Timeout and CheckRedirect are replaced
	Streams int           // files downloaded at once, 1 to 4; 0 means 3
	Stall   time.Duration // how long the server may send nothing; 0 means 30 s
	Backoff time.Duration // first pause before another attempt, doubled up to 30 times itself; 0 means 1 s
	Log     *slog.Logger  // nil: silent

	// Progress, if set, is told how many bytes of a file lie on disk: at each listing for the complete ones, then as
	// bytes arrive. done falls when a file has to start again. Calls never overlap.
	Progress func(file string, done, total int64)
}

// Client lists and downloads the monthly releases of a share. It may be used by several goroutines, but one folder may
// be the target of only one Fetch at a time.
type Client struct {
	base     *url.URL
	http     *http.Client
	streams  int
	stall    time.Duration
	backoff  time.Duration
	log      *slog.Logger
	reporter sync.Mutex
	progress func(file string, done, total int64)
	pause    func(ctx context.Context, d time.Duration) error
}

// New returns a client of the share at base, the WebDAV address of the folder that holds the AAAA-MM folders.
// Older endpoints that want the token as a user name take it in the address: https://TOKEN:@host/public.php/webdav/.
func New(base string, o Options) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("address of the share: %w", err)
	}
	if (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("address of the share: %q is not of the form https://host/public.php/dav/files/TOKEN/", u.Redacted())
	}
	c := &Client{
		base: u, streams: min(o.Streams, maxStreams), stall: o.Stall, backoff: o.Backoff, log: o.Log, progress: o.Progress,
		pause: fetch.Sleep,
	}
	if c.streams <= 0 {
		c.streams = 3
	}
	if c.stall <= 0 {
		c.stall = 30 * time.Second
	}
	if c.backoff <= 0 {
		c.backoff = time.Second
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.progress == nil {
		c.progress = func(string, int64, int64) {}
	}
	c.http = httpClient(o.HTTP)
	return c, nil
}

// httpClient returns a copy of h that bounds silence instead of duration and follows only redirects that can be trusted.
func httpClient(h *http.Client) *http.Client {
	if h == nil {
		// Downloads that shared one HTTP/2 connection would stall together, and their repetitions on it too.
		http1 := new(http.Protocols)
		http1.SetHTTP1(true)
		h = &http.Client{Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, Protocols: http1, TLSHandshakeTimeout: 30 * time.Second, IdleConnTimeout: time.Minute,
		}}
	}
	own := *h
	own.Timeout = 0 // a file may take an hour
	own.CheckRedirect = checkRedirect
	return &own
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) >= 10:
		return fmt.Errorf("%w: more than 10 redirects: check the base URL of the share", fetch.ErrRedirect)
	case req.Method != first.Method:
		// Go repeats a redirected PROPFIND as GET, whose answer is a page for people.
		return fmt.Errorf("%w: the folder has moved to %s: set this as the base URL of the share", fetch.ErrRedirect, req.URL.Redacted())
	case req.URL.Scheme == "https", req.URL.Host == first.URL.Host && first.URL.Scheme == "http":
		return nil
	}
	return fmt.Errorf("%w: %s is not https: check the base URL of the share", fetch.ErrRedirect, req.URL.Redacted())
}

// File is one file of a release as the share lists it.
type File struct {
	Name     string    // one of the 37 known names, such as Empresas0.zip
	Bytes    int64     // never 0
	ETag     string    // as sent, with its quotes; changes when the file is published again
	Modified time.Time // zero when the share does not say
}

// IncompleteError says that a month is listed without all its files, as happens for hours while it is being published.
// It is always a pointer: use errors.As with a *IncompleteError.
type IncompleteError struct {
	Month   string
	Missing []string // in the order of the format: Empresas0.zip … Qualificacoes.zip
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("the release of %s is not complete at the share, %d of its %d files are missing (%s): take the month before, or try again tomorrow",
		e.Month, len(e.Missing), len(releaseNames()), strings.Join(e.Missing, ", "))
}

var monthPattern = regexp.MustCompile(`^20\d\d-(0[1-9]|1[0-2])$`)

func checkMonth(month string) error {
	if !monthPattern.MatchString(month) {
		return fmt.Errorf("month %q is not of the form AAAA-MM", month)
	}
	return nil
}

// Months returns the months that have a folder at the share, AAAA-MM, oldest first, complete or not. None is an error.
func (c *Client) Months(ctx context.Context) ([]string, error) {
	entries, err := c.propfind(ctx, c.base.JoinPath("/"))
	if err != nil {
		return nil, fmt.Errorf("list the months of the share: %w", err)
	}
	var months []string
	for _, e := range entries {
		if e.folder && monthPattern.MatchString(e.name) {
			months = append(months, e.name)
		}
	}
	if len(months) == 0 {
		return nil, fmt.Errorf("list the months of the share: %s holds no folder named AAAA-MM: check the base URL of the share", c.base.Redacted())
	}
	slices.Sort(months)
	return slices.Compact(months), nil
}

// List returns the files of a month in the order of the format; whatever else the folder holds is left out. When some
// of the 37 are missing it returns those that are there together with an *IncompleteError.
func (c *Client) List(ctx context.Context, month string) ([]File, error) {
	if err := checkMonth(month); err != nil {
		return nil, err
	}
	entries, err := c.propfind(ctx, c.base.JoinPath(month, "/"))
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", month, err)
	}
	files, missing := pick(entries)
	if len(missing) > 0 {
		return files, &IncompleteError{Month: month, Missing: missing}
	}
	return files, nil
}

// pick returns the files of a release among the entries of its folder, and the names without a usable entry: a file
// without size or ETag is still being written.
func pick(entries []entry) (files []File, missing []string) {
	for _, name := range releaseNames() {
		i := slices.IndexFunc(entries, func(e entry) bool { return e.name == name && !e.folder && e.bytes > 0 && e.etag != "" })
		if i < 0 {
			missing = append(missing, name)
			continue
		}
		e := entries[i]
		files = append(files, File{Name: name, Bytes: e.bytes, ETag: e.etag, Modified: e.modified})
	}
	return files, missing
}

// releaseNames returns the 37 names of a release. No other name from a server ever becomes part of a path or an address.
func releaseNames() []string {
	var names []string
	for _, group := range []string{"Empresas", "Estabelecimentos", "Socios"} {
		for part := range 10 {
			names = append(names, group+strconv.Itoa(part)+".zip")
		}
	}
	return append(names, "Simples.zip", "Cnaes.zip", "Motivos.zip", "Municipios.zip", "Naturezas.zip", "Paises.zip", "Qualificacoes.zip")
}

func (c *Client) report(file string, done, total int64) {
	c.reporter.Lock()
	defer c.reporter.Unlock()
	c.progress(file, done, total)
}
