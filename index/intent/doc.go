// Package intent is query understanding without an index: what a text that somebody typed may mean. It has no documents to
// look into; whether a meaning holds is tried by the tiers of package index.
//
//	Parse         words, quoted phrases, initials
//	NewWords      what the tiers look for: words with weight, the name as a whole, phrases, a last word that may go on
//	Apart         the other reading of initials ("maria c s") and of km47
//	ParseNumber   a CNPJ, a root or the beginning of one, masked or not, as a range of numbers
//	Gazetteer     names of cities and states: "padaria central campinas sp" is padaria central, in Campinas
//	Conditions    filters in words: "abertas depois de 2020", "com capital acima de R$ 100 mil"
//	Activities    activities by code or in words: "4721-1/02" and "padarias" are codes of the CNAE
package intent
