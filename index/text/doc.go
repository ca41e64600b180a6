// Package text turns names into words, the same way when they are indexed and when they are asked for.
//
// A word is folded: lower case, without accents, compatibility forms as plain letters (Ação is acao, ４ is 4). Brazilian
// company names need more than a general analyzer gives:
//
//	S/A, S.A., S A     sa         initials are one word, however they are parted
//	J. C. SOUZA E CIA  jc souza e cia
//	D'ÁGUA             dagua      apostrophes vanish
//	CONST HORIZONTE    const, and the full words it may stand for: see Canonical and AlsoIndexed
//	LTDA, DE, DA       words without weight: searched only when a query has nothing else
//
// Sound tells how a word is heard, so that spellings of one sound are equal: souza and sousa, otel and hotel.
//
// The invariant is a promise to natural persons: none of their numbers is ever a word. The tax authority puts CPFs and
// roots into the names of individual entrepreneurs, so digits are dropped here, before anything can be indexed: numbers of
// more than four digits, neighbours that add up to more than five, and whatever stands at the asterisks of a masked CPF.
// A fuzz test holds it.
package text
