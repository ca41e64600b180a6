// Package index finds establishments by what people remember of them. An index is a folder that package build makes once
// from all documents and that never changes; Open serves it.
//
// The one idea: a document's number is its rank. Importance (active, head office, size, capital) is decided when the index is
// built, and postings lists are ascending by nature, so every list of results comes out in order without scoring
// anything, and a query stops at the first matches it wants: early termination. Shards grow, so common words are answered
// by the first, small ones.
//
// A text is read in several ways, tiers, until one finds something:
//
//	number     CNPJ, root or beginning of one                            a range of the FST of keys
//	exact      the whole legal or trade name                             hash of the name, and its words
//	name       all words                                                 intersection of postings
//	place      words that name a city or state become a filter           intent.Gazetteer
//	prefix     the last word as a beginning                              postings of one to five letters
//	partner    all words in one partner's name                           words, and hashes of word and partner
//	activity   the main activity is what the words say                   intent.Activities
//	sound      words that sound like these                               text.Sound
//	rescue     one typing error, or one word less                        Levenshtein automaton over the FST
//
// The last two come when nothing matched. A place that was understood stays a filter to the end, even when it leaves nothing.
//
// Each tier leaves out what those before it have found, so that a hit has one reason, pages never repeat one, and
// totals are exact up to MaxTotal. Results may have each company once (Query.ByCompany): package company knows which documents are one.
//
// Search answers texts and listings, Suggest completes what is being typed, Each exports, Facets counts the values of every
// filter, Rankings has the figures of places. Orders other than rank, and facets, read columns; which sources know a company
// is read from the flags of their loads (ForLoads, package flags). Nothing is stored but the
// CNPJ of each document: what is shown comes from the record store. Natural persons cannot be found by their numbers:
// see package text.
package index
