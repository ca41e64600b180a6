// Package folder is an index on disk: a folder that is complete or does not exist, and whose files never change.
//
//	000042/
//	  shard-000/ shard-001/ ...   Bleve indexes, in rank order (index/segment)
//	  facets order-*              columns (index/column)
//	  rankings places             figures (index/figures)
//	  ...                         what the maker put beside them
//	  sources/                    flags of the sources' loads (index/flags), which come and go
//	  manifest.json               format, load, shards, and every file above but those of sources, with its size and SHA-256
//
// The manifest is written last, then everything is synced, then the folder is renamed to its place: a crash leaves a
// folder under another name, never half an index. Read compares sizes, which is cheap; Verify compares checksums, VerifyOnce
// those of the files that were not verified before: nothing parses a file that neither has seen.
//
// Whatever finds a file missing or not as it should be returns ErrDamaged, an index of another version ErrFormat. Both
// tell the operator to rebuild, since the record store is the truth.
package folder
