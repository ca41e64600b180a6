package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"

	"razao/internal/source"
)

const (
	comparedDocuments = 1_000 // of each kind
	shownDifferences  = 20    // of each kind
)

// agreement says of how many documents tools and API say the same.
type agreement struct {
	name             string
	documents, equal int
	values           int      // that were compared: texts, numbers, truths and nulls
	differences      []string // the first of them
}

// comparer asks both for the same.
type comparer struct {
	server *server
	keys   []string
	turn   int
}

// compareAnswers compares what tools and API say of random companies, and of establishments that sources have records of.
func compareAnswers(ctx context.Context, s *server, keys []string, d *drawn, all owners) ([]agreement, error) {
	c := &comparer{server: s, keys: keys}
	r := rand.New(rand.NewPCG(1, 8))
	companies := agreement{name: "random companies, 8 positions"}
	establishments := agreement{name: "random establishments, 14 positions"}
	recorded := agreement{name: "establishments with records, 14 positions"}
	ids := source.IDs()
	for i := range comparedDocuments {
		owned := all[ids[i%len(ids)]]
		for _, one := range []struct {
			to             *agreement
			kind, document string
		}{
			{&companies, "empresas", d.roots[r.IntN(len(d.roots))].String()},
			{&establishments, "estabelecimentos", d.numbers[r.IntN(len(d.numbers))].String()},
			{&recorded, "estabelecimentos", owned[r.IntN(len(owned))].String()},
		} {
			if err := c.compare(ctx, one.to, one.kind, one.document); err != nil {
				return nil, fmt.Errorf("compare %s: %w", one.document, err)
			}
		}
	}
	return []agreement{companies, establishments, recorded}, nil
}

type object = map[string]any

// compare compares the record of a document, and the first records of each source that has any.
func (c *comparer) compare(ctx context.Context, to *agreement, kind, document string) error {
	path := "/v2/" + kind + "/" + document
	full, err := c.rest(ctx, path+"/full")
	if err != nil {
		return err
	}
	record, err := c.tool(ctx, "consultar_cnpj", object{"cnpj": document})
	if err != nil {
		return err
	}
	d := differ{}
	found := d.record(full, record)
	for _, id := range found {
		page, err := c.rest(ctx, path+"/fontes/"+id+"?limite=20")
		if err != nil {
			return err
		}
		told, err := c.tool(ctx, "consultar_fonte", object{"cnpj": document, "fonte": id, "limite": 20})
		if err != nil {
			return err
		}
		d.records(id, page, told)
	}
	to.add(document, &d)
	return nil
}

func (a *agreement) add(document string, d *differ) {
	a.documents++
	a.values += d.values
	if len(d.found) == 0 {
		a.equal++
	}
	for _, text := range d.found {
		if len(a.differences) < shownDifferences {
			a.differences = append(a.differences, document+": "+text)
		}
	}
}

// differ collects differences between what the API says and what a tool says.
type differ struct {
	values int
	found  []string
}

// record compares a record and returns the sources that have something.
func (d *differ) record(full, record object) (found []string) {
	dados, meta := field(full, "dados"), field(full, "meta")
	for _, name := range []string{"recurso", "documento", "competencia", "fotografia", "disponibilidade"} {
		d.same(name, meta[name], record[name])
	}
	company, told := field(dados, "empresa"), field(record, "empresa")
	d.same("empresa", without(company, "socios"), without(told, "socios"))
	d.beginning("socios", field(company, "socios"), field(told, "socios"))
	d.same("estabelecimento", dados["estabelecimento"], record["estabelecimento"])
	if all, ok := dados["estabelecimentos"].(object); ok {
		d.beginning("estabelecimentos", all, field(record, "estabelecimentos"))
		d.same("total_estabelecimentos", all["total"], record["total_estabelecimentos"])
	}
	for theme, pages := range field(dados, "registros_publicos") {
		for id, page := range pages.(object) {
			state := without(page.(object), "itens", "proximo_cursor", "proxima_url", "proveniencia", "documento")
			d.same(id, state, field(field(field(record, "registros_publicos"), theme), id))
			if state["status"] == "encontrado" {
				found = append(found, id)
			}
		}
	}
	slices.Sort(found)
	return found
}

// records compares pages of a source.
func (d *differ) records(id string, page, told object) {
	dados := field(page, "dados")
	for _, name := range []string{"status", "escopo", "competencia", "carregada_em", "cobertura_inicio", "desatualizada", "total"} {
		d.same(id+" "+name, dados[name], told[name])
	}
	d.same(id, dados["itens"], told["itens"])
}

// beginning compares a collection with the first items of it.
func (d *differ) beginning(what string, all, shown object) {
	d.same(what+" total", all["total"], shown["total"])
	items, _ := shown["itens"].([]any)
	whole, _ := all["itens"].([]any)
	if total := fmt.Sprint(shown["total"]); len(items) == 0 && total != "0" || (shown["proximo_cursor"] == nil) != (total == strconv.Itoa(len(items))) {
		d.found = append(d.found, fmt.Sprintf("%s: %d items of %s, cursor %v", what, len(items), total, shown["proximo_cursor"]))
	}
	d.same(what, any(whole[:min(len(items), len(whole))]), any(items))
}

// same compares two JSON values.
func (d *differ) same(at string, want, got any) {
	switch want := want.(type) {
	case object:
		got, ok := got.(object)
		if !ok || !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) {
			break
		}
		for name := range want {
			d.same(at+"."+name, want[name], got[name])
		}
		return
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			break
		}
		for i := range want {
			d.same(at+"["+strconv.Itoa(i)+"]", want[i], got[i])
		}
		return
	default:
		d.values++
		if want == got {
			return
		}
	}
	d.found = append(d.found, fmt.Sprintf("%s: the API says %.200v, the tool %.200v", at, want, got))
}

func field(o object, name string) object {
	value, _ := o[name].(object)
	return value
}

// without returns a copy that lacks some keys.
func without(o object, keys ...string) object {
	rest := object{}
	for key, value := range o {
		if !slices.Contains(keys, key) {
			rest[key] = value
		}
	}
	return rest
}

func (c *comparer) rest(ctx context.Context, path string) (object, error) {
	return c.ask(ctx, http.MethodGet, path, nil)
}

// tool returns the structure that a tool answers with.
func (c *comparer) tool(ctx context.Context, name string, arguments object) (object, error) {
	call := object{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": object{"name": name, "arguments": arguments}}
	body, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	answer, err := c.ask(ctx, http.MethodPost, "/mcp", body)
	if err != nil {
		return nil, err
	}
	structure := field(field(answer, "result"), "structuredContent")
	if structure == nil {
		return nil, fmt.Errorf("%s: %.300v", name, answer)
	}
	return structure, nil
}

// ask sends a request with the next key and reads the answer, whose numbers keep their digits.
func (c *comparer) ask(ctx context.Context, method, path string, body []byte) (object, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+c.server.Keyed+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.turn++
	request.Header.Set("Authorization", "Bearer "+c.keys[c.turn%len(c.keys)])
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, answer.Status)
	}
	decoder := json.NewDecoder(answer.Body)
	decoder.UseNumber()
	var o object
	if err := decoder.Decode(&o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return o, nil
}
