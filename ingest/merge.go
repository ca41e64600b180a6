package ingest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"razao/index/extsort"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// mergedBucket is the result of one bucket of roots.
type mergedBucket struct {
	rows   []byte // for the record store, in binary COPY format
	pages  []cnpj.Full
	counts registry.Counts
}

// merge joins the sorted records: the rows of every root go to store and to o, and its documents, edges
// and pages to o.
// It returns the counts of the load, with the rows that each rule discarded and what was noted of
// them, and neither commits store nor removes s. After an error or the end of ctx the writes so far
// are incomplete and must be rolled back.
func (o *outputs) merge(ctx context.Context, s *extsort.Sorter, store *registry.LoadWriter) (registry.Counts, error) {
	total := noCounts()
	workers, progress := o.in.workers(), o.in.progress("merge")
	mergers := make(chan *merger, workers)
	// Rows of a bucket take tens of megabytes. No more buffers exist than workers and waiting results.
	buffers := make(chan []byte, 2*workers+1)
	for range workers {
		mergers <- &merger{emitter: o.emitter(), buffers: buffers}
	}
	records := s.Records()
	var copied registry.CopiedRows
	err := extsort.Run(ctx, s, workers, func(b *extsort.Bucket) (mergedBucket, error) {
		m := <-mergers
		defer func() { mergers <- m }()
		return m.bucket(b)
	}, func(part mergedBucket) error {
		addCounts(&total, &part.counts)
		progress(loadedRows(&total)+total.AllDiscarded(), records)
		err := errors.Join(store.WriteRows(part.rows), copied.Each(part.rows, o.row))
		buffers <- part.rows[:0]
		return errors.Join(err, o.pages.add(part.pages))
	})
	if err != nil {
		return total, err
	}
	for range workers {
		m := <-mergers
		if err := m.emitter.close(); err != nil {
			return total, err
		}
	}
	if got := loadedRows(&total) + total.AllDiscarded(); got != records {
		return total, fmt.Errorf("%d records were read and %d accounted for", records, got)
	}
	return total, nil
}

func noCounts() registry.Counts {
	return registry.Counts{Discarded: map[string]int64{}, Marked: map[string]int64{}}
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
	for note, n := range part.Marked {
		total.Marked[note] += n
	}
}

// loadedRows returns how many published rows are in the record store: companies, establishments,
// partners and options for the Simples.
func loadedRows(c *registry.Counts) int64 {
	return c.Companies + c.Establishments + c.Partners + c.Simples
}

// merger turns the buckets of one goroutine into rows and documents. Its buffers are reused from
// root to root; parts points into the bucket and is valid for one root.
type merger struct {
	emitter  emitter
	out      mergedBucket
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
func (m *merger) bucket(b *extsort.Bucket) (mergedBucket, error) {
	m.out = mergedBucket{counts: noCounts()}
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
			return mergedBucket{}, err
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
			err = m.company(payload)
		case kindSimples:
			err = m.simples(payload)
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

// company keeps one row of a company.
func (m *merger) company(payload []byte) (err error) {
	if m.parts.Company != nil {
		payload, err = m.choose(repeatedCompany, m.parts.Company, payload, rankCompany)
	}
	m.parts.Company = payload
	return err
}

// simples keeps one row of a company's option.
func (m *merger) simples(payload []byte) (err error) {
	if m.parts.Simples != nil {
		payload, err = m.choose(repeatedSimples, m.parts.Simples, payload, rankSimples)
	}
	m.parts.Simples = payload
	return err
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

// establishment keeps one row for each order. Rows come in the order of their orders, so only the last
// one kept can be a duplicate.
func (m *merger) establishment(root cnpj.Root, order cnpj.Order, payload []byte) (err error) {
	last := len(m.parts.Orders) - 1
	if last < 0 || m.parts.Orders[last] != order {
		m.parts.Orders = append(m.parts.Orders, order)
		m.parts.Establishments = append(m.parts.Establishments, payload)
		return nil
	}
	m.parts.Establishments[last], err = m.choose(repeatedEstablishment, m.parts.Establishments[last], payload, rankEstablishment(root))
	return err
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
