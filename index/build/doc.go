// Package build makes an index from documents in any order. It is an inversion by external sort: memory depends on
// Options.BucketBytes, not on the number of documents.
//
//	Writer.Add    encode: attributes and terms of a document, one flat byte string
//	   │          extsort by rank, so that a document's number is its rank
//	   ▼
//	inverter      a bucket of consecutive documents becomes a run: sorted terms, each with its documents
//	   │            run-000001    keys of the documents, (term, documents) ..., and for each order (key, documents) ...
//	   │            facets, rankings, places    from the attributes, as the runs come out in rank order
//	   ▼
//	k-way merge   the runs of a shard's documents, term by term, into one segment; all runs, key by key, into an order
//
// Shards grow from ShardDocs documents to 64 times as many: a common word is answered by the first, small ones, a rare one
// has few shards to visit.
//
// The result depends on the documents alone, not on the order of adding, the writers or the workers. Everything happens in
// DIR.tmp beside DIR, until the shards have been opened and probed as they will be served; then one rename.
package build
