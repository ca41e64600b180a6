// Package receita reads the monthly release "Dados Abertos CNPJ" of the Receita: the files of ten
// tables, CSV without headers in ISO-8859-1, fields quoted and separated by semicolons, zipped or
// extracted. It turns rows into clean records, keeps aside rows that cannot be read, and refuses a
// release that lacks files or has another layout. It stores nothing.
//
// # Flow
//
// [Find] locates the files of a month: of each table as many as there are, as long as none is missing
// ([Accept]). [Release.SampleRoots] reads their beginnings to learn how
// roots are distributed. [Release.Read] streams the zip members, largest first: readers cut them
// into blocks at record starts, and parsers, one for each worker, split, clean and hand on the
// records in no particular order. One file holds a large part of the rows, hence the blocks: the work is
// divided within files and not between them.
//
// # Downloading
//
// The releases are published in a [Share], a Nextcloud folder read by WebDAV (RFC 4918). Its server
// is weak: transfers stall, break off and repeat, and it refuses more than a few connections.
// [Share.List] asks for a folder with PROPFIND and returns the files whose names are those of a table,
// with size and ETag; no other name from the server ever becomes a path or an address (path traversal). [Share.Fetch] has
// them downloaded (package download), largest first, a few at a time. If a file was published again
// meanwhile, the month is listed again: Fetch returns only when all files match one listing made
// after the last download.
//
// # Scanning
//
// Nearly every record is in one plain dialect, which a scanner splits without copying. Any other record is left to encoding/csv, so the result is always that of
// a strict encoding/csv reader; a fuzz test holds the two to each other. A damaged record costs its
// first line, not the rest of the file.
//
// # Cleaning
//
// Texts become UTF-8 without control characters. Dates, amounts and states that cannot be are null and
// counted as repaired; a wrong check digit, root or order rejects the row. CPFs at the end of names
// are masked here, so no later stage and no work file has them. Texts are views into blocks or
// scratch buffers and are valid only during a handler's call.
package receita

import (
	"errors"
	"fmt"
	"strings"

	"razao/ingest/download"
	"razao/internal/web/fetch"
)

// Release is one month found in a folder; see [Find].
type Release struct {
	Month   string   // AAAA-MM
	Files   []File   // in the order of the tables, then of their numbers
	Missing []string // names of the zips that were not found
	// Unread are the other files of the folder: of no known table, or a second one of the same number. Nobody may
	// think that they were loaded.
	Unread []string
	// Fictional reports that the folder holds FictionalMark: the release is invented and must be
	// shown as such.
	Fictional bool
}

// FictionalMark is the name of the file that marks a folder as an invented release.
const FictionalMark = "DADOS-FICTICIOS.txt"

// File is one file of a release.
type File struct {
	Name  string // published name, Estabelecimentos0.zip, even if found extracted
	Path  string // of the zip or the extracted file
	Table Table
}

// Table is one of the ten tables of a release.
type Table int

// The tables of a release. Those from CNAEs on are domain tables: codes and descriptions.
const (
	Companies Table = iota
	Establishments
	Partners
	SimplesOptions
	CNAEs
	Motivos
	Municipios
	Naturezas
	Paises
	Qualificacoes
)

// layout describes the files of a table.
type layout struct {
	zip     string // name of the zip without number and extension
	parts   int    // numbered files, usually; 0: one file without a number
	member  string // part of the member's name, in upper case
	columns int    // fields of every record
}

const domainColumns = 2 // code and description

// layouts returns the layout of every table, indexed by Table. Package record names the columns.
func layouts() [10]layout {
	return [...]layout{
		Companies:      {"Empresas", 10, "EMPRECSV", 7},
		Establishments: {"Estabelecimentos", 10, "ESTABELE", 30},
		Partners:       {"Socios", 10, "SOCIOCSV", 11},
		SimplesOptions: {"Simples", 0, "SIMPLES", 7},
		CNAEs:          {"Cnaes", 0, "CNAECSV", domainColumns},
		Motivos:        {"Motivos", 0, "MOTICSV", domainColumns},
		Municipios:     {"Municipios", 0, "MUNICCSV", domainColumns},
		Naturezas:      {"Naturezas", 0, "NATJUCSV", domainColumns},
		Paises:         {"Paises", 0, "PAISCSV", domainColumns},
		Qualificacoes:  {"Qualificacoes", 0, "QUALSCSV", domainColumns},
	}
}

// String returns the published name of the table, such as "Empresas".
func (t Table) String() string { return layouts()[t].zip }

// isDomain reports whether the table holds codes and descriptions.
func (t Table) isDomain() bool { return t >= CNAEs }

// IncompleteError names the files that a release lacks: in a folder, or at the share, which lists a
// month without all its files for hours while it is being published. It is always a pointer.
type IncompleteError struct {
	Month   string
	Dir     string   // the folder; "": the share
	Missing []string // names of zips, in the order of the release
	Unread  []string // names that are of no file of a table: what is missing, if it was renamed
}

// IsAbsent reports whether an error says that the share lacks a month, or files of it: it may list what is gone.
func IsAbsent(err error) bool {
	var incomplete *IncompleteError
	var trouble *fetch.Trouble
	return errors.As(err, &incomplete) && incomplete.Dir == "" || errors.As(err, &trouble) && trouble.Missing
}

// IsBroken reports whether an error says that a file is none of its month, however often it is fetched: it is no
// zip, or holds another table, month, layout or encoding.
func IsBroken(err error) bool {
	return errors.Is(err, download.ErrBroken) || errors.As(err, new(*otherError))
}

// otherError is the error of a file that is another than its name says.
type otherError struct{ err error }

// Error implements error.
func (e *otherError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong.
func (e *otherError) Unwrap() error { return e.err }

// Error names the first missing files and what to do.
func (e *IncompleteError) Error() string {
	where, hint := "at the share", "take the month before, or try again tomorrow"
	if e.Dir != "" {
		where, hint = "in "+e.Dir, "complete it"
	}
	unread := ""
	if len(e.Unread) > 0 {
		unread = fmt.Sprintf(" and %d are of no known table (%s)", len(e.Unread), abbreviate(e.Unread))
	}
	return fmt.Sprintf("release %s %s is incomplete: %d of its files are missing (%s)%s; %s, load what is there with --partial or, if the publisher has "+
		"divided it into fewer files, with --whole", e.Month, where, len(e.Missing), abbreviate(e.Missing), unread, hint)
}

// abbreviate joins up to six names and counts the rest.
func abbreviate(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
