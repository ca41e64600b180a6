package merge

import (
	"encoding/binary"
	"slices"

	"razao/ingest/receita"
	"razao/internal/cnpj"
	"razao/internal/extsort"
	"razao/internal/record"
	"razao/internal/registry/pack"
)

// The records of a release are sorted by root, and within it by the second part of the key: the kind, and for
// establishments their order.
const (
	kindCompany = uint64(iota) << 32
	kindSimples
	kindPartner
	kindEstablishment
	kindMask = ^uint64(1<<32 - 1)
)

// bucketBytes is the CSV size of a range of roots that is sorted at once; memory grows with it.
const bucketBytes = 12 << 20

// Handler returns a handler that packs records and adds them to the sorter.
func Handler(w *extsort.Writer) receita.Handler {
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

// Ranges cuts the roots at quantiles of a sample of files with so many bytes, so that every range holds about bucketBytes of CSV, or more when
// that would be too many ranges. A range that turns out three times as large is parted again.
func Ranges(sample []cnpj.Root, size int64) extsort.Options {
	n := min(size/bucketBytes+1, extsort.MaxBuckets)
	return extsort.Options{Boundaries: quantiles(sample, int(n-1)), BucketBytes: 3 * max(size/n, bucketBytes)}
}

// quantiles returns n values that part the sample into equal shares.
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
