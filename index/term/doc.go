// Package term is the vocabulary of the inverted index: the fields of a document, the kinds of
// filter terms, and the small numbers by which columns and terms know UFs, situations, sizes and
// capital bands. The builder writes these terms and queries ask for them; this package is the only
// place where the two agree.
//
// A posting's key is the letter of its field followed by the term:
//
//	n padaria      a word of the legal or trade name
//	p padar        its first one to five letters, of active establishments only
//	s silva        a word of a partner's name
//	f ms710702     a filter term: kind "ms" (municipality and situação), codes 7107 and 02
//	f x3fa9        a filter term: kind "x", the hash of a whole name
//	_ ........     the CNPJ, 8 bytes, big endian
//
// Field p is an edge n-gram: a prefix of up to five letters is one postings list instead of an
// enumeration of the term dictionary. The big-endian CNPJ makes the byte order of the FST the
// numeric order of the documents, so a range of CNPJs is a range of keys. Combined kinds such as
// "ms" and "us" precompute the most frequent conjunctions.
//
// A filter term is its kind and its code without a separator. Where kinds share a first letter ("m",
// "ms"), codes begin with a digit or a capital and the longer kind goes on in lower case, so no term
// is ambiguous. A change of fields, kinds or numbers requires a new folder.Format.
package term
