// Package relevance measures whether what a person types finds the company meant. Its tests plant invented companies
// among those of an invented release, ask the index the judged queries of testdata, and compare what came with what was
// wanted:
//
//	go test ./internal/relevance -run TestRelevance -v            the table
//	go test ./internal/relevance -run TestRelevance -v -misses    and every query that did not find its company first
//	go test ./internal/relevance -run TestRelevance -update       raise the floors to what is measured
//
// testdata/planted.csv has the companies, testdata/queries.txt the judgements, testdata/described.txt questions that
// describe companies, whose answers are looked for in the records, and testdata/floors.txt what the index has reached:
// less is a failure. A judgement says what a person would call right. One that is wrong may be corrected; none is bent
// to what the index happens to do.
package relevance
