// Package proof makes the companies of a load provable: a company that was answered is in the load
// that a signed checkpoint stands for, and its rows are those that were loaded.
//
// The companies of a load, in the order of their roots, are the leaves of a Merkle tree (RFC 6962,
// section 2.1). [Writer] makes it while the load or an index is being written, [Open] reads it, and
// [Tree.Prove] returns the path from a leaf to the root of the tree. A [Signer] signs size and root as
// a checkpoint (C2SP tlog-checkpoint, a signed note), [Answer] is what leaves the server, and
// [Answer.Verify] checks it without one.
//
// # A leaf
//
// The hash of a leaf is SHA-256 of the byte 0x00 and
//
//	8 bytes    the root of the CNPJ, in ASCII
//	16 bytes   the nonce
//	then each row of the company, by seq:
//	4 bytes    seq, two's complement, big endian
//	4 bytes    length of doc, big endian
//	           doc, as package pack made it
//
// The nonce makes the hash a hiding commitment. Hashes travel in the proofs of neighbours, and a
// telephone that is hidden on request has few enough possible values to try them all against a hash
// of otherwise known bytes. It is an HMAC of the root under the load's LeafKey, which PostgreSQL keeps:
// an index that is built again has the same tree. It is revealed along with the rows, and not without.
//
// # The file
//
// The file "tree" in the index folder holds what a proof needs of the companies elsewhere in the load,
// about 41 bytes for 64 companies. The hashes within such a group are computed from its rows when asked.
//
//	magic   "razao tree 1\n"
//	groups  for each 64 leaves: the first root, 8 bytes big endian; the hash of their subtree, 32 bytes
//	rest    if leaves remain: the first root, 8 bytes, and the hash of each leaf
//	levels  the hashes of the subtrees of 64² leaves, then of 64³, and so on
//
// Its length follows from the size of the tree. Nothing in it is trusted: every hash is checked against
// the root of the tree, so a damaged file gives an error and never a false proof. The levels are the
// full tiles of a tlog with height 6 (https://research.swtch.com/tlog).
package proof

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"

	"golang.org/x/mod/sumdb/tlog"

	"razao/internal/data/cnpj"
)

// FileName is the name of the file in an index folder.
const FileName = "tree"

var (
	// ErrDamaged means that the file does not belong to the tree, or not to the rows.
	ErrDamaged = errors.New("tree damaged: rebuild it with `razao index build`")
	// ErrNone means that the load has no tree, or the index no file of it.
	ErrNone = errors.New("the load has no tree: make it with `razao index build`")
)

const (
	magic      = "razao tree 1\n"
	height     = 6 // of a tile
	tileHashes = 1 << height
	rootBytes  = 8
	groupBytes = rootBytes + tlog.HashSize
	nonceBytes = 16
)

// KeyBytes is the length of a LeafKey.
const KeyBytes = 32

// Row is a stored row of a company.
type Row struct {
	Seq int32  `json:"seq"`
	Doc []byte `json:"doc"`
}

// nonces makes the nonces of a load.
type nonces struct{ mac hash.Hash }

func noncesOf(leafKey []byte) nonces { return nonces{hmac.New(sha256.New, leafKey)} }

// append appends the nonce of the company with this root, in ASCII.
func (n nonces) append(dst, root []byte) []byte {
	n.mac.Reset()
	_, _ = n.mac.Write(root) // never fails
	size := len(dst) + nonceBytes
	return n.mac.Sum(dst)[:size]
}

// leaf is the content of a leaf, being written.
type leaf []byte

// begin empties the leaf and begins that of a company.
func (l leaf) begin(root cnpj.Root, n nonces) leaf {
	l = root.Append(l[:0])
	return n.append(l, l)
}

// add appends the next row.
func (l leaf) add(seq int32, doc []byte) leaf {
	l = binary.BigEndian.AppendUint32(l, uint32(seq))
	l = binary.BigEndian.AppendUint32(l, uint32(len(doc)))
	return append(l, doc...)
}
