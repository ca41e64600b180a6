// Package term is the vocabulary of the index: how a text becomes words, and how words and codes
// become terms. The builder writes these terms and queries ask for them; this package is the only
// place where the two agree. What any text or code yields is part of folder.Format.
//
// # Words
//
// A word is folded: lower case, accents removed by Unicode decomposition (NFKD), compatibility
// forms as plain letters (Ação is acao, ４ is 4). Brazilian company names need more than a
// general-purpose analyzer does:
//
//	S/A, S.A., S A     sa         initials are one word, however they are separated
//	J. C. SOUZA E CIA  jc souza e cia
//	D'ÁGUA             dagua      apostrophes vanish; its parts are found, too
//	D AGUA, D-AGUA     dagua      as if it had the apostrophe: see Tokenizer.Elide
//	CONST HORIZONTE    const, and the words it may abbreviate: see Canonical and AlsoIndexed
//	LTDA, DE, DA       stop words (weightless): searched only when a query has nothing else
//
// Tokenizer scans a text once, rune by rune, into a reused buffer, then joins initials, splits the
// legal form S/A off them, and drops numbers. Tokens, Words and Fold are conveniences that
// allocate. Sounds is a phonetic algorithm for Brazilian Portuguese, a table of rules with examples:
// souza and sousa, otel and hotel share a reading.
//
// Privacy invariant: no number of a natural person is ever a word. The tax authority puts CPFs and
// roots into the names of individual entrepreneurs, so numbers are dropped here, before anything
// can be indexed: those of more than four digits, neighbours of more than five digits together,
// words of letters with more than five digits, and digits that touch the asterisks of a masked CPF.
// A fuzz test holds this.
//
// # Terms
//
// A posting's key is the letter of its field followed by the term:
//
//	n padaria      a word of the legal or trade name
//	p padar        its first one to five letters, of active establishments only
//	q OTEL         how such a word is read, where that is not how it is written: see Sounds
//	s silva        a word of a partner's name, or how it is read, in capitals
//	f ms710702     a filter term: kind "ms" (municipality and situação), codes 7107 and 02
//	f y4315467271  a filter term about a contact: a telephone (contact.go has what contacts are)
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
// is ambiguous. UFs, situations, sizes and capital bands are small numbers in columns: codes.go has
// both directions.
package term
