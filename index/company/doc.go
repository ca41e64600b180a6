// Package company is what an index knows of companies: which of its documents, the establishments, are one company. Results have a
// company once, and this decides it without reading a record.
//
//	companies    document, principal document    8 bytes, for each establishment that is not the principal one, rising
//
// The principal establishment is the head office; of a company that shows none, the most important establishment. 19 of 20
// establishments are the only one of their company and are not in the file. All numbers are little endian.
package company
