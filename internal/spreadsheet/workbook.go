package spreadsheet

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A workbook (ECMA-376, Transitional or Strict) is a ZIP archive of XML. Only its visible sheets and the parts that lead
// to them are opened, and each is read element by element, with source in front: kilobytes may unpack to gigabytes (zip bomb),
// of which a parser that keeps trees makes ten times as much. Of a sheet, the cells that have something are kept, and
// with the shared strings, which come after it, those that the cells name.

const (
	maxParts      = 10_000 // members of the archive
	maxDepth      = 64     // elements in elements
	maxAttributes = 256    // of an element
	maxName       = 1 << 10
	lastColumn    = 16_384 // of a sheet
	lastLine      = 1_048_576
	mostSheets    = 50      // that are looked at
	mostMerged    = 100_000 // ranges of merged cells
)

// xlsx is a workbook that is read.
type xlsx struct {
	times                   int
	*table                  // of the sheet that is being read
	ctx                     context.Context
	parts                   map[string]*zip.File // by partName
	work                    work
	sheets                  []worksheet
	stringsPart, stylesPart string // "": there is none
	formats
	raw    []Row       // of the sheet, before their shared strings are known
	shared []reference // cells that are shared strings
	merged []span
}

// worksheet is a sheet of a workbook, and where it is.
type worksheet struct {
	name, part string
	hidden     bool
}

// reference is a cell that is a shared string.
type reference struct{ text, row, column int32 }

// span is the first column of merged cells. The value is in the first line.
type span struct{ column, first, last int32 }

// readWorkbook reads into t the sheet of this name or, for "", of the visible ones, or of all if none is, the one with the most CNPJs.
// Cells have the values that they hold, dates as Brazilians write them, whatever else their formats show.
func (l *List) readWorkbook(ctx context.Context, file []byte, name string, t *table) error {
	b, err := openWorkbook(ctx, file, t.times)
	if err != nil {
		return refusal(ctx, err)
	}
	l.Workbook, l.formats = true, b.all
	sheets := b.visible()
	names := func(s worksheet) bool { return name == "" || s.name == name }
	if name != "" && !slices.ContainsFunc(sheets, names) {
		return errNoSheet
	}
	best, most := 0, -1
	var failed error
	for i, s := range sheets {
		if !names(s) {
			continue
		}
		read, err := b.readSheet(s.part)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = cmp.Or(failed, refusal(ctx, err))
			continue
		}
		n := 0
		if len(sheets) > 1 {
			n = likelihood(read.rows)
		}
		if n > most || n == most && len(read.rows) > len(t.rows) {
			best, most, *t = i, n, *read
		}
	}
	if failed != nil && most <= 1 { // perhaps it is the one that was meant
		return failed
	}
	if len(sheets) > 1 {
		for i, s := range sheets {
			if i == best {
				l.Sheet = s.name
			} else {
				l.Others = append(l.Others, s.name)
			}
		}
	}
	return nil
}

// likelihood says how likely rows are the list that is meant: by the CNPJs in the first of them, and then by a heading.
func likelihood(rows []Row) (n int) {
	first := rows[:min(len(rows), guessedBy)]
	for i := range first {
		if slices.ContainsFunc(first[i].Cells, func(cell string) bool {
			n := readNumber(cell, noRoots)
			return n.Full != 0 && (!n.Padded || len(cell) >= lengthCNPJ-2)
		}) {
			n += 2
		}
	}
	if headingOf(rows) >= 0 {
		n++
	}
	return n
}

// openWorkbook finds the sheets and reads what they share.
func openWorkbook(ctx context.Context, file []byte, times int) (*xlsx, error) {
	// Names and sizes of members are kept before any is read: the number in the directory's end need not be true.
	if bytes.Count(file, []byte("PK\x01\x02")) > maxParts {
		return nil, ErrTooLarge
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, errFormat
	}
	b := &xlsx{ctx: ctx, times: times, work: work{most: times * maxBeside}, formats: newFormats(), parts: make(map[string]*zip.File, len(archive.File))}
	for _, part := range archive.File {
		name := partName("", part.Name)
		if b.parts[name] != nil { // which of the two is a matter of the reader
			return nil, errFormat
		}
		b.parts[name] = part
	}
	if b.parts["mimetype"] != nil && b.parts["content.xml"] != nil {
		return nil, errODS
	}
	if err := b.findSheets(); err != nil {
		return nil, err
	}
	if err := b.readStyles(); err != nil {
		return nil, err
	}
	b.work.most = times * maxMarks
	return b, nil
}

// visible returns the sheets that are shown, or all if none is.
func (b *xlsx) visible() []worksheet {
	shown := slices.DeleteFunc(slices.Clone(b.sheets), func(s worksheet) bool { return s.hidden })
	if len(shown) == 0 {
		return b.sheets
	}
	return shown
}

// readSheet reads a sheet.
func (b *xlsx) readSheet(part string) (*table, error) {
	b.table, b.raw, b.shared, b.merged = &table{times: b.times}, nil, nil, nil
	for _, read := range []func() error{func() error { return b.readCells(part) }, b.readShared, b.fillMerged} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	b.rows = b.raw[:0] // in their memory: none is added before it is read
	for _, r := range b.raw {
		if err := b.add(r); err != nil {
			return nil, err
		}
	}
	return b.table, nil
}

// partName returns the name under which a part is found: names are equal in any case, and some programs write backslashes.
func partName(folder, target string) string {
	target = strings.ToLower(strings.ReplaceAll(target, `\`, "/"))
	if !strings.HasPrefix(target, "/") {
		target = path.Join(folder, target)
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}

// findSheets finds the parts by the relations that lead to them.
func (b *xlsx) findSheets() error {
	main := ""
	err := b.relations("", func(kind, _, target string) {
		if kind == "officeDocument" && main == "" {
			main = target
		}
	})
	if err != nil {
		return err
	}
	sheets := map[string]string{}
	err = b.relations(main, func(kind, id, target string) {
		switch kind {
		case "worksheet":
			sheets[id] = target
		case "sharedStrings":
			b.stringsPart = target
		case "styles":
			b.stylesPart = target
		}
	})
	if err != nil {
		return err
	}
	return b.read(main, func(_ *document, e *xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			b.from1904 = isTrue(attribute(e, "date1904"))
		case "sheet":
			target, state := sheets[attribute(e, "id")], attribute(e, "state")
			if target != "" && len(b.sheets) < mostSheets {
				b.sheets = append(b.sheets, worksheet{oneLine(attribute(e, "name")), target, state != "" && state != "visible"})
			}
		}
		return nil
	}, nil)
}

// relations calls found with kind, id and target of each relation of a part, of the package for "".
func (b *xlsx) relations(of string, found func(kind, id, target string)) error {
	folder, name := path.Split(of)
	n := 0
	return b.read(folder+"_rels/"+name+".rels", func(_ *document, e *xml.StartElement) error {
		if e.Name.Local != "Relationship" || attribute(e, "TargetMode") == "External" {
			return nil
		}
		id, target := attribute(e, "Id"), attribute(e, "Target")
		if n++; n > maxParts || len(id) > maxName || len(target) > maxName {
			return ErrTooLarge
		}
		found(path.Base(attribute(e, "Type")), id, partName(folder, target))
		return nil
	}, nil)
}

// attribute returns an attribute of an element, "" if it has none.
func attribute(e *xml.StartElement, name string) string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == name {
			return e.Attr[i].Value
		}
	}
	return ""
}

func isTrue(value string) bool { return value == "1" || value == "true" }

// document is a part that is being read.
type document struct {
	reading *xml.Decoder
	open    []xml.Name // elements that have begun and not ended
	keeps   bool       // texts are kept
	text    []byte     // kept so far
}

// read reads a part, and calls begin and end where elements begin and end; io.EOF from them means that they have enough. The
// rest is unpacked nevertheless: its checksum says whether what was read is what was written.
func (b *xlsx) read(name string, begin func(*document, *xml.StartElement) error, end func(*document, string) error) error {
	file := b.parts[name]
	if file == nil {
		return errFormat
	}
	part, err := file.Open()
	if err != nil {
		return errFormat
	}
	defer part.Close()
	in := &source{ctx: b.ctx, from: transform.NewReader(part, unicode.BOMOverride(transform.Nop)), work: &b.work}
	d := &document{reading: xml.NewDecoder(in)}
	d.reading.CharsetReader = decoded
	for err == nil {
		in.step()
		err = d.next(begin, end)
	}
	rest := make([]byte, 32<<10)
	for errors.Is(err, io.EOF) {
		if _, err = in.skip(rest); errors.Is(err, io.EOF) {
			return nil
		} else if err == nil {
			err = io.EOF
		}
	}
	return err
}

// decoded is the xml.Decoder.CharsetReader of a part: the package format has UTF-8 and UTF-16, which was decoded by its mark.
func decoded(charset string, in io.Reader) (io.Reader, error) {
	if strings.HasPrefix(strings.ToLower(charset), "utf-16") {
		return in, nil
	}
	return nil, errFormat
}

// next reads what comes next. The names of namespaces, which Decoder.Token looks up for each element and attribute, decide nothing here:
// only that what begins also ends is left to check.
func (d *document) next(begin func(*document, *xml.StartElement) error, end func(*document, string) error) error {
	token, err := d.reading.RawToken()
	if errors.Is(err, io.EOF) && len(d.open) > 0 {
		return errFormat
	}
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case xml.StartElement:
		if d.open = append(d.open, t.Name); len(d.open) > maxDepth || len(t.Attr) > maxAttributes {
			return ErrTooLarge
		}
		if !d.isOwn(t.Name) {
			return nil
		}
		return begin(d, &t)
	case xml.EndElement:
		last := len(d.open) - 1
		if last < 0 || d.open[last] != t.Name {
			return errFormat
		}
		defer func() { d.open = d.open[:last] }()
		if end != nil && d.isOwn(t.Name) {
			return end(d, t.Name.Local)
		}
	case xml.CharData:
		if d.keeps {
			d.text = append(d.text, t...)
		}
		if len(d.text) > 4*maxCell {
			return errLongCell
		}
	case xml.Directive: // a package has no document type declarations (ECMA-376 part 2), and so no entities
		return errFormat
	}
	return nil
}

// isOwn reports whether an element is one of the part's own, and not of an extension, which has another prefix.
func (d *document) isOwn(name xml.Name) bool { return name.Space == d.open[0].Space }

// is reports whether the element that begins or ends is at a path below the first: what has its name elsewhere is another thing.
func (d *document) is(path ...string) bool {
	return len(d.open)-1 == len(path) && slices.EqualFunc(d.open[1:], path, func(e xml.Name, name string) bool { return e.Local == name })
}

// sheet is where in a sheet its reader is.
type sheet struct {
	row   Row // with its cells up to the last that has something
	begun int // of the workbook's references when the row began

	column      int // of the cell, from 0
	kind, style string
}

// readCells reads the cells of a sheet, and which of them are merged.
func (b *xlsx) readCells(part string) error {
	s := &sheet{}
	return b.read(part, func(d *document, e *xml.StartElement) error {
		switch {
		case d.is("mergeCells", "mergeCell"):
			return b.merge(attribute(e, "ref"))
		case len(d.open) == 2 && behindMerged[e.Name.Local]:
			return io.EOF
		case d.is("sheetData", "row"):
			return s.beginRow(e)
		case d.is("sheetData", "row", "c"):
			d.text = d.text[:0]
			return s.beginCell(e)
		case d.is("sheetData", "row", "c", "v"), d.is("sheetData", "row", "c", "is", "t"), d.is("sheetData", "row", "c", "is", "r", "t"):
			d.keeps = true
		}
		return nil
	}, func(d *document, _ string) error {
		d.keeps = false
		switch {
		case d.is("sheetData", "row"):
			return b.endRow(s)
		case d.is("sheetData", "row", "c"):
			return b.endCell(s, d.text)
		case d.is("mergeCells"):
			return io.EOF
		}
		return nil
	})
}

// behindMerged are elements of a sheet that come after the merged cells (ECMA-376 part 1, 18.3.1.99) and may be many.
var behindMerged = map[string]bool{
	"phoneticPr": true, "conditionalFormatting": true, "dataValidations": true, "hyperlinks": true, "printOptions": true, "pageMargins": true, "pageSetup": true,
	"headerFooter": true, "rowBreaks": true, "colBreaks": true, "drawing": true, "legacyDrawing": true, "tableParts": true, "extLst": true,
}

// merge notes merged cells, such as A2:B9.
func (b *xlsx) merge(ref string) error {
	from, to, _ := strings.Cut(ref, ":")
	first, err := strconv.Atoi(strings.TrimLeft(from, letters))
	last, wrong := strconv.Atoi(strings.TrimLeft(to, letters))
	if err != nil || wrong != nil || first >= last || first > lastLine {
		return nil
	}
	if len(b.merged) == mostMerged {
		return ErrTooLarge
	}
	b.merged = append(b.merged, span{int32(columnNumber(from)), int32(first), int32(min(last, lastLine))})
	return nil
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// fillMerged gives all rows of merged cells the value that the first has.
func (b *xlsx) fillMerged() error {
	steps := 0
	for _, m := range b.merged {
		at, found := slices.BinarySearchFunc(b.raw, int(m.first), func(r Row, line int) int { return cmp.Compare(r.Line, line) })
		if !found || b.raw[at].Cell(int(m.column)) == "" {
			continue
		}
		first := &b.raw[at]
		text, held := first.Cells[m.column], first.held(int(m.column))
		for i := at + 1; i < len(b.raw) && b.raw[i].Line > first.Line && b.raw[i].Line <= int(m.last); i++ {
			if steps++; steps > b.times*maxCells {
				return ErrTooLarge
			}
			r := &b.raw[i]
			if r.Cell(int(m.column)) != "" {
				continue
			}
			width := len(r.Cells)
			r.set(int(m.column), text, held)
			if err := b.grow(len(r.Cells)-width, len(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// beginRow reads the number of a row, which may be left out.
func (s *sheet) beginRow(e *xml.StartElement) error {
	s.row.Line++
	if r := attribute(e, "r"); r != "" {
		s.row.Line, _ = strconv.Atoi(r)
	}
	s.row.Cells, s.row.numbers, s.row.formats, s.column = s.row.Cells[:0], s.row.numbers[:0], s.row.formats[:0], -1
	if s.row.Line < 1 || s.row.Line > lastLine {
		return errFormat
	}
	return nil
}

// beginCell reads where a cell is, which may be left out, and what it is.
func (s *sheet) beginCell(e *xml.StartElement) error {
	s.column++
	s.kind, s.style = "", ""
	for i := range e.Attr {
		switch a := &e.Attr[i]; a.Name.Local {
		case "r":
			s.column = columnNumber(a.Value)
		case "t":
			s.kind = a.Value
		case "s":
			s.style = a.Value
		}
	}
	if s.column < 0 || s.column >= lastColumn {
		return errFormat
	}
	return nil
}

// columnNumber returns the column of a reference such as AB12, from 0; -1 if it has none.
func columnNumber(reference string) int {
	n := 0
	for _, c := range []byte(reference) {
		if c |= 'a' - 'A'; c < 'a' || c > 'z' || n > lastColumn {
			break
		}
		n = 26*n + int(c-'a') + 1
	}
	return n - 1
}

// endCell keeps the cell if it has something.
func (b *xlsx) endCell(s *sheet, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	if s.kind == "s" {
		at, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 31)
		if err != nil {
			return errFormat
		}
		b.shared = append(b.shared, reference{int32(at), int32(len(b.raw)), int32(s.column)})
		return s.put(b, "", held{})
	}
	shown, h := b.value(s.kind, s.style, string(text))
	shown = oneLine(shown)
	if shown == "" {
		return nil
	}
	if isLong(shown) {
		return errLongCell
	}
	if err := b.grow(0, len(shown)); err != nil {
		return err
	}
	return s.put(b, shown, h)
}

// put puts a cell into the row. Beyond the last column only a shared string may be blank.
func (s *sheet) put(b *xlsx, shown string, h held) error {
	if s.column >= maxColumns {
		if shown != "" {
			return errTooWide
		}
		return b.grow(1, 0)
	}
	s.row.set(s.column, shown, h)
	return nil
}

// endRow keeps the row if it has something.
func (b *xlsx) endRow(s *sheet) error {
	if len(s.row.Cells) == 0 && len(b.shared) == s.begun {
		return nil
	}
	s.begun = len(b.shared)
	b.raw = append(b.raw, Row{Line: s.row.Line, Cells: slices.Clone(s.row.Cells), numbers: slices.Clone(s.row.numbers), formats: slices.Clone(s.row.formats)})
	if len(b.raw) > 2*b.times*MaxLines { // some of whose shared strings may be blank
		return errTooLong
	}
	return b.grow(len(s.row.Cells), 0)
}

// readShared reads the shared strings that the sheet names.
func (b *xlsx) readShared() error {
	if len(b.shared) == 0 {
		return nil
	}
	slices.SortFunc(b.shared, func(x, y reference) int { return cmp.Compare(x.text, y.text) })
	at, next := int32(-1), 0
	err := b.read(b.stringsPart, func(d *document, _ *xml.StartElement) error {
		switch {
		case d.is("si"):
			at++
			d.text = d.text[:0]
		case d.is("si", "t"), d.is("si", "r", "t"): // and not readings of East Asian texts, rPh
			d.keeps = at == b.shared[next].text
		}
		return nil
	}, func(d *document, _ string) (err error) {
		d.keeps = false
		if !d.is("si") {
			return nil
		}
		if next, err = b.fill(next, at, string(d.text)); err == nil && next == len(b.shared) {
			return io.EOF
		}
		return err
	})
	if err == nil && next < len(b.shared) {
		return errFormat
	}
	return err
}

// fill fills the cells from the one at next on that are the shared string at at, and returns the next that is not.
func (b *xlsx) fill(next int, at int32, text string) (int, error) {
	text = oneLine(unescape(text))
	if isLong(text) {
		return next, errLongCell
	}
	for ; next < len(b.shared) && b.shared[next].text == at; next++ {
		cell := b.shared[next]
		switch r := &b.raw[cell.row]; {
		case text == "":
		case int(cell.column) >= len(r.Cells):
			return next, errTooWide
		default:
			r.set(int(cell.column), text, held{})
		}
		if err := b.grow(0, len(text)); err != nil {
			return next, err
		}
	}
	return next, nil
}
