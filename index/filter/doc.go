// Package filter declares the filters of a search, once and as data, and translates them into Bleve
// queries.
//
// A condition is a name and a value, in the form of an address: uf=SP; a "-" before the value
// excludes it: uf=-SP. Values of one filter are alternatives (OR), filters are a conjunction (AND);
// Kind has the exceptions. A Set is an immutable, comparable collection of conditions in canonical
// form, so it serves as the key of maps and caches and as the query string of an address.
//
// The flow is Of or Add, then Validate, which checks untrusted values against the domain of each
// filter, then Queries. Filters on codes become terms, prefixes and disjunctions of package term.
// Filters on numbers and dates become a Range, filters on the public-record sources RecordsIn and
// InForce. Bleve knows none of these three: package index evaluates them over columns and flags.
//
// A new filter is one constant and one entry of declared. What people and programs call it is in
// package index/criteria.
package filter
