package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"

	"razao/internal/bench/questions"
)

const (
	answersOfUnit = 100 // questions of one unit of work
	longestWalk   = 8   // pages of a collection that are followed
)

// apiRoutes are the routes of the API, each repeated by its weight, for drawing.
var apiRoutes = func() (all []string) {
	for _, route := range []struct {
		path   string
		weight int
	}{
		{"/v1/cnpj/{cnpj}", 18},
		{"/v1/cnpj/{root}", 12},
		{"/v2/empresas/{root}/basic", 8},
		{"/v2/empresas/{root}/full", 8},
		{"/v2/empresas/{root}/estabelecimentos", 8},
		{"/v2/empresas/{root}/socios", 8},
		{"/v2/empresas/{root}/fontes/{source}", 8},
		{"/v2/empresas/{root}", 1},
		{"/v2/estabelecimentos/{cnpj}/basic", 8},
		{"/v2/estabelecimentos/{cnpj}/full", 8},
		{"/v2/estabelecimentos/{cnpj}/fontes/{source}", 8},
		{"/v2/estabelecimentos/{cnpj}", 1},
		{"/v2/fontes", 1},
	} {
		for range route.weight {
			all = append(all, route.path)
		}
	}
	return all
}()

// askAPI asks answersOfUnit questions of v1 and v2. One in eight is a request that must be refused.
func (r *run) askAPI(ctx context.Context, dice *rand.Rand, _ int) error {
	for left := answersOfUnit; left > 0; {
		c := r.subject(dice)
		if dice.IntN(8) == 0 {
			left--
			if _, err := r.ask(ctx, r.refusedByAPI(&c, dice)); err != nil {
				return err
			}
			continue
		}
		asked, err := r.walk(ctx, dice, &c, min(left, longestWalk))
		if err != nil {
			return err
		}
		left -= asked
	}
	return nil
}

// walk asks for an answer and follows its next pages. Now and then it repeats the question as a
// conditional request, or tampers with a cursor. It returns how many questions it asked.
func (r *run) walk(ctx context.Context, dice *rand.Rand, c *subject, most int) (asked int, err error) {
	route := questions.Pick(dice, apiRoutes)
	q := question{kind: route, path: c.fill(route), by: r.keys, header: accepting(dice)}
	if strings.HasPrefix(route, "/v2/") && route != "/v2/fontes" && dice.IntN(3) == 0 {
		q.path += "?limite=" + strconv.Itoa(questions.Pick(dice, []int{1, 2, 3, 7, 20, 49, 50, 51, 99, 100}))
	}
	if dice.IntN(30) == 0 {
		q.method = "HEAD"
	}
	for asked < most {
		got, err := r.ask(ctx, q)
		if err != nil {
			return asked, err
		}
		asked++
		if tag := got.header.Get("ETag"); tag != "" && dice.IntN(8) == 0 {
			tags := questions.Pick(dice, []string{tag, "W/" + tag, `"outra", ` + tag})
			known := question{kind: "API, If-None-Match", path: q.path, by: r.keys, header: map[string]string{"If-None-Match": tags}}
			if _, err := r.ask(ctx, known); err != nil {
				return asked, err
			}
			asked++
		}
		next := nextPages(got.body)
		if len(next) == 0 {
			return asked, nil
		}
		if q.path = questions.Pick(dice, next); dice.IntN(6) == 0 {
			q.kind, q.path = "API, cursors that are refused", tampered(q.path, dice)
		}
	}
	return asked, nil
}

// accepting draws the Accept-Encoding of a client, mostly none.
func accepting(dice *rand.Rand) map[string]string {
	if dice.IntN(3) > 0 {
		return nil
	}
	return map[string]string{"Accept-Encoding": questions.Pick(dice, []string{"gzip", "gzip, deflate, br", "br;q=1, gzip;q=0.5", "gzip;q=0", "*"})}
}

// nextPages returns every proxima_url of an answer: a full answer has several.
func nextPages(body []byte) (next []string) {
	for _, rest := range bytes.Split(body, []byte(`"proxima_url":`))[1:] {
		var to string
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&to) == nil && to != "" {
			next = append(next, to)
		}
	}
	return next
}

// tampered returns the address of a next page with another cursor, limit or collection. The MAC in
// a cursor makes servers refuse it.
func tampered(address string, dice *rand.Rand) string {
	path, query, _ := strings.Cut(address, "?")
	switch dice.IntN(4) {
	case 0:
		letter := "cursor=" + string(rune('a'+dice.IntN(26)))
		return path + "?" + strings.Replace(query, "cursor=", letter, 1)
	case 1:
		return path + "?" + query[:dice.IntN(len(query))]
	case 2:
		return strings.Replace(address, "estabelecimentos", "socios", 1)
	}
	return path + "?cursor=" + strings.Repeat("A", 70) + "&limite=20"
}

// Addresses that are refused. {bad} has a wrong check digit, {absent} is in no load.
var (
	malformed = []string{
		"/v1/cnpj/{bad}", "/v2/estabelecimentos/{bad}/full", "/v1/cnpj/{masked}", "/v1/cnpj/12abc34501de35", "/v1/cnpj/123",
		"/v1/cnpj/{root}?limite=1", "/v2/empresas/{cnpj}/basic", "/v2/estabelecimentos/{root}/basic", "/v2/empresas/{root}/fontes/serasa", "/v2/empresas/{root}/fontes/PGFN",
		"/v2/empresas/{root}/basic?cursor=x", "/v2/empresas/{root}/socios?cursor=x", "/v2/empresas/{root}/socios?cursor=",
		"/v2/empresas/{root}/socios?limite=0", "/v2/empresas/{root}/socios?limite=101", "/v2/empresas/{root}/socios?limite=01",
		"/v2/empresas/{root}/socios?limite=x", "/v2/empresas/{root}/socios?limite=", "/v2/empresas/{root}/socios?limite=1&limite=2",
		"/v2/empresas/{root}/full?pagina=2&ordem=x", "/v2/empresas/{root}/full?%zz", "/v2/empresas/{root}/nada", "/v2/{root}", "/v3/cnpj/{root}",
		"/v1", "/v2/", "/v1/cnpj/{root}/",
	}
	unknown = []string{
		"/v1/cnpj/{absent}", "/v1/cnpj/{absentroot}", "/v2/estabelecimentos/{absent}/full", "/v2/empresas/{absentroot}/fontes/{source}",
		"/v2/estabelecimentos/{nobranch}/basic",
	}
	closed  = []string{"/v1/cnpj/{cnpj}", "/v2/empresas/{root}/socios", "/v2/estabelecimentos/{bad}/basic"}
	fixed   = []string{"/v1/cnpj/{cnpj}", "/v2/empresas/{root}/socios", "/v2/fontes", "/v1/openapi.json", "/v2/nada"}
	keyless = []map[string]string{
		nil, {"Authorization": "Bearer rz_errada"}, {"Authorization": "Basic eDp5"}, {"Authorization": "Bearer"}, {"Authorization": "bearer  x y"},
	}
)

// refusedByAPI draws a question whose answer is an error: not found, unauthorized, method not
// allowed or malformed. The root taken for absent may exist after all.
func (r *run) refusedByAPI(c *subject, dice *rand.Rand) question {
	c.absent = dice.Int64N(100_000_000)
	switch dice.IntN(6) {
	case 0, 1:
		return question{kind: "API, not in the load", by: r.keys, path: c.fill(questions.Pick(dice, unknown))}
	case 2:
		return question{kind: "API, without a good key", header: questions.Pick(dice, keyless), path: c.fill(questions.Pick(dice, closed))}
	case 3:
		method := questions.Pick(dice, []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
		return question{kind: "API, other methods", by: r.keys, method: method, path: c.fill(questions.Pick(dice, fixed))}
	}
	return question{kind: "API, malformed", by: r.keys, path: c.fill(questions.Pick(dice, malformed))}
}
