package bndes

import (
	"strconv"

	"razao/ingest/rows"
	"razao/internal/cnpj"
	"razao/internal/registry/pack"
	"razao/internal/territory"
)

// The values of metodo_vinculo.
const (
	published   = "publicado"                       // the row has a whole CNPJ with valid check digits
	rootInName  = "inferido_raiz_no_nome"           // the name ends in the root of an establishment that exists
	maskAndName = "inferido_mascara_nome_municipio" // one establishment has visible positions, place and name
	notLinked   = "nao_vinculado"                   // none or several
)

// link is the establishment of an operation and how it is known.
type link struct {
	cnpj   cnpj.Full // 0 when not linked
	method string
}

// linker gathers what must be known of the establishments of the Receita load, finds it in one pass over them, and then
// tells the link of each operation. Its size follows the different questions, not the operations or the establishments.
// Answers may be asked for concurrently.
type linker struct {
	tom       map[string]uint64  // IBGE's code of a municipality → the tax authority's
	stated    map[cnpj.Full]bool // establishments that names speak of → exists
	spots     map[spot]int32     // → the first of the questions about it, which are a list
	questions []question
}

// question asks which establishments at a spot have a name.
type question struct {
	name  nameSum
	uf    [2]byte
	short bool      // the name is that of a row with brackets
	many  bool      // more than one establishment has it
	found cnpj.Full // 0: none so far
	next  int32     // further question about the spot, -1 after the last
}

// spot is what operations and establishments have in common without a name, packed: the last five positions of the
// root, the branch and the municipality.
type spot uint64

// tails is the number of different last five positions of a root.
const tails = 36 * 36 * 36 * 36 * 36

func makeSpot(tail int64, branch cnpj.Order, tom uint64) spot {
	const branchBits, tomBits = 21, 14 // hold 36^4 and 9999
	return spot(uint64(tail)<<(branchBits+tomBits) | uint64(branch)<<tomBits | tom)
}

func newLinker(atlas *territory.Atlas) *linker {
	l := &linker{tom: map[string]uint64{}, stated: map[cnpj.Full]bool{}, spots: map[spot]int32{}}
	for _, m := range atlas.Municipalities() {
		if code, ok := tomCode(m.RFB); ok && m.IBGE != "" {
			l.tom[m.IBGE] = code
		}
	}
	return l
}

// tomCode reads the tax authority's code of a municipality.
func tomCode(s string) (uint64, bool) {
	if len(s) != 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil
}

// mask is what a document shows when the first three positions and the check digits are hidden.
type mask struct {
	tail   int64 // the last five positions of the root
	branch cnpj.Order
}

// parseMask reads **.*37.334/0001-**.
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

// clues are what an operation with a masked document says of its client.
type clues struct {
	stated cnpj.Full // the establishment that the name speaks of, 0 when it does not
	spot   spot
	name   nameSum
	uf     [2]byte
	short  bool
	usable bool // spot, name and uf are known
}

func (l *linker) clues(o *operation, m mask) (c clues) {
	name, root, short := splitClient(o.values[cliente])
	if short && int64(root)%tails == m.tail {
		c.stated = cnpj.Join(root, m.branch)
	}
	tom, ok := l.tom[o.values[municipioCodigo]]
	if !ok || len(o.values[uf]) != len(c.uf) {
		return c
	}
	c.spot = makeSpot(m.tail, m.branch, tom)
	copy(c.uf[:], o.values[uf])
	c.short = short
	c.name, c.usable = sumName(name)
	return c
}

// ask notes what must be found for an operation.
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
	first, ok := l.spots[c.spot]
	if !ok {
		first = -1
	}
	l.spots[c.spot] = int32(len(l.questions))
	l.questions = append(l.questions, question{name: c.name, uf: c.uf, short: c.short, next: first})
}

// find returns the question that the clues are part of, nil when it was not asked.
func (l *linker) find(c *clues) *question {
	at, ok := l.spots[c.spot]
	if !ok {
		return nil
	}
	for at >= 0 {
		q := &l.questions[at]
		if q.name == c.name && q.uf == c.uf && q.short == c.short {
			return q
		}
		at = q.next
	}
	return nil
}

// answer returns the link of an operation that was asked about before the scan.
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
	if q := l.find(&c); q != nil && q.found != 0 && !q.many {
		return link{q.found, maskAndName}
	}
	return link{method: notLinked}
}

// visit compares the establishments of one company with the questions. Nearly all of them are at a spot that nobody asked
// about, and cost two look-ups.
func (l *linker) visit(h *pack.Head, c *pack.EstablishmentCursor) error {
	name := companyName{published: h.Company.RazaoSocial}
	tail := int64(h.Root) % tails
	for c.Next() {
		e := &c.Establishment
		if _, asked := l.stated[e.CNPJ]; asked {
			l.stated[e.CNPJ] = true
		}
		tom, ok := tomCode(e.Municipio)
		if !ok {
			continue
		}
		at, asked := l.spots[makeSpot(tail, e.CNPJ.Order(), tom)]
		if !asked {
			continue
		}
		for at >= 0 {
			q := &l.questions[at]
			if e.UF == string(q.uf[:]) && name.is(q) {
				q.many = q.found != 0
				q.found = e.CNPJ
			}
			at = q.next
		}
	}
	return c.Err()
}
