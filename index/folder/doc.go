// Package folder handles an index on disk as one immutable unit: a folder that is either complete
// or absent.
//
//	000042/
//	  shard-000/ shard-001/ ...   Bleve indexes, in rank order (index/segment)
//	  facets order-*              columns (index/column)
//	  rankings places             figures (index/figures)
//	  ...                         what the maker put beside them
//	  sources/                    flags of the sources' loads (index/flags), which come and go
//	  manifest.json               format, load, shards, and size and SHA-256 of every file above
//	                              except those in sources/
//	  .verified.json              cache of VerifyOnce, not part of the index
//
// Publishing is write, sync, rename: the manifest is written last, every file and folder is synced,
// then the folder is renamed into place and its parent synced. A crash leaves a folder under a
// temporary name, never half an index.
//
// Nothing is parsed before it is verified. Read checks the manifest and the sizes of all files,
// which costs a stat each. Verify reads everything and compares checksums; VerifyOnce skips files
// whose inode, size and modification time are those of a former success. Files are then mapped
// (Map). Since a mapped file can still change underneath, code that reads one runs under Guard,
// which turns faults and panics into errors.
//
// A missing or altered file is ErrDamaged, an index of another version ErrFormat. Both tell the
// operator to rebuild from the records in PostgreSQL.
package folder
