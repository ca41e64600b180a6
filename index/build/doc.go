// Package build makes an index folder from documents that come in any order. It is sort-based
// inversion with an external sort: memory depends on Options.BucketBytes and the number of workers,
// not on the number of documents, but for the table of companies and the distinct keys of orders.
//
//	Writer.Add    encode: attributes and terms of a document, one flat byte string
//	   │          extsort by rank, so that a document's number is its rank
//	   ▼
//	inverter      a bucket of consecutive documents becomes a run: sorted terms with postings, and
//	   │            terms that follow from another one (sounds, long forms, levels of activities)
//	   │            run-000001: keys of documents, (term, postings) ..., (order key, documents) ...
//	   │            facets, numbers, rankings, places: from the attributes, in rank order
//	   ▼
//	k-way merge   runs of a shard's documents by term into a segment; all runs by key into an order
//
// Because the sort comes first, postings are ascending without sorting, and a query that wants the
// best results stops early. Shards grow from ShardDocs documents to 64 times as many: a common word
// is answered by the first, small ones, and a rare one has few shards to visit.
//
// The output depends on the documents alone, byte for byte except for the manifest and the files
// that Bleve puts around a segment: not on the order of adding, the number of writers or of
// workers. Everything happens in DIR.tmp beside DIR. The shards are opened and probed as they will
// be served, then checksums are written, files synced and the folder renamed: a crash leaves
// DIR.tmp or a complete index, never a part of one.
package build
