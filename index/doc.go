// Package index finds establishments by what people remember of them. An index is a folder that
// package build makes once from all documents and that never changes; Open serves it.
//
// The one idea: a document's number is its rank. Importance (active, head office, size, capital) is
// decided when the index is built. Postings lists are ascending, so results come out in rank order
// without scoring, and a query stops at the first matches it wants: early termination. Shards grow,
// so common words are answered by the first, small ones.
//
// A text is read in several ways, tiers, one after the other until the page is full:
//
//	number     CNPJ, root or beginning of one                            a range of the FST of keys
//	contact    a telephone, an e-mail address, a street address          intent.Contacts, as filters
//	exact      the whole legal or trade name                             hash of the name, and its words
//	name       all words                                                 intersection of postings
//	place      words that name a city or state become a filter           intent.Gazetteer
//	prefix     the last word as a beginning                              postings of one to five letters
//	partner    all words in one partner's name                           words, and hashes of word and partner
//	activity   the main activity is what the words say                   intent.Activities
//
// The query is relaxed only if none of them matches: filters said in words ("abertas em 2020"),
// rare prefixes, words that sound alike, one typing error (Levenshtein automaton over the FST), words
// meant by who writes by ear, one word less. A place that was understood stays a filter to the end,
// even when it leaves nothing.
//
// Each tier subtracts what earlier tiers have found. So a hit has one reason, pages never repeat a
// hit, and totals are exact up to MaxTotal. With Query.ByCompany the result set is collapsed to one
// hit per company.
//
// The flow of a query: Search waits for its turn (limiter: a semaphore, and singleflight) and gets a
// budget; a search collects matches tier by tier and shard by shard; an evaluator answers each tier's
// Bleve query in a shard, as a set: Bleve's own searchers take two to four times the CPU for a search,
// and cannot order or count without visiting every match. In another order than rank, a listing is answered by an ordered scan that
// filters as it goes, or by collecting all matches and sorting them: see orderedScan. Facets counts
// the values of every filter, Suggest completes what is being typed, Each exports, Rankings has the
// figures of places.
//
// Nothing is stored but the CNPJ of each document: what is shown comes from PostgreSQL or its row cache. Which
// documents the public-record sources know is read from the flags of their loads (ForLoads, package
// flags). Natural persons cannot be found by their numbers: see package term.
//
// Every query runs under folder.Guard, so damage to a mapped file becomes folder.ErrDamaged
// instead of a crash, and Damage remembers it.
package index
