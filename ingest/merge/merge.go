// Package merge makes one company of the rows that the four files of the tax authority have about it: sorted by root, they become
// rows of the record store and documents of the index. From the record store alone it makes the same documents again.
package merge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"razao/index/build"
	"razao/internal/cnpj"
	"razao/internal/extsort"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
)

// Output takes what companies are made into.
type Output struct {
	Documents *build.Builder                  // a document for each establishment
	Pages     func(numbers []cnpj.Full) error // is given the pages for search engines, in CNPJ order; may not keep the slice
	Progress  func(done, total int64)
	Workers   int
}

// merged is what a range of roots became.
type merged struct {
	rows   []byte // of the record store, in COPY format
	pages  []cnpj.Full
	counts registry.Counts
}

// Merge writes the ordered stream: the rows of every root go to store, its establishments to the index. It returns what was counted.
func (o *Output) Merge(ctx context.Context, s *extsort.Sorter, store *registry.Writer) (registry.Counts, error) {
	total := registry.Counts{Discarded: map[string]int64{}}
	mergers := make(chan *merger, o.Workers)
	var buffers sync.Pool // of *[]byte: the rows of a range, tens of megabytes
	for range o.Workers {
		mergers <- &merger{emitter: emitter{to: o.Documents.Writer()}, buffers: &buffers}
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
		buffers.Put(&part.rows)
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

// Loaded returns how many of the files' rows are in the record store.
func Loaded(c *registry.Counts) int64 { return c.Companies + c.Establishments + c.Partners + c.Simples }

// merger turns sorted records into rows and documents, for one goroutine.
type merger struct {
	emitter  emitter
	out      merged
	parts    pack.Parts
	partners []packedPartner
	buffers  *sync.Pool
}

type packedPartner struct {
	record.Partner
	packed []byte
	row    uint32
}

func (m *merger) bucket(b *extsort.Bucket) (merged, error) {
	m.out = merged{counts: registry.Counts{Discarded: map[string]int64{}}}
	if rows, ok := m.buffers.Get().(*[]byte); ok {
		m.out.rows = (*rows)[:0]
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

// root writes the root whose records are i to j-1.
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

// company keeps the row with a name: a blank row duplicates a good one in some months. Of several the last counts.
func (m *merger) company(payload []byte) {
	if m.parts.Company != nil {
		m.discard("empresa_repetida", 1)
		if payload[0] == 0 { // the length of the name
			return
		}
	}
	m.parts.Company = payload
}

func (m *merger) partner(payload []byte) error {
	p := packedPartner{row: binary.BigEndian.Uint32(payload), packed: payload[4:]}
	if err := pack.DecodePartner(p.packed, &p.Partner); err != nil {
		return err
	}
	m.partners = append(m.partners, p)
	return nil
}

// orderPartners brings the partners of a root into stored order and drops rows that were published twice.
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

// establishment keeps one row for each order; of several, the one whose status is the latest.
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

// orphans accounts for the partners and Simples options of a root that has neither company nor establishment.
func (m *merger) orphans() {
	m.discard("socio_sem_empresa", int64(len(m.parts.Partners)))
	if m.parts.Simples != nil {
		m.discard("simples_sem_empresa", 1)
	}
}

func (m *merger) discard(rule string, n int64) {
	if n > 0 {
		m.out.counts.Discarded[rule] += n
	}
}

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
