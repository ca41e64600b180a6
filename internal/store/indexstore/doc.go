// Package indexstore distributes search indexes from the server that builds them to servers that
// only serve. Between them is a store: a folder, a prefix in an S3 bucket, or, to read only, any
// HTTP server that serves such a folder.
//
//	indexes/000042     listing in JSON: the manifest of that index and the flags beside it
//	files/<sha256>     every file under its checksum: indexes share what they have in common
//
// The store is content-addressed and needs no lock for readers. Files are immutable; a manifest
// (index/folder) names the other files of its index with their checksums, and a listing names the
// manifest and the flags, which the manifest does not list. A listing is written last and replaced
// atomically, so a reader finds a whole index or none.
//
// Publisher sends indexes and collects garbage (Sweep, with a grace period for running fetches).
// Only one may be at work at a time: the lock of loads sees to that. A Node fetches: it resumes
// interrupted files by range requests, hard-links files that another local index has, verifies
// every checksum, and renames a complete index into place. It retries with exponential backoff and
// jitter.
//
// Transfers have no total deadline, since a large file takes as long as it takes, but one of
// silence: a peer that does nothing for 30 seconds (5 minutes while it receives) ends the attempt, and
// so does one that sends less than a MiB a minute.
// What is read into memory, listings and manifests, is bounded.
//
// Store contents are not trusted: sums, sizes and paths are checked before anything is used. All
// records are elsewhere, so any failure is an error that leaves a server with what it has.
package indexstore
