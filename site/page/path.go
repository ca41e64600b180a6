package page

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
)

// NumberOf parses a CNPJ from a path, masked or not, with 14 positions or the 8 of a root; for a
// root, full is 0. A word of eight letters is a root if the load has such a company. The error is
// [ErrUnknownPath] if given does not look like a CNPJ, or an *[UnknownCNPJ] if it is an invalid one, or one of the records.
func NumberOf(ctx context.Context, snap *snapshot.Snapshot, given string) (root cnpj.Root, full cnpj.Full, err error) {
	typed, ok := cnpj.Read(given)
	switch {
	case !ok || typed.Digits == 0 && !typed.IsRoot(): // two of fourteen positions are check digits
		return 0, 0, ErrUnknownPath
	case typed.IsRoot():
		if root, err = cnpj.ParseRoot(typed.Text); err != nil {
			return 0, 0, Missing(typed.Text, err)
		}
		if typed.Digits == 0 {
			if _, err = snap.Company(ctx, root); registry.IsAbsent(err) {
				err = ErrUnknownPath
			}
		}
		return root, 0, err
	}
	if full, err = cnpj.ParseFull(typed.Text); err != nil {
		return 0, 0, Missing(typed.Text, err)
	}
	return full.Root(), full, nil
}

// StatePath returns the path of the listing of a state.
func StatePath(uf string) string { return "/uf/" + strings.ToLower(uf) }

// MunicipalityPath returns the path of the listing of a municipality. Abroad (UF EX) there is only
// the listing of the UF.
func MunicipalityPath(m territory.Municipality) string {
	if m.UF == territory.Abroad {
		return StatePath(m.UF)
	}
	return StatePath(m.UF) + "/" + m.Slug
}

// PartnerPath returns the path of the listing of a partner's companies: the six visible digits of
// the CPF, and the name as a slug.
func PartnerPath(digits, name string) string { return "/socio/" + digits + "/" + name }

// ForeignerPath returns the path of the listing of the companies of a partner abroad: the tax
// authority's code of the country, "" if none is published, and the name as a slug.
func ForeignerPath(country, name string) string {
	if country == "" {
		country = "000"
	}
	return PartnerPath("ex-"+country, name)
}

// PersonPath is [PartnerPath] for a partner. It returns "" for partners that are companies or have
// no visible CPF digits.
func PersonPath(p *record.Partner) string {
	digits, ok := p.VisibleDigits()
	name := ptbr.Slug(p.NomeSocio)
	if !ok || name == "" {
		return ""
	}
	return PartnerPath(digits, name)
}

// LoginPath returns the path of /login. parameter ("error" or "aviso") and message choose its
// message, "" for none; next is where sign-in leads afterwards.
func LoginPath(parameter, message, next string) string {
	v := url.Values{}
	if message != "" {
		v.Set(parameter, message)
	}
	if next != "/" {
		v.Set("next", next)
	}
	return WithParameters("/login", v)
}

// WithParameters appends parameters to a path, sorted by name, and no "?" if there are none.
func WithParameters(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// Change sets parameters, given as name, value pairs; "" removes one.
func Change(v url.Values, changes ...string) {
	for i := 0; i+1 < len(changes); i += 2 {
		if v.Set(changes[i], changes[i+1]); changes[i+1] == "" {
			v.Del(changes[i])
		}
	}
}

// WithQuery appends the raw query of the request to path.
func WithQuery(c *gin.Context, path string) string {
	if c.Request.URL.RawQuery == "" {
		return path
	}
	return path + "?" + c.Request.URL.RawQuery
}

// Moved returns a 301 to path, the canonical path of the page, with the query kept. It returns
// false if the request has that path already.
func Moved(c *gin.Context, path string) (Reply, bool) {
	if c.Request.URL.Path == path {
		return Reply{}, false
	}
	return Reply{Status: http.StatusMovedPermanently, Location: WithQuery(c, path)}, true
}

// Encoded percent-encodes a text for the query of an address: all but unreserved characters (RFC
// 3986 §2.3).
func Encoded(text string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
