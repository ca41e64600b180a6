// Package segment has the shards of an index: each is a Bleve index with a single segment in Bleve's zap format, which any
// program can open with Bleve: written by our own code, read by Bleve's.
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
// Reading: a View asks Bleve's segment, for one query, for the terms of a dictionary and for postings, which are Roaring
// bitmaps over the mapped file. One dictionary is read without Bleve, that of the keys, because a range of it is walked by
// number and a number's only document stands in the dictionary (zap's "1-hit" encoding): Bleve's iterator leaves it out, and
// looking each number up again takes five times as long.
package segment
