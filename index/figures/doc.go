// Package figures has aggregates over the establishments of every municipality, every UF and the
// country: openings, closings, by year and by month, capital and most frequent activities. Totals adds them up in memory
// while an index is built, one document at a time, and writes two small files. Read loads both when
// the index is opened, so a page of rankings touches no disk and no shard.
//
//	rankings   for each place: kind, number, active companies, capital (128 bits), companies with an
//	           implausible one, capital with theirs (128 bits), then situação, year, count ...
//	places     first day and end of the last twelve months, then for each place: opened and closed in
//	           each of the last thirteen, closings by year, most frequent activities
//
// All numbers are unsigned varints (LEB128). Places come in order, municipalities after UFs. The
// country is the sum of the UFs and is not written. Memory while building depends on places ×
// situações × years, not on the number of documents.
//
// AddUp joins them with the names and populations of places, for whoever shows them.
//
// The manifest has the checksums of both files. Read checks counts, years and codes all the same,
// because they are shown and become keys of maps: an impossible one is folder.ErrDamaged.
package figures
