// Package rows is what the loaders of public records share: finding and opening published files,
// reading their tables by column name, the rules for documents, money and dates, and an account of
// every row.
//
// # Flow
//
//	Find → Input → Loader.Read → Table.Read → Writer → Sink
//	                                             └─→ Output: counts, rejects
//
// An operator names a folder, a file, a zip or an address; [Find] makes an [Input] of it. The
// [Loader] of a source picks its files and reads each with a [Table]: one goroutine cuts the file
// into blocks of whole rows ([Blocks]), the others parse them, so one large file uses all
// processors. Tables with quoted line breaks cannot be cut without parsing and are read by one
// goroutine. Records go to a [Sink] for each goroutine, everything else is counted by the [Output].
// A loader stores nothing and does not decide about publication; package ingest does both.
//
// # Rejects
//
// A row that cannot be understood is rejected and not guessed: it is counted and kept with file,
// line, column and reason, CPFs masked. More than 0.1 % of the rows, and more than 100, mean a
// damaged file or another layout and refuse the load ([ErrRejects]); reading stops as soon as the
// remaining bytes could not hold enough good rows. Rows left out on purpose are dropped under the
// name of a rule.
//
// # Memory
//
// Strings that a row gives are views into the block it was cut from, valid only during the call
// that passes them. A block is 1 MiB and is reused; a row of more than 4 MiB is rejected. Members of zips are decompressed as a stream, so a zip bomb cannot exhaust memory.
package rows

import (
	"context"

	"razao/internal/data/cnpj"
)

// Loader reads the published files of one load. It is a value of functions; loaders may be copied
// and wrapped.
type Loader struct {
	// Sources are the ids of the sources that the load fills: one, or two for PNCP.
	Sources []string
	// DropIdentical says that records of a company whose values are all equal are one record
	// published twice, and are kept once.
	DropIdentical bool
	// Floor returns why a load is implausibly small in a way that only the loader knows, given the
	// counts of what was read. It is nil if the row counts of package source say it all, and is not
	// called for invented data.
	Floor func(*Figures) error
	// Read reads in and fills out, with up to in.Workers goroutines, all of which have ended when
	// it returns. It returns what it learned about the load as a whole. Errors name the file, and
	// the line and column where there is one. Read ends soon after ctx does, with its error.
	Read func(ctx context.Context, in *Input, out *Output) (Facts, error)
}

// Facts are what the files say about a load as a whole.
type Facts struct {
	Period   string   // AAAA-MM, AAAA-MM-DD or the publisher's label; "": unknown
	Coverage string   // first date of the records, AAAA-MM-DD; "" unless a history is stated
	Notes    []string // in Portuguese, for provenance: what readers of the records should know
}

// Where is the position of a row. Records whose Order is equal keep the order of their positions.
type Where struct {
	File int   // position in Input.Files
	Line int64 // of the row's beginning, from 1
}

// Record is a row that is kept. A loader may reuse it and its strings after Add: a [Sink] copies
// what it needs.
type Record struct {
	Where Where
	// Owner is the company or establishment that the record is about.
	Owner Owner
	// Order is the key by which the records of a company are served, ascending by bytes; see
	// [Descending].
	Order string
	// Identity names the thing that the row is a version of; "" if the source has no versions. Of
	// rows with the same Identity, whoever their owners are, only the one with the greatest Version
	// (by bytes) is kept; of equal versions the last in the files.
	Identity, Version string
	// Values has one value for each field of the source, in the order of package source; "" is
	// null. Numbers are plain decimals, JSON values valid JSON. The value of a Document field is
	// ignored, because it follows from Owner. Nil Values with an Identity are a tombstone: if this
	// version is the newest, no record is kept.
	Values []string
}

// Owner is a company, or an establishment of it.
type Owner struct {
	Root  cnpj.Root
	Order cnpj.Order // 0: the publisher names the company only
	// Published is the 14 positions as published if their check digits are wrong, or the order is
	// 0000; else "". Such a record is served for the company, never for an establishment.
	Published string
}

// Figures count the rows of a load.
type Figures struct {
	Read     int64            // rows, rejected ones included
	Rejected int64            // rows that could not be read
	Dropped  map[string]int64 // rows by rule: understood and left out
	Marked   map[string]int64 // rows by note of the loader, such as a kind of record; informational
	Repaired map[string]int64 // by kind of column: unreadable values that became null; nil: none
}
