// Package company groups the establishments of an index by company, so that results can be
// collapsed to one hit per company without reading any record.
//
// The file lists the documents that are not the principal one of their company, ascending:
//
//	companies    document uint32, principal document uint32    8 bytes each, little endian
//
// The principal establishment is the most important head office or, in a company without one, the
// most important establishment. 19 of 20 establishments are their company's only one and take no
// room.
//
// Look-ups gallop (exponential search): one costs O(log n), and those of a sorted set get cheaper
// the closer its documents are. For each shard there is also a bitmap of the documents that are not
// principal: the fast path of collapsing is a difference of sets, and only what is left needs the
// table.
package company
