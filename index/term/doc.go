// Package term is the vocabulary of the index: its fields, the filter terms, and the numbers by which columns and terms
// know UFs, situations, sizes and capital bands. The builder writes it and queries ask for it; they meet only here.
//
// A posting's key is a field letter followed by the term:
//
//	n padaria      a word of the legal or trade name
//	p padar        its first one to five letters, active establishments only: prefix completion without an enumeration
//	s silva        a word of a partner's name
//	f ms710702     a filter term: kind "ms" (municipality and situação), codes 7107 and 02
//	f x3fa9        a hash of the whole name: kind 'x'
//	_ ........     the CNPJ, 8 bytes big endian, so that the FST has the documents in the order of their numbers
//
// Any change of fields, kinds or numbers is a new folder.Format.
package term
