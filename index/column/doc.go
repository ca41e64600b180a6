// Package column has the columns beside the shards, elsewhere called doc values: something for every document in the order
// of their numbers, memory-mapped, for what postings are bad at. That is sorting by another key than rank, and counting.
//
//	facets          8 bytes per document: twelve values, packed          see Facets
//	order-capital   ┌ how many documents have the key     8 bytes
//	order-name      │ documents, in the order             4 bytes each
//	order-opening   │ position of each document           4 bytes each
//	                └ stage of each document              1 byte each
//	keys-capital    ┌ every key of the order, largest first, 8 bytes,
//	keys-opening    └ and the first position with it      4 bytes
//	number-…        16 bits for each document that has it see NumberWriter
//
// All numbers are little endian. A stage is one of at most 256 equal stretches of the order: one byte tells roughly where a
// document stands, which is enough to count towards a deep page, or to know of most documents whether their key is in a range.
//
// Documents without a key come behind the others; equal keys follow by rank. Attributes is what the builder carries for
// each document until FacetsWriter and WriteOrder distribute it to these files.
//
// Kept picks a page of a set of documents in an order. Which way is cheapest depends on how many they are and where they stand.
package column
