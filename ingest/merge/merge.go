// Package merge joins the four tables of a release of the Receita (companies, establishments,
// partners, Simples) into one record per CNPJ root. From the records sorted by root it makes, in a
// single pass, the rows of the record store, the documents of the search index and the list of
// pages for search engines; [Output.Rebuild] makes documents and pages again from the record store
// alone.
//
// # Order
//
// [Handler] packs each published row and adds it to an external sort (index/extsort) under a key
// of two parts: the root; then the kind of row and, for establishments, their order. All rows of a
// root meet in one bucket, company first. [Ranges] chooses the boundaries of the buckets from a
// sample of the files.
//
// # Merge
//
// [Output.Merge] sorts and joins the buckets with one goroutine per worker and writes the results
// in the order of roots. Rules resolve what the files repeat or leave dangling:
//
//   - of several rows of a company the last with a name wins (rule empresa_repetida)
//   - of several rows of an establishment the one with the latest status date wins
//     (estabelecimento_repetido)
//   - of several rows of Simples the last wins (simples_repetido)
//   - a partner row published twice counts once (socio_repetido)
//   - partners and Simples of a root without company and establishment are dropped
//     (socio_sem_empresa, simples_sem_empresa)
//
// "Last" is by the bytes of the packed rows: the sort breaks ties by payload, so the result does not
// depend on which goroutine read a row first. A root with establishments but no company row is kept.
//
// Every row is counted once, as loaded or under a rule, and the merge fails unless the sum is the
// number of rows that were sorted. At most one bucket per worker is in memory, and workers+1 results
// that wait to be written.
package merge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"razao/index/build"
	"razao/index/extsort"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Output is where a merge or a rebuild writes. All fields are required.
type Output struct {
	Documents *build.Builder // receives one document per establishment
	// Pages receives the numbers of the pages for search engines, rising over all calls: active
	// establishments, except those of individual entrepreneurs. It is called by one goroutine at a
	// time and may not keep the slice.
	Pages func(numbers []cnpj.Full) error
	// Rows receives the rows of the record store in COPY format, in order, as Pages receives numbers;
	// nil: they are not wanted. It may not keep the slice.
	Rows func(rows []byte) error
	// Progress is told how many of the records are done, by one goroutine at a time.
	Progress func(done, total int64)
	Workers  int // goroutines, at least 1
}

// merged is the result of one bucket of roots.
type merged struct {
	rows   []byte // for the record store, in binary COPY format
	pages  []cnpj.Full
	counts registry.Counts
}

// Merge joins the sorted records: the rows of every root go to store, its documents and pages to o.
// It returns the counts of the load, with the rows that each rule discarded, and neither commits
// store nor removes s. After an error or the end of ctx the writes so far are incomplete and must
// be rolled back.
func (o *Output) Merge(ctx context.Context, s *extsort.Sorter, store *registry.LoadWriter) (registry.Counts, error) {
	total := registry.Counts{Discarded: map[string]int64{}}
	mergers := make(chan *merger, o.Workers)
	// Rows of a bucket take tens of megabytes. No more buffers exist than workers and waiting results.
	buffers := make(chan []byte, 2*o.Workers+1)
	for range o.Workers {
		mergers <- &merger{emitter: emitter{to: o.Documents.Writer()}, buffers: buffers}
	}
	records := s.Records()
	err := extsort.Run(ctx, s, o.Workers, func(b *extsort.Bucket) (merged, error) {
		m := <-mergers
		defer func() { mergers <- m }()
		return m.bucket(b)
	}, func(part merged) error {
		addCounts(&total, &part.counts)
		o.Progress(Loaded(&total)+total.AllDiscarded(), records)
		err := store.WriteRows(part.rows)
		if o.Rows != nil {
			err = errors.Join(err, o.Rows(part.rows))
		}
		buffers <- part.rows[:0]
		return errors.Join(err, o.Pages(part.pages))
	})
	if err != nil {
		return total, err
	}
	for range o.Workers {
		if err := (<-mergers).emitter.to.Close(); err != nil {
			return total, err
		}
	}
	if got := Loaded(&total) + total.AllDiscarded(); got != records {
		return total, fmt.Errorf("%d records were read and %d accounted for", records, got)
	}
	return total, nil
}

// addCounts adds part to total.
func addCounts(total, part *registry.Counts) {
	total.Companies += part.Companies
	total.Establishments += part.Establishments
	total.ActiveEstablishments += part.ActiveEstablishments
	total.ActiveCompanies += part.ActiveCompanies
	total.Partners += part.Partners
	total.Simples += part.Simples
	for rule, n := range part.Discarded {
		total.Discarded[rule] += n
	}
}

// Loaded returns how many published rows are in the record store: companies, establishments,
// partners and options for the Simples.
func Loaded(c *registry.Counts) int64 { return c.Companies + c.Establishments + c.Partners + c.Simples }

// merger turns the buckets of one goroutine into rows and documents. Its buffers are reused from
// root to root; parts points into the bucket and is valid for one root.
type merger struct {
	emitter  emitter
	out      merged
	parts    pack.Parts
	partners []packedPartner
	buffers  chan []byte // of rows, to be used again
}

// packedPartner is a partner with its packed form, and the checksum of its published row.
type packedPartner struct {
	record.Partner
	packed []byte
	row    uint32
}

// bucket merges all roots of a bucket.
func (m *merger) bucket(b *extsort.Bucket) (merged, error) {
	m.out = merged{counts: registry.Counts{Discarded: map[string]int64{}}}
	select {
	case m.out.rows = <-m.buffers:
	default: // all are in use
	}
	for i := 0; i < b.Len(); {
		j := i + 1
		for j < b.Len() && b.Hi(j) == b.Hi(i) {
			j++
		}
		if err := m.root(b, i, j); err != nil {
			return merged{}, err
		}
		i = j
	}
	m.out.pages, m.emitter.pages = m.emitter.pages, nil
	return m.out, nil
}

// root merges the records i to j-1 of the bucket, which are those of one root, in the order of
// kinds.
func (m *merger) root(b *extsort.Bucket, i, j int) error {
	root := cnpj.Root(b.Hi(i))
	m.parts = pack.Parts{
		Partners:       m.parts.Partners[:0],
		Establishments: m.parts.Establishments[:0],
		Orders:         m.parts.Orders[:0],
	}
	m.partners = m.partners[:0]
	for ; i < j; i++ {
		_, lo, payload := b.At(i)
		var err error
		switch lo & kindMask {
		case kindCompany:
			m.company(payload)
		case kindSimples:
			if m.parts.Simples != nil {
				m.discard("simples_repetido", 1)
			}
			m.parts.Simples = payload
		case kindPartner:
			err = m.partner(payload)
		case kindEstablishment:
			err = m.establishment(root, cnpj.Order(lo&^kindMask), payload)
		}
		if err != nil {
			return fmt.Errorf("records of %s: %w", root, err)
		}
	}
	m.orderPartners()
	if m.parts.Company == nil && len(m.parts.Establishments) == 0 {
		m.orphans()
		return nil
	}
	m.out.rows = pack.AppendRows(m.out.rows, root, &m.parts)
	m.count()
	return m.index(root)
}

// company keeps the last row that has a name. In some months a blank row accompanies a good one,
// and must not replace it.
func (m *merger) company(payload []byte) {
	if m.parts.Company != nil {
		m.discard("empresa_repetida", 1)
		if payload[0] == 0 { // the packed form begins with the length of the name
			return
		}
	}
	m.parts.Company = payload
}

// partner collects a partner; orderPartners brings them into order.
func (m *merger) partner(payload []byte) error {
	p := packedPartner{row: binary.BigEndian.Uint32(payload), packed: payload[4:]}
	if err := pack.DecodePartner(p.packed, &p.Partner); err != nil {
		return err
	}
	m.partners = append(m.partners, p)
	return nil
}

// orderPartners sorts the partners of a root by name, document, qualification and date of entry,
// and drops repeated rows. A row is repeated if its packed form and the checksum of the published
// bytes are equal: rows that became equal only by cleaning (masked documents) are different
// partners.
func (m *merger) orderPartners() {
	slices.SortFunc(m.partners, func(a, b packedPartner) int {
		return cmp.Or(
			cmp.Compare(a.NomeSocio, b.NomeSocio),
			cmp.Compare(a.CNPJCPFSocio, b.CNPJCPFSocio),
			cmp.Compare(a.QualificacaoSocio, b.QualificacaoSocio),
			cmp.Compare(a.DataEntradaSociedade, b.DataEntradaSociedade),
			bytes.Compare(a.packed, b.packed),
			cmp.Compare(a.row, b.row))
	})
	for i := range m.partners {
		p := &m.partners[i]
		if i > 0 && p.row == m.partners[i-1].row && bytes.Equal(p.packed, m.partners[i-1].packed) {
			m.discard("socio_repetido", 1)
			continue
		}
		m.parts.Partners = append(m.parts.Partners, p.packed)
	}
}

// establishment keeps one row for each order, the one whose status is the latest; of equal dates
// the last. Rows come in the order of their orders, so only the last one kept can be a duplicate.
func (m *merger) establishment(root cnpj.Root, order cnpj.Order, payload []byte) error {
	last := len(m.parts.Orders) - 1
	if last < 0 || m.parts.Orders[last] != order {
		m.parts.Orders = append(m.parts.Orders, order)
		m.parts.Establishments = append(m.parts.Establishments, payload)
		return nil
	}
	m.discard("estabelecimento_repetido", 1)
	var kept, next record.Establishment
	if err := pack.DecodeEstablishment(m.parts.Establishments[last], root, &kept); err != nil {
		return err
	}
	if err := pack.DecodeEstablishment(payload, root, &next); err != nil {
		return err
	}
	if next.DataSituacaoCadastral >= kept.DataSituacaoCadastral {
		m.parts.Establishments[last] = payload
	}
	return nil
}

// orphans discards the partners and the Simples option of a root that has neither company nor
// establishment.
func (m *merger) orphans() {
	m.discard("socio_sem_empresa", int64(len(m.parts.Partners)))
	if m.parts.Simples != nil {
		m.discard("simples_sem_empresa", 1)
	}
}

// discard counts rows that a rule left out.
func (m *merger) discard(rule string, n int64) {
	if n > 0 {
		m.out.counts.Discarded[rule] += n
	}
}

// count counts what is kept of a root.
func (m *merger) count() {
	c := &m.out.counts
	if m.parts.Company != nil {
		c.Companies++
	}
	if m.parts.Simples != nil {
		c.Simples++
	}
	c.Partners += int64(len(m.parts.Partners))
	c.Establishments += int64(len(m.parts.Establishments))
}
