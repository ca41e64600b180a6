package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

const (
	reconcilePath = "/v2/reconciliar"
	// openRefinePages is where OpenRefine shows its pages unless told otherwise.
	openRefinePages = "http://127.0.0.1:3333"
	closing         = 5 * time.Second // for what is being answered when the command is ended
)

// spoken are the parameters of the protocol. OpenRefine sends others, of a service that is no more, which the API refuses.
var spoken = []string{"queries", "extend", "prefix", "cursor", "id"}

// openRefineCommand stands between OpenRefine and the API: a server for this machine alone, which has the key, as OpenRefine cannot,
// and allows the page of OpenRefine what the API allows no browser (CORS).
func (k *asker) openRefineCommand() *cobra.Command {
	var listen string
	var pages []string
	cmd := &cobra.Command{
		Use: "openrefine", Short: "Let OpenRefine on this machine reconcile names with the server, until Ctrl-C", Args: arguments(cobra.NoArgs),
		Long: "Serves the reconciliation service on this machine and adds the key. In OpenRefine: Reconcile, Start reconciling, Add standard service, and the address that is printed.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			host, _, err := net.SplitHostPort(listen)
			if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
				return usagef("--listen is %q, not an address of this machine alone, such as 127.0.0.1:3334: whoever reaches it asks with your key", listen)
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			relay, err := newRelay(os.Getenv("RAZAO_URL"), os.Getenv("RAZAO_CHAVE"), "http://"+l.Addr().String(), pages)
			if err != nil {
				return errors.Join(err, l.Close())
			}
			fmt.Fprintf(cmd.OutOrStdout(), "http://%s%s\n", l.Addr(), reconcilePath)
			return serveUntil(cmd.Context(), l, relay)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:3334", "address of this machine")
	cmd.Flags().StringArrayVar(&pages, "page", []string{openRefinePages, "http://localhost:3333"}, "origin of OpenRefine's pages")
	return cmd
}

// serveUntil serves until ctx ends.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	return server.Shutdown(late)
}

// relay forwards the requests of the protocol.
type relay struct {
	proxy *httputil.ReverseProxy
	own   *url.URL // its address
	site  string   // of the API
	pages []string // origins that may ask from a browser
}

func newRelay(site, key, own string, pages []string) (*relay, error) {
	to, err := url.Parse(strings.TrimSuffix(site, "/"))
	if err != nil {
		return nil, err
	}
	self, err := url.Parse(own)
	if err != nil {
		return nil, err
	}
	r := &relay{own: self, site: to.String(), pages: pages}
	r.proxy = &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			query := url.Values{}
			for name, values := range p.In.URL.Query() {
				if slices.Contains(spoken, name) {
					query[name] = values
				}
			}
			p.Out.URL.RawQuery = query.Encode()
			p.Out.Header = http.Header{"Authorization": {"Bearer " + key}, "Accept": {"application/json, text/html"}}
			if kind := p.In.Header.Get("Content-Type"); kind != "" {
				p.Out.Header.Set("Content-Type", kind)
			}
		},
		ModifyResponse: r.answered,
		ErrorLog:       log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, "razao ask openrefine: "+err.Error(), http.StatusBadGateway)
		},
	}
	return r, nil
}

// ServeHTTP lets programs of this machine ask, and pages of OpenRefine. Others are refused: a page from elsewhere that sends a
// form (CSRF), or one whose name leads here (DNS rebinding), would ask with the key.
func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	origin := req.Header.Get("Origin")
	frames := originOf(req.Referer())
	_, port, _ := net.SplitHostPort(r.own.Host)
	switch {
	case req.Host != r.own.Host && req.Host != "localhost:"+port,
		origin != "" && !slices.Contains(r.pages, origin),
		origin == "" && req.Header.Get("Sec-Fetch-Site") == "cross-site" && !slices.Contains(r.pages, frames):
		http.Error(w, "razao ask openrefine: only for OpenRefine on this machine (--page)", http.StatusForbidden)
		return
	case path.Clean(req.URL.Path) != req.URL.Path, req.URL.Path != reconcilePath && !strings.HasPrefix(req.URL.Path, reconcilePath+"/"):
		http.NotFound(w, req)
		return
	}
	if origin != "" {
		w.Header().Set("Access-Control-Allow-Origin", origin)
		w.Header().Set("Vary", "Origin")
	}
	if req.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type, X-Requested-With")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	r.proxy.ServeHTTP(w, req)
}

// originOf returns the origin of an address, "" if it has none.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// answered lets OpenRefine frame previews, and makes the services of the manifest those of the relay.
func (r *relay) answered(resp *http.Response) error {
	resp.Header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors "+strings.Join(r.pages, " "))
	resp.Header.Del("Strict-Transport-Security")
	if resp.Request.URL.Path != reconcilePath || resp.Request.URL.RawQuery != "" || resp.Request.Method != http.MethodGet || resp.StatusCode != http.StatusOK {
		return nil
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	_ = resp.Body.Close()
	var manifest map[string]any
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return fmt.Errorf("the manifest of %s: %w", r.site, err)
	}
	delete(manifest, "authentication")
	for _, service := range []string{"preview", "suggest", "extend"} {
		if manifest[service] != nil { // a server that does not know its address names none
			manifest[service] = r.here(manifest[service])
		}
	}
	if raw, err = json.Marshal(manifest); err != nil {
		return err
	}
	resp.Body = io.NopCloser(strings.NewReader(string(raw)))
	resp.ContentLength = int64(len(raw))
	resp.Header.Set("Content-Length", fmt.Sprint(len(raw)))
	resp.Header.Del("ETag")
	return nil
}

// here replaces the address of the site by that of the relay, at any depth.
func (r *relay) here(value any) any {
	switch v := value.(type) {
	case string:
		if at, path, ok := strings.Cut(v, reconcilePath); ok && strings.HasPrefix(at, "http") {
			return r.own.String() + reconcilePath + path
		}
		if strings.HasPrefix(v, "http") {
			return r.own.String()
		}
	case map[string]any:
		for name, inner := range v {
			v[name] = r.here(inner)
		}
	}
	return value
}
