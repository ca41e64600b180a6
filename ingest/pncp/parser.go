package pncp

import (
	"errors"
	"fmt"
	"strings"

	"razao/ingest/rows"
)

// parser turns documents into records. It is used by one goroutine.
type parser struct {
	w    *rows.Writer
	file *rows.File
	page bool // the file is one document

	contract *contract
	take     func(name, value string, at int) // takes a member of a document
	contents string                           // of the document's "data" when it is a page of contracts
	offset   int                              // of contents

	record rows.Record
	values []string // of the record
	span   span
}

func newParser(w *rows.Writer) *parser {
	p := &parser{w: w, contract: newContract()}
	p.values = make([]string, len(p.contract.columns))
	p.take = func(name, value string, at int) {
		if name == "data" && value[0] == '[' {
			p.contents, p.offset = value, at
		}
		p.contract.member(name, value, at)
	}
	return p
}

// document reads a contract or a page of contracts.
func (p *parser) document(text string, line int64) error {
	p.contract.reset()
	p.contents = ""
	in := scanner{text: text}
	if err := in.document(p.take); err != nil {
		return p.damaged(text, line, err)
	}
	if p.contents == "" {
		return p.row(text, line)
	}
	contents := scanner{text: p.contents}
	counted := 0 // of the text, for line
	return contents.array(func(element string, at int) error {
		if p.page {
			line += int64(strings.Count(text[counted:p.offset+at], "\n"))
			counted = p.offset + at
		}
		p.contract.reset()
		one := scanner{text: element}
		if err := one.document(p.contract.member); err != nil {
			return p.reject(element, line, "data", err.Error())
		}
		return p.row(element, line)
	})
}

// damaged keeps a line aside that is no complete JSON object. Of a page, nobody knows how many contracts are lost with
// it, so that ends the load.
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

func (p *parser) reject(text string, line int64, column, reason string) error {
	p.w.Row()
	return p.w.Reject(p.file, line, column, reason, []byte(text))
}

// row makes the records of a contract whose members have been taken.
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

// account counts why a contract has no record for one of its sides, and drops it when it has none at all.
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
	if v.subcontractor.rule != "" && v.subcontractor.rule != noDocument { // few contracts have one
		p.w.Mark(subcontractor + "_" + v.subcontractor.rule)
	}
}

// records adds what a version says of each role. A company that is supplier and subcontractor has one record.
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

// add adds the record of a side, or one without values that says that this version has nothing for the role.
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
