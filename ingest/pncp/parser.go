package pncp

import (
	"errors"
	"fmt"
	"strings"

	"razao/ingest/rows"
)

// parser turns documents into records on one goroutine. Contract and record are reused for every
// row: the writer copies what it is given.
type parser struct {
	w    *rows.Writer
	file *rows.File
	page bool // the file is one document

	contract *contract
	take     func(name, value string, at int) // member callback of a document
	contents string                           // the array "data" if the document is a page, else ""
	offset   int                              // of contents in the document

	record rows.Record
	values []string // of the record
	span   span
}

func newParser(w *rows.Writer, until string) *parser {
	p := &parser{w: w, contract: newContract(), span: span{until: until}}
	p.values = make([]string, len(p.contract.columns))
	p.take = func(name, value string, at int) {
		if name == "data" && value[0] == '[' {
			p.contents, p.offset = value, at
		}
		p.contract.member(name, value, at)
	}
	return p
}

// document parses a contract, or a page of contracts, which is told by its array "data". line is
// where the text begins.
func (p *parser) document(text string, line int64) error {
	p.contract.reset()
	p.contents = ""
	in := newScanner(withoutControls(text))
	if err := in.object(p.take); err != nil {
		return p.damaged(text, line, err)
	}
	if p.contents == "" {
		return p.row(text, line)
	}
	counted := 0 // offset up to which line breaks are counted
	return newScanner(p.contents).array(func(element string, at int) error {
		at += p.offset
		published := text[at : at+len(element)]
		if p.page {
			line += int64(strings.Count(text[counted:at], "\n"))
			counted = at
		}
		p.contract.reset()
		if err := newScanner(element).object(p.contract.member); err != nil {
			return p.reject(published, line, "data", err.Error())
		}
		return p.row(published, line)
	})
}

// damaged rejects a line that is no complete JSON object. A damaged page, in a file of its own or
// on a line, is an error that ends the load: the number of contracts lost with it is unknown.
func (p *parser) damaged(text string, line int64, err error) error {
	var syntax *syntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	if p.page || p.contents != "" || syntax.member == "data" {
		if p.page {
			line += int64(strings.Count(text[:syntax.at], "\n"))
		}
		return fmt.Errorf("%s line %d: the page of contracts is damaged (%w): fetch it again", p.file.Path, line, err)
	}
	return p.reject(text, line, syntax.member, syntax.reason)
}

// reject counts a row and keeps it aside. column is the member at fault, "" for the row as a whole.
func (p *parser) reject(text string, line int64, column, reason string) error {
	p.w.Row()
	return p.w.Reject(p.file, line, column, reason, []byte(text))
}

// row emits the records of the contract whose members have been taken. text is its JSON.
func (p *parser) row(text string, line int64) error {
	v, err := p.contract.read(text)
	var bad *fault
	if errors.As(err, &bad) {
		return p.reject(text, line, bad.column, bad.reason)
	}
	if err != nil {
		return err
	}
	p.w.Row()
	p.span.add(v.published, v.updated)
	p.account(&v)
	p.record.Where = rows.Where{File: p.file.Index, Line: line}
	if err := p.records(&v); err != nil {
		return fmt.Errorf("%s line %d: %w", p.file.Path, line, err)
	}
	return nil
}

// account counts, by role and rule, the sides of a contract that are no company. A contract without
// any company is dropped by its supplier's rule.
func (p *parser) account(v *version) {
	if v.body.rule != "" && v.supplier.rule != "" && v.subcontractor.rule != "" {
		p.w.Drop(v.supplier.rule)
		return
	}
	if v.body.rule != "" {
		p.w.Mark(contractor + "_" + v.body.rule)
	}
	if v.supplier.rule != "" {
		p.w.Mark(supplier + "_" + v.supplier.rule)
	}
	if v.subcontractor.rule != "" && v.subcontractor.rule != noDocument { // most contracts have no subcontractor
		p.w.Mark(subcontractor + "_" + v.subcontractor.rule)
	}
}

// records emits one record for each role. A company that is supplier and subcontractor gets one
// record with both participations; the subcontractor's is then void.
func (p *parser) records(v *version) error {
	first, second := v.supplier, v.subcontractor
	participation := `["` + supplier + `"]`
	if first.rule == "" && first == second {
		participation = `["` + supplier + `","` + subcontractor + `"]`
		second = side{rule: supplier}
	}
	if err := p.add(bodies, contractor, v, v.body, ""); err != nil {
		return err
	}
	if err := p.add(suppliers, supplier, v, first, participation); err != nil {
		return err
	}
	return p.add(suppliers, subcontractor, v, second, `["`+subcontractor+`"]`)
}

// add emits the record of one role, or a void one if the side is no company. Records are ordered by
// date of signature, newest first, then by key.
func (p *parser) add(source, role string, v *version, s side, participation string) error {
	r := &p.record
	r.Identity = v.control + " " + role
	r.Version = v.number
	r.Owner, r.Order, r.Values = s.owner, v.order+r.Identity, nil
	if s.rule == "" {
		r.Values = p.values
		copy(r.Values, p.contract.values)
		r.Values[p.contract.at.participation] = participation
	}
	return p.w.Add(source, r)
}
