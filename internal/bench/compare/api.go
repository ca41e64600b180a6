package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"

	"razao/internal/cnpj"
	"razao/internal/source"
)

const (
	answersOfUnit = 100
	longestWalk   = 8 // pages of a collection
)

// route is a way of the API to ask about a company.
type route struct {
	kind   string
	weight int
	walks  bool // the answer is a page, and leads to the next one
	path   func(c *company, dice *rand.Rand) string
}

var apiRoutes = []route{
	{"v1, 14 positions", 18, false, func(c *company, dice *rand.Rand) string { return "/v1/cnpj/" + c.number(dice).String() }},
	{"v1, 8 positions", 12, false, func(c *company, _ *rand.Rand) string { return "/v1/cnpj/" + c.root.String() }},
	{"v2 empresas, basic", 8, false, ofCompany("basic")},
	{"v2 empresas, full", 8, true, ofCompany("full")},
	{"v2 empresas, estabelecimentos", 8, true, ofCompany("estabelecimentos")},
	{"v2 empresas, socios", 8, true, ofCompany("socios")},
	{"v2 empresas, fontes", 8, true, func(c *company, dice *rand.Rand) string {
		return ofCompany("fontes/"+c.source(dice))(c, dice)
	}},
	{"v2 estabelecimentos, basic", 8, false, ofEstablishment("basic")},
	{"v2 estabelecimentos, full", 8, true, ofEstablishment("full")},
	{"v2 estabelecimentos, fontes", 8, true, func(c *company, dice *rand.Rand) string {
		return ofEstablishment("fontes/"+c.source(dice))(c, dice)
	}},
	{"v2, without mode", 2, false, func(c *company, dice *rand.Rand) string {
		return strings.TrimSuffix(ofEstablishment("")(c, dice), "/")
	}},
	{"v2, fontes", 1, false, func(*company, *rand.Rand) string { return "/v2/fontes" }},
}

func ofCompany(mode string) func(*company, *rand.Rand) string {
	return func(c *company, _ *rand.Rand) string { return "/v2/empresas/" + c.root.String() + "/" + mode }
}

func ofEstablishment(mode string) func(*company, *rand.Rand) string {
	return func(c *company, dice *rand.Rand) string {
		return "/v2/estabelecimentos/" + c.number(dice).String() + "/" + mode
	}
}

// weighted has each route as often as it weighs.
var weighted = func() (all []*route) {
	for i := range apiRoutes {
		for range apiRoutes[i].weight {
			all = append(all, &apiRoutes[i])
		}
	}
	return all
}()

// askAPI asks for some answers of v1 and v2, one in eight of them in a way that must be refused.
func (r *run) askAPI(ctx context.Context, dice *rand.Rand, _ int) error {
	for left := answersOfUnit; left > 0; {
		c := r.drawn.one(dice)
		if dice.IntN(8) == 0 {
			left--
			if _, err := r.ask(ctx, refusedByAPI(&c, dice)); err != nil {
				return err
			}
			continue
		}
		asked, err := r.walk(ctx, dice, pick(dice, weighted), &c, left)
		if err != nil {
			return err
		}
		left -= asked
	}
	return nil
}

// walk asks one route, its further pages, and sometimes for an answer that is known already.
func (r *run) walk(ctx context.Context, dice *rand.Rand, way *route, c *company, most int) (asked int, err error) {
	q := question{kind: way.kind, path: way.path(c, dice), by: byKey, header: accepting(dice)}
	if strings.HasPrefix(q.path, "/v2/") && q.path != "/v2/fontes" && dice.IntN(3) == 0 {
		q.path += "?limite=" + strconv.Itoa(pick(dice, []int{1, 2, 3, 7, 20, 49, 50, 51, 99, 100}))
	}
	if dice.IntN(30) == 0 {
		q.method = "HEAD"
	}
	for asked < min(most, longestWalk) {
		got, err := r.ask(ctx, q)
		if err != nil {
			return asked, err
		}
		asked++
		if tag := got.header.Get("ETag"); tag != "" && dice.IntN(8) == 0 && asked < most {
			known := q
			known.kind, known.header = "API, If-None-Match", map[string]string{"If-None-Match": pick(dice, []string{tag, "W/" + tag, `"outra", ` + tag})}
			if _, err := r.ask(ctx, known); err != nil {
				return asked, err
			}
			asked++
		}
		next := nextPages(got.body)
		if !way.walks || len(next) == 0 {
			return asked, nil
		}
		q.path = pick(dice, next)
		if dice.IntN(6) == 0 && asked < most {
			if _, err := r.ask(ctx, question{kind: "API, cursors that are refused", path: tampered(q.path, dice), by: byKey}); err != nil {
				return asked, err
			}
			asked++
		}
	}
	return asked, nil
}

// accepting returns the headers of a client that takes packed answers, or of one that does not say.
func accepting(dice *rand.Rand) map[string]string {
	if dice.IntN(3) > 0 {
		return nil
	}
	return map[string]string{"Accept-Encoding": pick(dice, []string{"gzip", "gzip, deflate, br", "br;q=1, gzip;q=0.5", "gzip;q=0", "*"})}
}

// nextPages returns every proxima_url of an answer.
func nextPages(body []byte) (next []string) {
	const key = `"proxima_url":`
	for _, rest := range bytes.Split(body, []byte(key))[1:] {
		var to string
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&to) == nil && to != "" {
			next = append(next, to)
		}
	}
	return next
}

// tampered changes the cursor, the limit or the collection of the address of a next page.
func tampered(address string, dice *rand.Rand) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := u.Query()
	switch dice.IntN(4) {
	case 0:
		cursor := []byte(query.Get("cursor"))
		cursor[dice.IntN(len(cursor))] ^= 1
		query.Set("cursor", string(cursor))
	case 1:
		query.Set("limite", "33")
	case 2:
		u.Path = strings.Replace(u.Path, "estabelecimentos", "socios", 1) + "/"
	case 3:
		query.Set("cursor", strings.Repeat("A", 70))
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// refusedByAPI returns a question whose answer is an error, nearly always.
func refusedByAPI(c *company, dice *rand.Rand) question {
	number, root := c.number(dice), c.root.String()
	bad := []byte(number.String())
	bad[13] = '0' + (bad[13]-'0'+1)%10
	absent := cnpj.Join(cnpj.Root(dice.Int64N(100_000_000)), cnpj.Order(1+dice.IntN(3)))
	q := question{kind: "API, refused", by: byKey, path: pick(dice, []string{
		"/v1/cnpj/" + string(bad), "/v2/estabelecimentos/" + string(bad) + "/full",
		"/v1/cnpj/" + url.PathEscape(number.Masked()), "/v1/cnpj/" + strings.ToLower("12ABC34501DE35"), "/v1/cnpj/123", "/v1/cnpj/" + root + "?limite=1",
		"/v2/empresas/" + number.String() + "/basic", "/v2/estabelecimentos/" + root + "/basic",
		"/v2/empresas/" + root + "/fontes/serasa", "/v2/empresas/" + root + "/fontes/" + strings.ToUpper(pick(dice, source.IDs())),
		"/v2/empresas/" + root + "/basic?cursor=x", "/v2/empresas/" + root + "/socios?cursor=x", "/v2/empresas/" + root + "/socios?cursor=",
		"/v2/empresas/" + root + "/socios?limite=" + pick(dice, []string{"0", "101", "01", "x", "", "-1", "1.5"}),
		"/v2/empresas/" + root + "/socios?limite=1&limite=2", "/v2/empresas/" + root + "/full?pagina=2&ordem=x", "/v2/empresas/" + root + "/full?%zz",
		"/v2/empresas/" + root + "/nada", "/v2/" + root, "/v3/cnpj/" + root, "/v1", "/v2/", "/v1/cnpj/" + root + "/",
	})}
	switch dice.IntN(6) {
	case 0, 1:
		q.kind = "API, not in the load"
		q.path = pick(dice, []string{
			"/v1/cnpj/" + absent.String(), "/v1/cnpj/" + absent.Root().String(), "/v2/estabelecimentos/" + absent.String() + "/full",
			"/v2/empresas/" + absent.Root().String() + "/fontes/" + pick(dice, source.IDs()),
			"/v2/estabelecimentos/" + cnpj.Join(c.root, cnpj.Orders-1-cnpj.Order(dice.IntN(50))).String() + "/basic",
		})
	case 2:
		q.kind, q.by = "API, without a good key", nobody
		q.header = pick(dice, []map[string]string{
			nil, {"Authorization": "Bearer rz_errada"}, {"Authorization": "Basic eDp5"}, {"Authorization": "Bearer"}, {"Authorization": "bearer  x y"},
		})
		q.path = pick(dice, []string{"/v1/cnpj/" + number.String(), "/v2/empresas/" + root + "/socios", "/v2/estabelecimentos/" + string(bad) + "/basic"})
	case 3:
		q.kind, q.method = "API, other methods", pick(dice, []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
		q.path = pick(dice, []string{"/v1/cnpj/" + number.String(), "/v2/empresas/" + root + "/socios", "/v2/fontes", "/v1/openapi.json", "/v2/nada"})
	}
	return q
}

// textField returns the first text in a field of a JSON object, which may be a list; "" when there is none.
func textField(body []byte, name string) string {
	var object map[string]any
	if json.Unmarshal(body, &object) != nil {
		return ""
	}
	value := object[name]
	if list, ok := value.([]any); ok && len(list) > 0 {
		value = list[0]
	}
	text, ok := value.(string)
	if !ok {
		return ""
	}
	return text
}
