// Package text is the analyzer of the index: it turns names into words, identically when they are
// indexed and when they are searched.
//
// A word is folded: lower case, accents removed by Unicode decomposition (NFKD), compatibility
// forms as plain letters (Ação is acao, ４ is 4). Brazilian company names need more than a
// general-purpose analyzer does:
//
//	S/A, S.A., S A     sa         initials are one word, however they are separated
//	J. C. SOUZA E CIA  jc souza e cia
//	D'ÁGUA             dagua      apostrophes vanish
//	CONST HORIZONTE    const, and the words it may abbreviate: see Canonical and AlsoIndexed
//	LTDA, DE, DA       stop words (weightless): searched only when a query has nothing else
//
// Tokenizer scans a text once, rune by rune, into a reused buffer, then joins initials, splits the
// legal form S/A off them, and drops numbers. Tokens, Words and Fold are conveniences that
// allocate. Sound is a phonetic algorithm for Brazilian Portuguese: souza and sousa, otel and hotel
// have one form.
//
// Privacy invariant: no number of a natural person is ever a word. The tax authority puts CPFs and
// roots into the names of individual entrepreneurs, so numbers are dropped here, before anything
// can be indexed: those of more than four digits, neighbours of more than five digits together,
// words of letters with more than five digits, and digits that touch the asterisks of a masked CPF.
// A fuzz test holds this.
//
// A change of the words that any text yields requires a new folder.Format.
package text
