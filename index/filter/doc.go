// Package filter has the filters of a search, declared once and as data: what they are called, how
// people and programs write their values, what these are, and how the index answers them. Pages, the
// API, the assistants, their descriptions (OpenAPI, MCP) and the index all read the one table in
// declared.go; a new filter is one constant, one entry of it, and its heading in groups.
//
// A condition is a name and a value, in the form of an address: uf=SP; a "-" before the value
// excludes it: uf=-SP. Values of one filter are alternatives (OR), filters are a conjunction (AND);
// Kind has the exceptions. A Set is an immutable, comparable collection of conditions in canonical
// form, so it serves as the key of maps and caches and as the query string of an address.
//
//	parameters  Reader.Read       "Campinas/SP", "4721-1/02 Padaria", "março de 2020", "R$ 100 mil"
//	   │                          become codes, dates and amounts; a bad one is a *ReadError
//	   ▼
//	Set         Set.Validate      checks values against the domain of each filter: untrusted Sets too
//	   │
//	   ▼
//	queries     Set.Queries       terms, prefixes and disjunctions of package term
//
// Filters on numbers and dates become a Range, filters on the public-record sources RecordsIn and
// InForce. Bleve knows none of these three: package index evaluates them over columns and flags.
//
// The other direction is Given (a value with its name), Phrases (both ends of a range as one phrase)
// and TextParts (conditions found in free text). Complete suggests values while they are typed.
// Codes have names that belong to a load of the registry, so whoever reads them passes a Describer,
// or record.Domains. The territory and the CNAE are built in. A *ReadError says in Portuguese what a
// value has to be; it is safe to show.
package filter
