// Package filter declares by what a search can be narrowed, once and as data, and translates conditions into queries of Bleve.
// A condition has the form it has in an address: the name of a filter and a value; a value behind "-" is excluded.
package filter
