// Package relevance measures search relevance: whether what a person types finds the company meant.
// It has tests only.
//
// TestRelevance plants invented companies among others (background.jsonl.gz), builds an
// index, asks the judged queries of testdata, and compares the rank of the first wanted hit with
// floors:
//
//	go test ./internal/testing/relevance -run TestRelevance -v            the table
//	go test ./internal/testing/relevance -run TestRelevance -v -misses    and every query that missed rank 1
//	go test ./internal/testing/relevance -run TestRelevance -update       raise the floors to the results
//
//	planted.csv      the companies that queries look for
//	contacts.csv     telephones, e-mail and street addresses of some of them
//	background…      those among which they are looked for
//	queries.txt      judgements: stratum, query, wanted companies
//	described.txt    questions that describe companies; a full scan finds the right answers
//	lists.txt        names as they stand in other people's lists: TestLists
//	benchmarks/      pairs of names that are of one company or not, of others and ours, and what they measure: TestBenchmarks
//	floors.txt       top-1, top-3, top-10 and MRR of each stratum so far; less fails the test
//
// A stratum is a kind of query (exact names, typing errors, partners, false friends, ...), so a change
// that trades one kind for another shows. A judgement records what a person would call right. A wrong one may
// be corrected, but none is ever adapted to what the index returns: that would make the measure
// circular.
package relevance
