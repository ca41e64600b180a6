package ingest

import (
	"encoding/binary"
	"slices"

	"razao/index/extsort"
	"razao/ingest/receita"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
)

// Second part of the sort key. The kind is in the upper half, so the rows of a root come in this
// order; the lower half is the order of an establishment, else 0.
const (
	kindCompany = uint64(iota) << 32
	kindSimples
	kindPartner
	kindEstablishment
	kindMask = ^uint64(1<<32 - 1)
)

// bucketBytes is how much CSV one bucket should hold. The memory of a merge is proportional to it
// and to the number of workers.
const bucketBytes = 12 << 20

// sortHandler returns a handler that packs records and adds them to w, for one goroutine. Close w when
// all records are added.
func sortHandler(w *extsort.Writer) receita.Handler {
	var buf []byte
	return receita.Handler{
		Company: func(root cnpj.Root, c *record.Company) error {
			buf = pack.AppendCompany(buf[:0], c)
			return w.Add(uint64(root), kindCompany, buf)
		},
		Simples: func(root cnpj.Root, s *record.Simples) error {
			buf = pack.AppendSimples(buf[:0], s)
			return w.Add(uint64(root), kindSimples, buf)
		},
		Partner: func(root cnpj.Root, p *record.Partner, row uint32) error {
			buf = binary.BigEndian.AppendUint32(buf[:0], row)
			buf = pack.AppendPartner(buf, p)
			return w.Add(uint64(root), kindPartner, buf)
		},
		Establishment: func(e *record.Establishment) error {
			buf = pack.AppendEstablishment(buf[:0], e)
			return w.Add(uint64(e.CNPJ.Root()), kindEstablishment|uint64(e.CNPJ.Order()), buf)
		},
	}
}

// sortRanges returns options for sorting a release of size bytes of CSV by root: boundaries at
// quantiles of the sampled roots, about bucketBytes apart, or further when that would exceed
// extsort.MaxBuckets. A bucket that grows to three times the plan, because the sample misled, is
// split by the sorter. sortRanges sorts sample in place.
func sortRanges(sample []cnpj.Root, size int64) extsort.Options {
	n := min(size/bucketBytes+1, extsort.MaxBuckets)
	return extsort.Options{Boundaries: quantiles(sample, int(n-1)), BucketBytes: 3 * max(size/n, bucketBytes)}
}

// quantiles sorts the sample and returns n values that divide it into equal parts; nil without a
// sample.
func quantiles(sample []cnpj.Root, n int) []uint64 {
	if n == 0 || len(sample) == 0 {
		return nil
	}
	slices.Sort(sample)
	cuts := make([]uint64, n)
	for i := range cuts {
		cuts[i] = uint64(sample[(i+1)*len(sample)/(n+1)])
	}
	return cuts
}
