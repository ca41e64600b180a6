package registry

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// An owner of records is an establishment, or a company as a whole. Its key has 64 bits: all keys of a
// root are adjacent, and keys sort by CNPJ. While a load is written, PackedOwners packs the sorted keys of
// its owners into blobs, delta encoded as varints, which are stored beside the records (table presence).

// ownerKey returns the key of an establishment, given its order plus one, or of the company as a
// whole, given 0. The keys of a root are adjacent and ascend with the orders.
func ownerKey(root cnpj.Root, order uint64) uint64 {
	return uint64(root)*(cnpj.Orders+1) + order
}

// splitOwner returns the owner of a key: the root, and the order of the establishment plus one, or 0 for
// the company as a whole.
func splitOwner(key uint64) (root cnpj.Root, order uint64) {
	return cnpj.Root(key / (cnpj.Orders + 1)), key % (cnpj.Orders + 1)
}

// AppendOwners appends the keys of the owners of a root's packed items (pack.AppendItem) to keys,
// sorted and without duplicates.
func AppendOwners(keys []uint64, root cnpj.Root, items [][]byte) []uint64 {
	from := len(keys)
	for _, item := range items {
		keys = append(keys, ownerKey(root, pack.ItemOrder(item)))
	}
	slices.Sort(keys[from:])
	return keys[:from+len(slices.Compact(keys[from:]))]
}

// PackedOwners packs the keys of a load's owners into blobs. The zero value is ready. It is not safe for
// concurrent use.
type PackedOwners struct {
	full [][]byte // complete blobs
	last []byte   // the blob being filled
	n    int      // its keys
	prev uint64   // its last key, from which the next is delta encoded
}

// ownersInBlob is the number of keys in a full blob. Each blob begins anew and decodes on its own.
const ownersInBlob = 1 << 16

// Add adds keys made by AppendOwners. They must ascend over all calls.
func (p *PackedOwners) Add(keys []uint64) {
	for _, key := range keys {
		if p.n == ownersInBlob {
			p.full, p.last, p.n, p.prev = append(p.full, p.last), nil, 0, 0
		}
		p.last = binary.AppendUvarint(p.last, key-p.prev)
		p.prev = key
		p.n++
	}
}

// blobs returns the packed keys, blob by blob, for pack.Varints; nil if there are none.
func (p *PackedOwners) blobs() [][]byte {
	if p.n == 0 {
		return p.full
	}
	return append(p.full, p.last)
}

// LearnOwners reads which companies each load of the snapshot has records of, so that queries for
// the others, most of them, need no statement. What former has read of the same loads is shared;
// former may be nil. After an error the sources that could not be read are asked about everybody.
func (v *View) LearnOwners(ctx context.Context, former *View) error {
	var all error
	for i, sv := range v.sources {
		switch {
		case sv.load == 0:
		case former != nil && former.sources[i].load == sv.load && former.sources[i].owners.Load() != nil:
			sv.owners.Store(former.sources[i].owners.Load())
		default:
			if err := sv.learnOwners(ctx); err != nil {
				all = errors.Join(all, fmt.Errorf("owners of the records of %s, load %d: %w", sv.ID, sv.load, err))
			}
		}
	}
	return all
}

func (v *sourceView) learnOwners(ctx context.Context) error {
	owners := &roaring64.Bitmap{}
	err := NewStore(v.pool).eachOwner(ctx, v.load, func(key uint64) {
		root, _ := splitOwner(key)
		owners.Add(uint64(root))
	})
	if err != nil {
		return err
	}
	if owners.IsEmpty() {
		var exist bool
		if err := v.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+v.schema+`.record)`).Scan(&exist); err != nil {
			return err
		}
		if exist {
			return errNoOwners
		}
	}
	v.owners.Store(owners)
	return nil
}

// SourcesOf returns how many sources have records of a company or of one of its establishments, from
// the lists of owners, without a statement. It leaves out the sources that Unlisted names.
func (v *View) SourcesOf(root cnpj.Root) int {
	n := 0
	for _, sv := range v.sources {
		if owners := sv.owners.Load(); owners != nil && owners.Contains(uint64(root)) {
			n++
		}
	}
	return n
}

// Unlisted returns the ids of the loaded sources whose list of owners could not be read, in the order
// of package source; nil for none.
func (v *View) Unlisted() []string {
	var ids []string
	for _, sv := range v.sources {
		if sv.load != 0 && sv.owners.Load() == nil {
			ids = append(ids, sv.ID)
		}
	}
	return ids
}

// errNoOwners is the error of a load that has records and does not list whom they are about.
var errNoOwners = errors.New("the load does not list its owners")

// Owners calls visit for the establishments that a load of a source has records of, as ascending
// ranges from first to last, inclusive: mostly of one number. A source that names companies only
// yields the range of all orders of each company, since its records count for every establishment.
func (s *Store) Owners(ctx context.Context, src *source.Source, load int64, visit func(first, last cnpj.Full)) error {
	last := cnpj.Root(-1) // the root that was passed as a whole
	err := s.eachOwner(ctx, load, func(key uint64) {
		root, order := splitOwner(key)
		switch {
		case order == 0 && src.CompanyOnly:
			visit(cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1))
			last = root
		case order > 0 && root != last:
			number := cnpj.Join(root, cnpj.Order(order-1))
			visit(number, number)
		}
	})
	if err != nil {
		return fmt.Errorf("owners of the records of %s, load %d: %w", src.ID, load, err)
	}
	return nil
}

// eachOwner calls visit for the keys of a load's owners, ascending.
func (s *Store) eachOwner(ctx context.Context, load int64, visit func(key uint64)) error {
	query := `SELECT doc FROM ` + pgx.Identifier{schemaName(load)}.Sanitize() + `.presence ORDER BY seq`
	var doc []byte
	return eachRow(ctx, s.pool, []any{&doc}, func() error { return pack.Varints(doc, visit) }, query)
}
