package assistant

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/journal"
	"razao/internal/store/registry/history"
	"razao/internal/store/render"
	"razao/internal/store/wording"
)

const (
	usualChanges = 20 // per page, by default
	mostChanges  = 50 // per page, at most
)

// ChangesQuery asks what changed in a company, or in the country.
type ChangesQuery struct {
	CNPJ      string   `json:"cnpj,omitempty" jsonschema:"empresa (8 posições) ou estabelecimento (14); sem ele, as do país, na ordem de publicação"`
	Desde     string   `json:"desde,omitempty" jsonschema:"só cargas publicadas neste dia ou depois, AAAA-MM-DD"`
	Eventos   []string `json:"eventos,omitempty" jsonschema:"códigos de eventos, como estabelecimento.aberto, ou começos deles: estabelecimento, empresa, socio, simples, mei, fonte, fonte.pgfn; todos se ausente"`
	UF        []string `json:"uf,omitempty" jsonschema:"só empresas destes estados, siglas; sem cnpj"`
	Municipio []string `json:"municipio,omitempty" jsonschema:"só empresas destes municípios, como Campinas/SP; sem cnpj"`
	CNAE      []string `json:"cnae,omitempty" jsonschema:"só empresas com estas atividades principais: seção ou 2, 3, 5 ou 7 dígitos; sem cnpj"`
	Lado      string   `json:"lado,omitempty" jsonschema:"que estado passa pelos filtros; ausente: um ou outro" enum:"antes,depois"`
	Limite    int      `json:"limite,omitempty" jsonschema:"eventos por página; 20 se ausente" minimum:"1" maximum:"50"`
	Cursor    string   `json:"cursor,omitempty" jsonschema:"proximo_cursor da página anterior; vale também depois de novas cargas"`
}

// Change is an event.
type Change struct {
	wording.Change
	*render.Renderer
}

func (r *reader) change(c *journal.Change) Change {
	return Change{wording.ChangeOf(r.codes.atlas, r.snap, c), r.Renderer}
}

// MarshalJSON implements json.Marshaler.
func (c Change) MarshalJSON() ([]byte, error) { return c.AppendEvent(nil, c.Event), nil }

// Coverage says from when to when the changes of a source are known.
type Coverage struct{ record.Coverage }

// MarshalJSON implements json.Marshaler.
func (c Coverage) MarshalJSON() ([]byte, error) { return render.AppendCoverage(nil, &c.Coverage), nil }

// WithdrawnLoad is a load whose events are not valid any more.
type WithdrawnLoad struct{ record.WithdrawnLoad }

// MarshalJSON implements json.Marshaler.
func (w WithdrawnLoad) MarshalJSON() ([]byte, error) {
	return render.AppendWithdrawnLoad(nil, &w.WithdrawnLoad), nil
}

// ChangesAnswer is a page of changes.
type ChangesAnswer struct {
	Origin
	Itens         []Change        `json:"itens"`
	Retiradas     []WithdrawnLoad `json:"retiradas" jsonschema:"cargas já lidas que foram desfeitas: os seus eventos não valem mais"`
	Cobertura     []Coverage      `json:"cobertura" jsonschema:"de cada fonte com história, desde quando se conhecem as mudanças e o que não foi comparado"`
	HaMais        bool            `json:"ha_mais" jsonschema:"true: há, ou pode haver, mais itens agora; uma página pode vir vazia"`
	ProximoCursor *string         `json:"proximo_cursor" jsonschema:"cursor de onde continuar; null no fim da história de um cnpj; sem cnpj, serve também depois da próxima carga"`
}

// Changes returns a page of the history of a company, newest first, or of the country, oldest first.
// Filters of the country need the search index (see [NeedsIndex]).
func (a *Assistant) Changes(ctx context.Context, q ChangesQuery) (*ChangesAnswer, error) {
	query, err := changeQuery(&q)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	coverage, err := journal.Coverage(ctx, snap)
	if err != nil {
		return nil, err
	}
	answer := &ChangesAnswer{Itens: []Change{}, Retiradas: []WithdrawnLoad{}, Cobertura: []Coverage{}}
	for i := range coverage {
		if coverage[i].Desde != nil || coverage[i].Falha != nil {
			answer.Cobertura = append(answer.Cobertura, Coverage{coverage[i]})
		}
	}
	r := a.read(snap)
	if q.CNPJ != "" {
		return answer, r.companyChanges(ctx, answer, &q, query)
	}
	return answer, r.countryChanges(ctx, answer, &q, query)
}

// changeQuery parses what needs no snapshot. The error is a *Refusal.
func changeQuery(q *ChangesQuery) (query journal.Query, err error) {
	if query.Limit, err = limitOf(q.Limite, usualChanges, mostChanges); err != nil {
		return query, err
	}
	if q.Desde != "" {
		if query.Since, err = time.Parse(time.DateOnly, q.Desde); err != nil {
			return query, refuse(Malformed, "O argumento desde não pode ser %q: envie um dia, AAAA-MM-DD.", q.Desde)
		}
	}
	var ok bool
	if query.Side, ok = journal.ParseSide(q.Lado); !ok {
		return query, refuse(Malformed, "O argumento lado não pode ser %q: envie antes ou depois, ou nada para os dois.", q.Lado)
	}
	for _, word := range q.Eventos {
		codes := change.Selected(word)
		if len(codes) == 0 {
			return query, refuse(Malformed, "Não há evento %q. Envie começos de códigos (%s) ou códigos inteiros: %s.", word,
				strings.Join(change.Groups(), ", "), strings.Join(change.Codes(), ", "))
		}
		query.Events = append(query.Events, codes...)
	}
	if q.CNPJ != "" && len(q.UF)+len(q.Municipio)+len(q.CNAE) > 0 {
		return query, refuse(Malformed, "Os argumentos uf, municipio e cnae são só para o país: com cnpj, envie eventos e desde.")
	}
	return query, nil
}

// companyChanges adds a page of the history of a company, or of an establishment with what is of its
// company as a whole.
func (r *reader) companyChanges(ctx context.Context, answer *ChangesAnswer, q *ChangesQuery, query journal.Query) error {
	d, err := parseDocument(q.CNPJ)
	if err != nil {
		return err
	}
	identity := fmt.Sprintf("mudancas %s %q %s", d.text, q.Eventos, q.Desde)
	from, err := positionOf(q.Cursor, identity)
	if err != nil {
		return err
	}
	of, err := journal.OfCompanies(ctx, r.snap, []cnpj.Root{d.Root}, 0)
	if err != nil {
		return err
	}
	if len(of[d.Root]) == 0 { // what is not in the load any more still has a history
		if _, err := existing(ctx, r.snap, d); err != nil {
			return err
		}
	}
	answer.Origin = r.origin(r.snap, "/"+d.text)
	for _, c := range of[d.Root] {
		at := history.Position{Seq: c.Load.Seq + 1, Event: c.Index} // from 1: the zero Position is the beginning
		switch {
		case d.Order != nil && !c.Concerns(*d.Order),
			c.Load.AnnouncedAt.Before(query.Since), query.Events != nil && !slices.Contains(query.Events, c.Code()),
			from.Seq > 0 && (at.Seq > from.Seq || at.Seq == from.Seq && at.Event < from.Event):
		case len(answer.Itens) == query.Limit:
			answer.HaMais, answer.ProximoCursor = true, positionCursor(at, identity)
			return nil
		default:
			answer.Itens = append(answer.Itens, r.change(&c))
		}
	}
	return nil
}

// countryChanges adds a page of the changes of the country.
func (r *reader) countryChanges(ctx context.Context, answer *ChangesAnswer, q *ChangesQuery, query journal.Query) (err error) {
	given := Filters{}
	for name, values := range (url.Values{"uf": q.UF, "municipio": q.Municipio, "cnae": q.CNAE}) {
		if len(values) > 0 {
			given[name] = values
		}
	}
	if query.Filters, err = r.filters(r.snap, given); err != nil {
		return err
	}
	filtered := query.Filters.Parameters().Encode()
	identity := fmt.Sprintf("mudancas %q %s %s", q.Eventos, q.Desde+q.Lado, filtered)
	if query.From, err = positionOf(q.Cursor, identity); err != nil {
		return err
	}
	page, err := journal.Walk(ctx, r.snap, query)
	if old := new(journal.TooOldError); errors.As(err, &old) {
		return refuse(Changed, "posicao_esquecida: a história guardada começa depois deste cursor, e o que houve entre os dois não pode mais ser lido. "+
			"Recomece com cursor=%q.", *positionCursor(old.Oldest, identity))
	}
	if err != nil {
		return wrongFilter(err)
	}
	answer.Origin = r.origin(r.snap, "/fontes")
	for i := range page.Changes {
		answer.Itens = append(answer.Itens, r.change(&page.Changes[i]))
	}
	for _, w := range page.Withdrawn {
		answer.Retiradas = append(answer.Retiradas, WithdrawnLoad{record.WithdrawnLoad{Fonte: w.Source, Competencia: w.Period, Carga: w.Load}})
	}
	answer.HaMais, answer.ProximoCursor = page.More, positionCursor(page.Next, identity)
	return nil
}

// positionCursor encodes a position that survives new loads: three or four uvarints, the last of which is not 0, then the digest of the
// query (see walk).
func positionCursor(p history.Position, identity string) *string {
	raw := binary.AppendUvarint(nil, uint64(p.Seq))
	raw = binary.AppendUvarint(raw, p.Hash)
	raw = binary.AppendUvarint(raw, uint64(p.Event))
	if p.AsOf != 0 {
		raw = binary.AppendUvarint(raw, uint64(p.AsOf))
	}
	text := base64.RawURLEncoding.EncodeToString(append(raw, digest(identity)...))
	return &text
}

// positionOf decodes a cursor of positionCursor; "" is the beginning. The error is a *Refusal.
func positionOf(cursor, identity string) (history.Position, error) {
	const longest = 62 // characters: four uvarints and a digest
	if cursor == "" {
		return history.Position{}, nil
	}
	if len(cursor) > longest {
		return history.Position{}, foreignCursor()
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	rest, ours := strings.CutSuffix(string(raw), string(digest(identity)))
	if err != nil || !ours {
		return history.Position{}, foreignCursor()
	}
	var numbers [4]uint64
	count := 0
	for ; rest != "" && count < len(numbers); count++ {
		n, length := binary.Uvarint([]byte(rest))
		if length <= 0 {
			return history.Position{}, foreignCursor()
		}
		numbers[count], rest = n, rest[length:]
	}
	if rest != "" || count < 3 || numbers[0] > 1<<62 || numbers[2] > 1<<31 || numbers[3] > 1<<62 {
		return history.Position{}, foreignCursor()
	}
	return history.Position{Seq: int64(numbers[0]), Hash: numbers[1], Event: int(numbers[2]), AsOf: int64(numbers[3])}, nil
}

// Text lists the events and what was not compared.
func (r *ChangesAnswer) Text() string {
	var t text
	t.line("Mudanças nesta página: %d.", len(r.Itens))
	for i := range r.Itens {
		t.change(&r.Itens[i])
	}
	for _, w := range r.Retiradas {
		t.line("A carga %d (%s, %s) foi desfeita: os eventos dela não valem mais.", w.Carga, w.Fonte, w.Competencia)
	}
	for i := range r.Cobertura {
		t.coverage(&r.Cobertura[i])
	}
	if r.HaMais {
		t.more("mudancas", r.ProximoCursor)
	}
	t.origin(&r.Origin)
	return t.String()
}

// change writes an event as a list item.
func (t *text) change(c *Change) {
	e := c.Event
	document := e.Root.String()
	if number, ok := e.Number(); ok {
		document = number.String()
	}
	who := ptbr.Join(", documento do sócio ", "CNPJ "+ptbr.Document(document), e.Partner.Document)
	loads := ptbr.Join(", comparada com ", "competência "+e.Load.Period, e.Load.FormerPeriod)
	t.line("- %s (%s), %s, %s", c.Title, e.Code(), who, ptbr.Plain(ptbr.Join(". ", loads, strings.Join(c.Lines, "; "))))
}

// coverage writes since when the changes of a source are known, and its gaps.
func (t *text) coverage(c *Coverage) {
	switch {
	case c.Desde == nil:
	case *c.Desde == *c.Ate && c.Desde.ComparadaCom == "":
		t.line("%s: a história começa na carga %s; só a próxima terá mudanças.", c.Fonte, c.Desde.Competencia)
	default:
		t.line("%s: mudanças conhecidas da carga %s à %s.", c.Fonte, c.Desde.Competencia, c.Ate.Competencia)
	}
	for _, g := range c.Lacunas {
		t.line("%s: na carga %s não foi possível comparar %s (%s). Isto não quer dizer que nada mudou.", c.Fonte, g.Competencia, g.Parte, g.Motivo)
	}
	if c.Falha != nil {
		t.line("%s: a carga %s não pôde ser publicada; o que ela mudaria ainda não se sabe.", c.Fonte, c.Falha.Competencia)
	}
}
