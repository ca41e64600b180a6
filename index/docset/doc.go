// Package docset has sets of documents of one shard and their algebra: And, Or, Without. It is the seam between postings
// and tiers: whoever wants other sets replaces this package.
//
// A set is Roaring: documents in blocks of 65,536 by the upper 16 bits of their number, each block in the form that is
// smallest for it.
//
//	Set ── block key 0  dense   bitset of 8 KB             more than 1,024 documents
//	    ── block key 1  sparse  rising list of 16 bits     up to that, or 4,096 in files
//	    ── block key 7  runs    (first, how many follow)   as RunOptimize leaves them
//
// The one idea is to copy nothing and allocate nothing. Postings are used where they lie in the memory-mapped segment;
// results are made in the Workspace of a query, arenas that are taken back all at once. So a Set is a value that is never
// changed, and is dead once its workspace is reset or the file is unmapped.
//
// The loops that decide about one document at a time have no branch that depends on it: lists are sifted by writing every
// document and moving on only behind those that stay, because whether one stays is what a branch predictor cannot know.
package docset
