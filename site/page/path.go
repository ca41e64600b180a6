package page

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/slug"
	"razao/internal/territory"
)

// NumberOf reads the CNPJ of a path, masked or not: 14 positions, or the 8 of a company, for which full is 0.
func NumberOf(given string) (root cnpj.Root, full cnpj.Full, err error) {
	typed, ok := cnpj.Read(given)
	switch {
	case !ok || typed.Digits == 0: // words may have 8 or 14 letters too
		return 0, 0, ErrUnknownPath
	case typed.IsRoot():
		if root, err = cnpj.ParseRoot(typed.Text); err != nil {
			return 0, 0, Missing(typed.Text, err)
		}
		return root, 0, nil
	}
	if full, err = cnpj.ParseFull(typed.Text); err != nil {
		return 0, 0, Missing(typed.Text, err)
	}
	return full.Root(), full, nil
}

// StatePath is where the companies of a state are listed.
func StatePath(uf string) string { return "/uf/" + strings.ToLower(uf) }

// MunicipalityPath is where the companies of a municipality are listed. There is only one abroad: the page of the UF.
func MunicipalityPath(m territory.Municipality) string {
	if m.UF == territory.Abroad {
		return StatePath(m.UF)
	}
	return StatePath(m.UF) + "/" + m.Slug
}

// PartnerPath is where the companies of a partner are listed, whose visible digits and name in slug form are given.
func PartnerPath(digits, name string) string { return "/socio/" + digits + "/" + name }

// PersonPath is where the companies of a partner are listed, "" for partners who are not people and for those whose number
// shows no digits.
func PersonPath(p *record.Partner) string {
	digits, ok := p.VisibleDigits()
	name := slug.Make(p.NomeSocio)
	if !ok || name == "" {
		return ""
	}
	return PartnerPath(digits, name)
}

// LoginPath leads to /login with one of its messages, and to next from there.
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

// WithParameters appends parameters to a path, nothing when there are none.
func WithParameters(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// WithQuery appends the query of a request to another path.
func WithQuery(c *gin.Context, path string) string {
	if c.Request.URL.RawQuery == "" {
		return path
	}
	return path + "?" + c.Request.URL.RawQuery
}

// Moved returns the redirection to the path that a page has, when the request has another one for it.
func Moved(c *gin.Context, path string) (Reply, bool) {
	if c.Request.URL.Path == path {
		return Reply{}, false
	}
	return Reply{Status: http.StatusMovedPermanently, Location: WithQuery(c, path)}, true
}
