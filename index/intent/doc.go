// Package intent is query understanding without an index: it says what a typed text may mean. It
// has no documents; whether a reading finds any is tried by the tiers of package index, strictest
// reading first.
//
//	Parse         words, quoted phrases, initials
//	NewWords      what the tiers look for: significant words, whole name, phrases, unfinished last word
//	Apart         the other reading of initials ("maria c s") and of km47
//	ParseNumber   a CNPJ, a root or a prefix of one, masked or not, as a range of numbers
//	Contacts      a telephone, an e-mail address or a street address, as filters, and the words beside it
//	Gazetteer     names of cities and states: "padaria campinas sp" is padaria, in Campinas
//	Conditions    filters in words: "abertas depois de 2020", "com capital acima de R$ 100 mil"
//	Activities    activities by code or in words: "4721-1/02" and "padarias" are codes of the CNAE
//
// Everything is rules and tables over folded words (package term), without statistics: Conditions
// is a set of recursive-descent rules whose terminals are regular expressions; Activities matches
// stems (Bleve's light stemmer for Portuguese) against the official descriptions of the CNAE and a
// table of everyday names; Gazetteer is a lookup of up to six words in the names of the built-in
// territory.
//
// Company names contain words of all these kinds, so readings are conservative. Quoted words are
// always literal; a doubtful phrase is marked as such (Place.Likely, weak conditions) or not read
// at all. Texts longer than 512 bytes have no words and no conditions, which bounds the work of
// every function. Gazetteer and Activities are immutable and safe for concurrent use.
package intent
