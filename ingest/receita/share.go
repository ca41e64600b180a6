package receita

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"razao/ingest/download"
	"razao/internal/web/fetch"
)

// host is where the share is.
const host = "https://arquivos.receitafederal.gov.br/"

// DefaultShare is the address of the folder that holds the AAAA-MM folders. The token in it is
// public and changes now and then, so the address is a setting.
const DefaultShare = host + "public.php/dav/files/gn672Ad4CF8N6TK/Dados/Cadastros/CNPJ/"

// whereNow says how to find the present address of the share.
const whereNow = "if the share has moved: " + host + " in a browser leads to the present one, " + host + "index.php/s/TOKEN, and " +
	"https://dados.gov.br/dados/conjuntos-dados/cadastro-nacional-da-pessoa-juridica---cnpj announces it; " +
	"set RAZAO_RECEITA_URL to " + host + "public.php/dav/files/TOKEN/ and the path of the folder of the months"

// explain adds to an error that another address may cure where to find it.
func explain(err error) error {
	var t *fetch.Trouble
	var unknown *net.DNSError
	if errors.As(err, &t) && t.Moved || errors.Is(err, fetch.ErrRedirect) || errors.As(err, &unknown) && unknown.IsNotFound {
		return fmt.Errorf("%w; %s", err, whereNow)
	}
	return err
}

// Limits of downloads from the share.
const (
	maxStreams = 4 // downloads at once; with more the server refuses connections
	streams    = 3 // usual
	stall      = 30 * time.Second
)

// Share is the Receita's public share of monthly releases. It is safe for concurrent use, but only
// one Fetch at a time may have the same folder as target.
type Share struct {
	base  *url.URL
	files *download.Downloader
}

// NewShare returns the share at base, the WebDAV address of the folder that holds the AAAA-MM
// folders. An older endpoint that wants the token as user name takes it in the address:
// https://TOKEN:@host/public.php/webdav/. It connects to nothing yet.
func NewShare(base string, s download.Settings) (*Share, error) {
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
	return &Share{base: u, files: download.New(s, maxFailures, checkRedirect)}, nil
}

// checkRedirect follows up to 10 redirects. It refuses a change of method, and plain http unless
// the share itself is http on that host (downgrade).
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case len(via) >= 10:
		return fmt.Errorf("%w: more than 10 redirects", fetch.ErrRedirect)
	case req.Method != first.Method:
		// net/http repeats a redirected PROPFIND as GET, whose answer is a page for people.
		return fmt.Errorf("%w: the folder has moved to %s", fetch.ErrRedirect, req.URL.Redacted())
	case req.URL.Scheme == "https", req.URL.Host == first.URL.Host && first.URL.Scheme == "http":
		return nil
	}
	return fmt.Errorf("%w: %s is not https", fetch.ErrRedirect, req.URL.Redacted())
}

// ListedFile is a file of a release as the share lists it.
type ListedFile struct {
	Name  string // that of a table and a number, such as Empresas0.zip
	Bytes int64  // at least 1
	ETag  string // as sent, with quotes; changes when the file is published again
}

// Months returns the months that have a folder at the share, AAAA-MM, oldest first, complete or
// not. A share without any is an error, because its address is probably wrong.
func (s *Share) Months(ctx context.Context) ([]string, error) {
	entries, err := s.propfind(ctx, s.base.JoinPath("/"))
	if err != nil {
		return nil, explain(fmt.Errorf("list the months of the share: %w", err))
	}
	var months []string
	for _, e := range entries {
		if e.folder && IsMonth(e.name) {
			months = append(months, e.name)
		}
	}
	if len(months) == 0 {
		return nil, fmt.Errorf("list the months of the share: %s holds no folder named AAAA-MM; %s", s.base.Redacted(), whereNow)
	}
	slices.Sort(months)
	return slices.Compact(months), nil
}

// Listing is what the share lists of a month.
type Listing struct {
	Files   []ListedFile // in the order of the release
	Missing []string     // as in [Release]
	Unread  []string
}

// List returns the files of a month. If some are missing, it returns those that are there and, unless accept says that
// they may be, an [*IncompleteError].
func (s *Share) List(ctx context.Context, month string, accept Accept) (Listing, error) {
	if !IsMonth(month) { // before it becomes part of an address
		return Listing{}, fmt.Errorf("month %q is not of the form AAAA-MM", month)
	}
	entries, err := s.propfind(ctx, s.base.JoinPath(month, "/"))
	if err != nil {
		return Listing{}, explain(fmt.Errorf("list the files of %s: %w", month, err))
	}
	l := pick(entries, accept)
	if len(l.Missing) > 0 && (!accept.Partial || len(l.Files) == 0) {
		return l, &IncompleteError{Month: month, Missing: l.Missing, Unread: l.Unread}
	}
	return l, nil
}

// pick selects the files of a release from the entries of its folder. A file without size or ETag is still being
// written and is missing, whatever its number.
func pick(entries []entry, accept Accept) (l Listing) {
	files := map[part]ListedFile{}
	for _, e := range entries {
		p, known := partOf(e.name)
		switch {
		case e.folder:
		case !known || !publishedName.MatchString(e.name):
			l.Unread = append(l.Unread, e.name)
		case e.bytes <= 0 || e.etag == "":
			l.Missing = append(l.Missing, e.name)
		default:
			files[p] = ListedFile{Name: e.name, Bytes: e.bytes, ETag: e.etag}
		}
	}
	found := slices.SortedFunc(maps.Keys(files), part.compare)
	for _, p := range found {
		l.Files = append(l.Files, files[p])
	}
	l.Missing = inOrder(append(l.Missing, accept.missing(found, false)...))
	return l
}
