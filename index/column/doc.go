// Package column has the columns of an index (doc values in Lucene's terms): one value per
// document, in document order, memory-mapped. Postings answer which documents have a value; columns
// answer which value a document has. That is needed to sort by another key than rank, to count
// facets and to filter by ranges.
//
//	facets          8 bytes per document: eleven bit fields          see Facets
//	order-capital   ┌ number of documents that have the key   8 bytes
//	order-name      │ documents in this order                 4 bytes each
//	order-opening   │ position of each document               4 bytes each
//	                └ stage of each document                  12 bits each, in bit slices
//	keys-capital    ┌ every distinct key, descending, 8 bytes,
//	keys-opening    └ and the first position that has it      4 bytes
//	number-…        16 bits per document that has the number  see NumberWriter
//	companies       document, its company's principal one     4 bytes each, see Companies
//
// All numbers are little endian. An order is a permutation and its inverse: from position to
// document and back. Documents without a key come last; equal keys follow by rank. A stage is one
// of at most 4,096 equal stretches of an order: twelve bits tell roughly where a document stands.
// That is enough to find the stage where a deep page begins, and to decide for most documents
// whether their key is in a range.
//
// Writing: the builder carries [Attributes] with each document; [FacetsWriter], [NumberWriter] and
// [WriteOrder] distribute them to the files. Reading: [Columns] for everything, [Kept] for a page
// of a set in an order (top-k selection), [Range] and [Local] for filters by range. Numbers that are
// compared are stored in bit slices, 64 documents to a word. A numeric field of Bleve takes
// forty times the space of a number column, and has no order that a page could be read from; to look
// values up one by one takes four times as long as bit slices, or more. Stock Bleve and scans of the
// documents are the oracles of the tests.
//
// Sizes, and the structure of number files, are checked when files are opened, positions where they
// are used. Damage therefore shows as folder.ErrDamaged or as a wrong answer; an index out of range
// that is left becomes ErrDamaged through folder.Guard.
package column
