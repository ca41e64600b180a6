// Package flags records which documents of an index the public-record sources know, and a few
// numbers that their records add up to. Sources are loaded daily and the index is built monthly, so
// these flags are not terms of the shards but files beside them, one per load, written in seconds
// and never changed:
//
//	000042/
//	  sources/pgfn-000057    documents of index 42 that load 57 of pgfn has records of
//	  sources/receita-000042 documents of companies that load 42 changed, compared with the load before
//
// A file has, for each shard, a Roaring bitmap of documents and columns of values: total in cents,
// years, days on which a sanction is in force (Measure); and the same of their companies, for documents
// that do not have all the records of theirs. Each value is a set of int64 spans,
// delta-encoded as varints, so every query is a range, and "in force today" is the range of
// today whenever the file was written. A file names the build time of its index, whose document
// numbers it uses, and ends in a SHA-256.
//
// Writing is a leapfrog join: the owners of a load's records, in CNPJ order, are merged with the
// keys of each shard, in the same order, both sides galloping. Shards are joined in parallel.
//
// A snapshot names its index and the load of every source, and thereby its files; the manifest does
// not list them. Sources has the open files of one snapshot. A file that is missing or damaged
// costs the filters of its source only: a query for it is a *SourceError, the rest of the
// search answers. Sets and Sources are immutable and safe for concurrent use.
package flags
