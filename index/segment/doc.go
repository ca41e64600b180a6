// Package segment has the shards of an index: each is a Bleve index with a single segment in Bleve's zap format, which any
// program can open with Bleve, but written and read by our own code.
//
// Writing: the library makes segments from maps of everything and merges them posting by posting. Writer is handed sorted
// terms with sorted documents, as an external sort delivers them, and writes straight through.
//
//	┌ stored   12 bytes per document: its key, the CNPJ      document number = rank
//	│          offsets of these
//	├ field    postings, one Roaring bitmap per term         a term of one document is in the dictionary alone
//	│          FST: term -> offset of its postings           the term dictionary
//	├ ...      the next field
//	├ fields   name, options, address of the FST
//	└ footer   documents, addresses, version, CRC-32
//
// There are no frequencies, norms or positions: documents are numbered by importance, so nothing is scored. For that
// reason these segments must never be merged by Bleve, which would drop such postings; a shard is opened for reading only.
//
// Reading: Bleve opens the files and maps them into memory; dictionaries are then asked through vellum, and postings become
// docset.Sets without being decoded. A View reads a Shard for one query.
package segment
