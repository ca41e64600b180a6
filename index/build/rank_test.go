package build

import (
	"cmp"
	"testing"

	"razao/internal/data/cnpj"
)

// TestRankOrders lists documents in the order they must have.
func TestRankOrders(t *testing.T) {
	t.Parallel()
	at := func(root int, d Doc) Doc {
		d.CNPJ = cnpj.Join(cnpj.Root(root), 1)
		return d
	}
	want := []Doc{
		at(9, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 5000, Capital: 1}),
		at(8, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 1, Capital: 9_000_000_00}),
		at(7, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 1, Capital: 8_000_000_00}),
		at(6, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 1, Capital: 1}),
		at(12, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 1, Capital: 0}),
		at(13, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 1, Capital: -1}),
		at(14, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 1, Capital: 999_999_999_999_00}),
		at(15, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "05", Branches: 0, Capital: 0}),
		at(5, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "03", Branches: 1, Capital: 400_000_000_000_00}),
		at(5, Doc{SituacaoCadastral: "02", HeadOffice: true, PorteEmpresa: "01", Branches: 1}),
		at(5, Doc{SituacaoCadastral: "02", HeadOffice: true, Branches: 1}),
		at(4, Doc{SituacaoCadastral: "02", PorteEmpresa: "05", Branches: 5000}),
		at(3, Doc{SituacaoCadastral: "04", HeadOffice: true, PorteEmpresa: "05", Branches: 5000}),
		at(3, Doc{SituacaoCadastral: "03", HeadOffice: true, PorteEmpresa: "01", Branches: 1}),
		at(3, Doc{SituacaoCadastral: "04", PorteEmpresa: "05", Branches: 5000}),
		at(2, Doc{SituacaoCadastral: "08", HeadOffice: true, PorteEmpresa: "05", Branches: 5000}),
		at(2, Doc{SituacaoCadastral: "", HeadOffice: true, Branches: 1}),
		at(1, Doc{SituacaoCadastral: "08", PorteEmpresa: "05", Branches: 5000}),
	}
	for i := range want[1:] {
		hi, lo := want[i].Rank()
		nextHi, nextLo := want[i+1].Rank()
		if cmp.Or(cmp.Compare(hi, nextHi), cmp.Compare(lo, nextLo)) >= 0 {
			t.Errorf("document %d does not come before %d: (%x, %x) and (%x, %x)", i, i+1, hi, lo, nextHi, nextLo)
		}
	}
}

func TestCapitalStepRises(t *testing.T) {
	t.Parallel()
	last := uint64(0)
	for _, cents := range []int64{1, 2, 3, 99, 100, 1000, 100_000, 100_100, 1 << 40, 1<<40 + 1<<31, 500_000_000_000_00 - 1} {
		step := capitalStep(cents)
		if step <= last || step >= 1<<16 {
			t.Errorf("capitalStep(%d) = %d after %d", cents, step, last)
		}
		last = step
	}
}

// TestRootsPartTheRank checks that companies of equal importance still differ in the first part of
// the key, by which the external sort splits buckets.
func TestRootsPartTheRank(t *testing.T) {
	t.Parallel()
	seen := map[uint64]bool{}
	for root := range 1600 {
		d := Doc{CNPJ: cnpj.Join(cnpj.Root(root), 1), Branches: 1}
		hi, _ := d.Rank()
		seen[hi] = true
	}
	if len(seen) != 100 {
		t.Errorf("1600 roots have %d keys, want 100", len(seen))
	}
}
