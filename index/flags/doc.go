// Package flags is what an index knows of the public-record sources: which documents the loads of a source have records of.
// Sources are loaded daily and the index is built monthly, so this stands beside the shards, in a file for each load that is
// written in seconds and never changes:
//
//	000042/
//	  sources/pgfn-000057    the documents of load 57 of pgfn, a Roaring bitmap for each shard
//
// A snapshot names its index and the load of every source, and with them its files; the manifest does not list them. A file
// holds when the index was built, whose document numbers it has, and ends in a checksum.
package flags
