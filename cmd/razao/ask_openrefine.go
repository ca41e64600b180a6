package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
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
	"regexp"
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

// origins matches the origins of pages as browsers write them (RFC 6454, section 6.2). They become part of a policy.
var origins = regexp.MustCompile(`^https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$`)

// spoken are the parameters that decide an answer. The API refuses those that it does not know, such as callback, which OpenRefine may send.
var spoken = []string{"queries", "extend", "id"}

// openRefineCommand stands between OpenRefine and the API: a server for this machine alone, which has the key, as OpenRefine cannot,
// and allows the page of OpenRefine what the API allows no browser (CORS). Its address is a capability: whoever knows it may ask.
func (k *asker) openRefineCommand() *cobra.Command {
	var listen string
	var pages []string
	cmd := &cobra.Command{
		Use: "openrefine", Short: "Let OpenRefine on this machine reconcile names with the server, until Ctrl-C", Args: arguments(cobra.NoArgs),
		Long: "Serves the reconciliation service on this machine and adds the key. In OpenRefine: Reconcile, Start reconciling, Add standard service, and the address that is printed.\n" +
			"The address is secret, and the same as long as the key is: every program and every user of this machine that knows it asks with your key while the command runs. " +
			"Pages in browsers may ask only if --page names their origin.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			host, _, err := net.SplitHostPort(listen)
			if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
				return usagef("--listen is %q, not an address of this machine alone, such as 127.0.0.1:3334: whoever reaches it asks with your key", listen)
			}
			for _, page := range pages { // "null" is the origin of any page that hides its own
				if !origins.MatchString(page) {
					return usagef("--page is %q, not the origin of a page, such as %s", page, openRefinePages)
				}
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			relay, err := newRelay(os.Getenv("RAZAO_URL"), os.Getenv("RAZAO_CHAVE"), "http://"+l.Addr().String(), pages)
			if err != nil {
				return errors.Join(err, l.Close())
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s%s\n", relay.own, reconcilePath)
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
	own   *url.URL // its address, whose path is secret
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
	self.Path = "/" + secretOf(key)
	r := &relay{own: self, site: to.String(), pages: pages}
	r.proxy = &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Path, _ = r.below(p.In.URL.Path)
			p.Out.URL.RawPath = ""
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

// secretOf returns the secret segment of the relay's address. It follows from the key, so that OpenRefine finds the service
// again that a project was reconciled with.
func secretOf(key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = io.WriteString(mac, "razao ask openrefine") // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// below returns what follows the secret segment of a path; false if it has another, or is none of the protocol.
func (r *relay) below(asked string) (rest string, ok bool) {
	own := r.own.Path
	if len(asked) < len(own) || subtle.ConstantTimeCompare([]byte(asked[:len(own)]), []byte(own)) != 1 || path.Clean(asked) != asked {
		return "", false
	}
	rest = asked[len(own):]
	return rest, rest == reconcilePath || strings.HasPrefix(rest, reconcilePath+"/")
}

// ServeHTTP lets those ask who know the address, if they are programs, which send no headers of browsers, or pages of OpenRefine. Other
// pages are refused although they cannot know it: one that sends a form or shows a frame (CSRF), from another port of this machine, too,
// which browsers call the same site, or one whose name leads here (DNS rebinding).
func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer")
	origin := req.Header.Get("Origin")
	_, port, _ := net.SplitHostPort(r.own.Host)
	if _, ok := r.below(req.URL.Path); !ok {
		http.NotFound(w, req)
		return
	}
	if req.Host != r.own.Host && req.Host != "localhost:"+port || !r.mayAsk(req.Header) {
		http.Error(w, "razao ask openrefine: only for OpenRefine on this machine (--page)", http.StatusForbidden)
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

// mayAsk reports whether a request is of a program, of a page of OpenRefine, or of somebody who typed the address. Frames of pages, such
// as previews, come without Origin: then Referer names the page, which no other page can claim.
func (r *relay) mayAsk(h http.Header) bool {
	origin, referer, site := h.Get("Origin"), h.Get("Referer"), h.Get("Sec-Fetch-Site")
	switch {
	case origin != "":
		return slices.Contains(r.pages, origin)
	case referer != "":
		return slices.Contains(r.pages, originOf(referer))
	}
	return site == "" || site == "none"
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
	if to, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		return fmt.Errorf("%s redirects to %s://%s: is this the address?", r.site, to.Scheme, to.Host)
	}
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
	for _, service := range []string{"preview", "extend"} {
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
