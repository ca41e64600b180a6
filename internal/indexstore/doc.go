// Package indexstore brings search indexes from the server that builds them to those that only serve. In between stands a store: a
// folder, a prefix in an S3 bucket, or, to read from, anything that serves such a folder by HTTP.
//
//	indexes/000042     a listing in JSON: the manifest of that index and the flags of the sources' loads beside it
//	files/<sha256>     every file, by its content: indexes share what they have in common
//
// A manifest (index/folder) names the other files of its index with their checksums; the listing does the same for what the
// manifest does not list. A listing is written last and replaced at once, so that whoever reads one finds all that it names.
// Publisher writes and clears up; only one may be at work at a time, which the lock of loads sees to. Node fetches: it verifies what
// it reads, keeps what has arrived when it is cut off, and puts a complete index in its place with a rename.
//
// All records are elsewhere, so whatever goes wrong here is an error that leaves a server with what it has.
package indexstore
