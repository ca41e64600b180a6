// Package rows is what the loaders of public records share: finding and opening published files, reading their tables
// by column name, the rules for documents, money and dates, and handing clean records on with an account of every row.
//
// A loader reads an Input and writes records, drops and rejects to an Output. It stores nothing and decides nothing
// about publication; package ingest does both.
package rows

import (
	"context"

	"razao/internal/cnpj"
)

// Loader reads the published files of one load.
type Loader struct {
	// Sources are the ids of the sources that the load fills; all but PNCP fill one.
	Sources []string
	// DropIdentical says that records of a company whose values are all the same are one record published twice.
	DropIdentical bool
	// Floor refuses a load that is implausibly small in a way that only the loader knows, given the figures of what was
	// read; nil when the row counts of package source say it all. It is not asked for invented data.
	Floor func(*Figures) error
	// Read reads in and fills out. It returns what it learned about the load as a whole. Errors name the file, and the
	// line and column where there is one.
	Read func(ctx context.Context, in *Input, out *Output) (Facts, error)
}

// Facts are what the files say about a load as a whole.
type Facts struct {
	Period   string   // AAAA-MM, AAAA-MM-DD or the publisher's label; "" when neither names nor contents say it
	Coverage string   // the earliest date in the records, AAAA-MM-DD, of publishers that state a history; else ""
	Notes    []string // in Portuguese, for provenance: what a reader of the records should know about this load
}

// Where is the place of a row: the file's position in Input.Files and the row's line. Records that are equal in their
// order keep the order of their places.
type Where struct {
	File int
	Line int64
}

// Record is a row that is kept.
type Record struct {
	Where Where
	// Owner is whom the record is about. With an Order of WholeCompany it is kept for the company alone.
	Owner Owner
	// Order is the key by which the records of a company are served, rising by bytes; see Descending.
	Order string
	// Identity names what the row is a version of, "" when rows have no versions. Of rows with the same identity, also
	// of different owners, the one with the greatest Version is kept, among equals the last one.
	Identity, Version string
	// Values are those of the fields of the source, in the order of package source; "" is null. Number values are plain
	// decimals, JSON values are valid JSON. The value of a Document field is not read: it follows from Owner. Nil with
	// an Identity: this version is not kept, and the older ones are void.
	Values []string
}

// Owner is a company or an establishment of it.
type Owner struct {
	Root  cnpj.Root
	Order cnpj.Order // 0: the publisher names the company only
	// Published is the document as published when its check digits are wrong: the record is served for the company,
	// never for an establishment. Else "".
	Published string
}

// Figures count the rows of a load.
type Figures struct {
	Read     int64            // rows read, rejected ones included
	Rejected int64            // could not be read
	Dropped  map[string]int64 // by rule: read, understood and left out
	Marked   map[string]int64 // by note of the loader, such as a kind of record; for the account only
	Repaired map[string]int64 // by kind of column: values that were unreadable and became null; nil when there are none
}
