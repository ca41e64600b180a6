package bndes

import (
	"strconv"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
	"razao/internal/data/territory"
	"razao/internal/store/registry/pack"
)

// The values of metodo_vinculo, by precedence: a masked document is linked by the root in its name
// before its municipality is looked at. Names are compared folded and cut as BNDES cuts them. A
// root in the name must agree with the visible positions, and the branch must exist. Without one,
// the visible positions, municipality, UF and name must fit exactly one establishment.
const (
	published   = "publicado"                       // a full CNPJ with valid check digits
	rootInName  = "inferido_raiz_no_nome"           // root in the name
	maskAndName = "inferido_mascara_nome_municipio" // the only candidate
	notLinked   = "nao_vinculado"                   // no candidate, or more than one
)

// link is the establishment that an operation is linked to, and the method.
type link struct {
	cnpj   cnpj.Full // 0 when not linked
	method string
}

// linker collects the queries of all operations (ask), answers them in one pass over the
// establishments of the Receita load (visit), and then looks up the link of each operation
// (answer).
//
// A hash map holds the queries by key, with a chain for queries that differ only in name,
// UF or form. Visiting an establishment that nobody asked about costs two map look-ups. Memory is
// proportional to the distinct queries.
//
// ask and visit run on one goroutine, one phase after the other; answer only reads and may be
// called concurrently.
type linker struct {
	tom     map[string]uint64  // IBGE code of a municipality → the tax authority's (TOM)
	stated  map[cnpj.Full]bool // establishments that names state the root of → seen by visit
	keys    map[key]int32      // → index of the first query of the chain
	queries []query
}

// query asks which establishment with a key has a name. Two operations with the same clues share
// one query.
type query struct {
	name      nameSum
	uf        [2]byte
	bracketed bool      // the name is cut at shortColumns, because the root follows in brackets
	ambiguous bool      // more than one establishment fits: no link
	found     cnpj.Full // the last that fits, 0 for none
	next      int32     // index of the next query with the key, -1 after the last
}

// key packs what a masked operation and an establishment must share besides the name: the last
// five positions of the root, the branch (order) and the municipality's TOM code.
type key uint64

// tails is the number of different last five positions of a root, in base 36.
const tails = 36 * 36 * 36 * 36 * 36

// makeKey packs the three parts side by side; tom is a code from 0 to 9999.
func makeKey(tail int64, branch cnpj.Order, tom uint64) key {
	const branchBits, tomBits = 21, 14 // enough for 36^4 orders and the code 9999
	return key(uint64(tail)<<(branchBits+tomBits) | uint64(branch)<<tomBits | tom)
}

// newLinker returns a linker that knows the TOM code of every municipality with an IBGE code.
func newLinker(atlas *territory.Atlas) *linker {
	l := &linker{tom: map[string]uint64{}, stated: map[cnpj.Full]bool{}, keys: map[key]int32{}}
	for _, m := range atlas.Municipalities() {
		if code, ok := tomCode(m.RFB); ok && m.IBGE != "" {
			l.tom[m.IBGE] = code
		}
	}
	return l
}

// tomCode parses the tax authority's four-digit code of a municipality.
func tomCode(s string) (uint64, bool) {
	if len(s) != 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}

// mask is the visible part of a masked CNPJ.
type mask struct {
	tail   int64 // the last five positions of the root
	branch cnpj.Order
}

// parseMask reads a masked CNPJ, **.*37.334/0001-**. ok is false for every other document.
func parseMask(document string) (m mask, ok bool) {
	s := cnpj.Unmask(document)
	if len(s) != 14 || s[:3] != "***" || s[12:] != "**" {
		return mask{}, false
	}
	root, err := cnpj.ParseRoot("000" + s[3:8])
	if err != nil {
		return mask{}, false
	}
	branch, err := cnpj.ParseOrder(s[8:12])
	return mask{int64(root), branch}, err == nil
}

// clues is what an operation with a masked document says about its client.
type clues struct {
	stated    cnpj.Full // from the root in the name, if it agrees with the mask; else 0
	key       key
	name      nameSum
	uf        [2]byte
	bracketed bool
	usable    bool // key, name and UF are known, so a query can be asked
}

// clues reads an operation's clues. The root in a name counts only when its last five positions are
// the visible ones.
func (l *linker) clues(o *operation, m mask) (c clues) {
	name, root, bracketed := splitClient(o.values[cliente])
	if bracketed && int64(root)%tails == m.tail {
		c.stated = cnpj.Join(root, m.branch)
	}
	tom, ok := l.tom[o.values[municipioCodigo]]
	if !ok || len(o.values[uf]) != len(c.uf) {
		return c
	}
	c.key = makeKey(m.tail, m.branch, tom)
	copy(c.uf[:], o.values[uf])
	c.bracketed = bracketed
	c.name, c.usable = sumName(name)
	return c
}

// ask records the query of one operation; published documents need none.
func (l *linker) ask(o *operation) {
	m, ok := parseMask(o.values[documentoFonte])
	if !ok {
		return
	}
	c := l.clues(o, m)
	if c.stated != 0 {
		l.stated[c.stated] = false
	}
	if !c.usable || l.find(&c) != nil {
		return
	}
	first, ok := l.keys[c.key]
	if !ok {
		first = -1
	}
	l.keys[c.key] = int32(len(l.queries))
	l.queries = append(l.queries, query{name: c.name, uf: c.uf, bracketed: c.bracketed, next: first})
}

// find returns the query with these clues, nil when nobody asked it.
func (l *linker) find(c *clues) *query {
	at, ok := l.keys[c.key]
	if !ok {
		return nil
	}
	for at >= 0 {
		q := &l.queries[at]
		if q.name == c.name && q.uf == c.uf && q.bracketed == c.bracketed {
			return q
		}
		at = q.next
	}
	return nil
}

// answer returns the link of an operation, which must have been asked about before the scan.
func (l *linker) answer(o *operation) link {
	document := o.values[documentoFonte]
	if owner, ok := rows.ParseOwner(document); ok && owner.Published == "" {
		return link{cnpj.Join(owner.Root, owner.Order), published}
	}
	m, ok := parseMask(document)
	if !ok {
		return link{method: notLinked}
	}
	c := l.clues(o, m)
	if c.stated != 0 && l.stated[c.stated] {
		return link{c.stated, rootInName}
	}
	if !c.usable {
		return link{method: notLinked}
	}
	if q := l.find(&c); q != nil && q.found != 0 && !q.ambiguous {
		return link{q.found, maskAndName}
	}
	return link{method: notLinked}
}

// visit is a Scan visitor: it marks stated establishments as existing and counts the candidates of
// each query. Establishments of every registration status take part.
func (l *linker) visit(h *pack.Head, c *pack.EstablishmentCursor) error {
	name := companyName{published: h.Company.RazaoSocial}
	tail := int64(h.Root) % tails
	for c.Next() {
		e := &c.Establishment
		if _, stated := l.stated[e.CNPJ]; stated {
			l.stated[e.CNPJ] = true
		}
		tom, ok := tomCode(e.Municipio)
		if !ok {
			continue
		}
		at, queried := l.keys[makeKey(tail, e.CNPJ.Order(), tom)]
		if !queried {
			continue
		}
		for at >= 0 {
			q := &l.queries[at]
			if e.UF == string(q.uf[:]) && name.is(q) {
				q.ambiguous = q.found != 0
				q.found = e.CNPJ
			}
			at = q.next
		}
	}
	return c.Err()
}
