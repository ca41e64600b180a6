// Package share lists and downloads the monthly CNPJ releases from the public share of the Receita:
// a Nextcloud folder read by WebDAV (RFC 4918). The server is weak: transfers stall, break off and
// repeat, and it refuses more than a few connections.
//
// [Client.List] asks for a folder with PROPFIND and returns the 37 known files with size and ETag;
// no other name from the server ever becomes a path or an address (path traversal). [Client.Fetch]
// has them downloaded (package download), largest first, a few at a time. If a file was published
// again meanwhile, the month is listed again: Fetch returns only when all 37 files match one listing
// made after the last download.
package share

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"razao/ingest/download"
	"razao/internal/web/fetch"
)

// DefaultBase is the address of the folder that holds the AAAA-MM folders. The token in it is
// public and changes now and then, so the address is a setting.
const DefaultBase = "https://arquivos.receitafederal.gov.br/public.php/dav/files/gn672Ad4CF8N6TK/Dados/Cadastros/CNPJ/"

const (
	maxStreams = 4 // downloads at once; with more the server refuses connections
	streams    = 3 // usual
	stall      = 30 * time.Second
)

// Client lists and downloads the monthly releases of a share. It is safe for concurrent use, but
// only one Fetch at a time may have the same folder as target.
type Client struct {
	base  *url.URL
	files *download.Downloader
}

// New returns a client of the share at base, the WebDAV address of the folder that holds the
// AAAA-MM folders. An older endpoint that wants the token as user name takes it in the address:
// https://TOKEN:@host/public.php/webdav/. It connects to nothing yet.
func New(base string, s download.Settings) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("address of the share: %w", err)
	}
	if (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("address of the share: %q is not of the form https://host/public.php/dav/files/TOKEN/", u.Redacted())
	}
	if s.Client == nil {
		// HTTP/1.1 only: downloads that share one HTTP/2 connection stall together, and so do
		// their retries.
		http1 := new(http.Protocols)
		http1.SetHTTP1(true)
		s.Client = &http.Client{Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, Protocols: http1, TLSHandshakeTimeout: 30 * time.Second, IdleConnTimeout: time.Minute,
		}}
	}
	s.Streams, s.Stall = min(cmp.Or(s.Streams, streams), maxStreams), cmp.Or(s.Stall, stall)
	return &Client{base: u, files: download.New(s, maxFailures, checkRedirect)}, nil
}

// checkRedirect follows up to 10 redirects. It refuses a change of method, and plain http unless
// the share itself is http on that host (downgrade).
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) >= 10:
		return fmt.Errorf("%w: more than 10 redirects: check the base URL of the share", fetch.ErrRedirect)
	case req.Method != first.Method:
		// net/http repeats a redirected PROPFIND as GET, whose answer is a page for people.
		return fmt.Errorf("%w: the folder has moved to %s: set this as the base URL of the share", fetch.ErrRedirect, req.URL.Redacted())
	case req.URL.Scheme == "https", req.URL.Host == first.URL.Host && first.URL.Scheme == "http":
		return nil
	}
	return fmt.Errorf("%w: %s is not https: check the base URL of the share", fetch.ErrRedirect, req.URL.Redacted())
}

// File is a file of a release as the share lists it.
type File struct {
	Name     string    // one of the 37 known names, such as Empresas0.zip
	Bytes    int64     // at least 1
	ETag     string    // as sent, with quotes; changes when the file is published again
	Modified time.Time // zero if the share does not say
}

// IncompleteError says that a month is listed without all its files, as happens for hours while it
// is being published. It is always a pointer.
type IncompleteError struct {
	Month   string
	Missing []string // in the order of the release: Empresas0.zip … Qualificacoes.zip
}

// Error names the missing files and what to do.
func (e *IncompleteError) Error() string {
	return fmt.Sprintf("the release of %s is not complete at the share, %d of its %d files are missing (%s): take the month before, or try again tomorrow",
		e.Month, len(e.Missing), len(releaseNames()), strings.Join(e.Missing, ", "))
}

var monthPattern = regexp.MustCompile(`^20\d\d-(0[1-9]|1[0-2])$`)

// checkMonth refuses what is not AAAA-MM, before it becomes part of an address.
func checkMonth(month string) error {
	if !monthPattern.MatchString(month) {
		return fmt.Errorf("month %q is not of the form AAAA-MM", month)
	}
	return nil
}

// Months returns the months that have a folder at the share, AAAA-MM, oldest first, complete or
// not. A share without any is an error, because its address is probably wrong.
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

// List returns the files of a month in the order of the release; other entries of the folder are
// ignored. If some of the 37 are missing, it returns those that are there and an
// [*IncompleteError].
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

// pick selects the files of a release from the entries of its folder and returns the names that
// have no usable entry. A file without size or ETag is still being written and counts as missing.
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

// releaseNames returns the 37 names of a release, the only ones that become part of a path or an
// address.
func releaseNames() []string {
	var names []string
	for _, group := range []string{"Empresas", "Estabelecimentos", "Socios"} {
		for part := range 10 {
			names = append(names, group+strconv.Itoa(part)+".zip")
		}
	}
	return append(names, "Simples.zip", "Cnaes.zip", "Motivos.zip", "Municipios.zip", "Naturezas.zip", "Paises.zip", "Qualificacoes.zip")
}
