// Package figures has sums over the establishments of every municipality, every UF and the country: openings, closings,
// capital, activities. They are added up while an index is built, fill two small files, and are read whole when it is
// opened, so that a page of rankings reads nothing.
//
//	rankings   for each place: kind, number, active companies, capital (128 bits), companies with an
//	           implausible one, capital with theirs (128 bits), then situação, year, count ...
//	places     first day and end of the last twelve months, then for each place: opened, closed, closings by year,
//	           most frequent activities
//
// All numbers are varints. The country is the sum of the UFs and is not written.
package figures
