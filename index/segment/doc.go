// Package segment writes and reads the shards of an index. A shard is a Bleve index with a single
// segment in Bleve's zap format: written by our own code, readable by any program that uses Bleve.
//
// Writing. Bleve builds segments from in-memory maps and merges them posting by posting. Writer
// instead takes sorted terms with sorted documents, as an external merge sort delivers them, and
// streams them to the file. That takes half the CPU of Bleve's builder, which does not keep the order
// of documents either: a batch of it is a map. Its segments are the oracle of the writer's test.
//
//	┌ stored   12 bytes per document: its key, the CNPJ      document number = rank
//	│          offsets of these
//	├ field    postings, one Roaring bitmap per term         a term of one document: dictionary only
//	│          FST: term -> offset of its postings           the term dictionary
//	├ ...      the next field
//	├ fields   name, options, address of the FST
//	└ footer   documents, addresses, version, CRC-32
//
// Memory while writing is one term's postings plus the FST of one field. There are no frequencies,
// norms or positions: documents are numbered by importance, so nothing is scored. Bleve must
// therefore never merge these segments, because it drops postings without frequencies; shards are
// opened read-only.
//
// Reading. A View serves one query: it opens Bleve's term dictionaries and postings, which are
// Roaring bitmaps over the mapped file, copied nowhere. The dictionary of the keys is read without
// Bleve. A key has a single document, which zap encodes in the FST value itself ("1-hit"); Bleve's
// iterator omits it, and looking each key up again takes five times as long. Cursor walks that FST
// directly, with galloping seeks, and Merge is the k-way merge of several cursors.
//
// Numbers from a file are checked where they are used: a document beyond the shard or a malformed
// key is folder.ErrDamaged. Faults and panics of mapped files are for the caller to catch: see
// folder.Guard.
package segment
