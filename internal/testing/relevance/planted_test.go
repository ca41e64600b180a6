package relevance

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"

	"razao/index/build"
	"razao/internal/data/cnpj"
	"razao/internal/data/territory"
)

const (
	plantedFile  = "testdata/planted.csv"
	contactsFile = "testdata/contacts.csv"
)

// planted are the companies of planted.csv.
type planted struct {
	docs  []build.Doc
	byKey map[string]int // the first column → number in docs
}

// readPlanted reads planted.csv: one line per establishment, the head office before its branches.
func readPlanted() (*planted, error) {
	rows, err := readRows(plantedFile)
	if err != nil {
		return nil, err
	}
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	places := map[string]territory.Municipality{}
	for _, m := range atlas.Municipalities() {
		places[m.Name+"/"+m.UF] = m
	}
	p := &planted{byKey: map[string]int{}}
	for _, row := range rows {
		if err := p.add(places, row); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", plantedFile, row[0], err)
		}
	}
	return p, p.contacts()
}

// contacts reads contacts.csv, the contacts of some of the companies.
func (p *planted) contacts() error {
	rows, err := readRows(contactsFile)
	if err != nil {
		return err
	}
	for _, row := range rows {
		i, ok := p.byKey[row[0]]
		if !ok {
			return fmt.Errorf("%s: no company %q", contactsFile, row[0])
		}
		d := &p.docs[i]
		d.Street, d.HouseNumber, d.Bairro, d.DDDs[0], d.Telephones[0], d.Email = row[1], row[2], row[3], row[4], row[5], row[6]
	}
	return nil
}

// readRows returns the lines of a file of testdata without the header.
func readRows(path string) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma, r.Comment = ';', '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows[1:], nil
}

// add takes a line; what it leaves empty about the company is that of the line before.
func (p *planted) add(places map[string]territory.Municipality, row []string) error {
	key, number, name, trade, place := row[0], row[1], row[2], row[3], row[4]
	if _, twice := p.byKey[key]; twice {
		return fmt.Errorf("the key is there twice")
	}
	var d build.Doc
	if name == "" {
		d = p.docs[len(p.docs)-1]
		d.Partners = nil
	} else if err := p.company(&d, name, row[6:]); err != nil {
		return err
	}
	d.NomeFantasia, d.SituacaoCadastral = trade, row[5]
	root, order, _ := strings.Cut(number, "/")
	head := d.CNPJ.Root()
	if err := parseNumber(&d, root, order); err != nil {
		return err
	}
	if name == "" && d.CNPJ.Root() != head {
		return fmt.Errorf("a branch of another company than the line above")
	}
	m, ok := places[place]
	if !ok {
		return fmt.Errorf("no municipality %q", place)
	}
	d.UF, d.Municipio = m.UF, m.RFB
	p.byKey[key] = len(p.docs)
	p.docs = append(p.docs, d)
	return nil
}

func parseNumber(d *build.Doc, root, order string) error {
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		return err
	}
	o, err := cnpj.ParseOrder(order)
	d.CNPJ = cnpj.Join(r, o)
	d.HeadOffice = order == "0001"
	return err
}

// company reads size, capital in reais, number of establishments, partners and main activity.
func (p *planted) company(d *build.Doc, name string, columns []string) error {
	d.RazaoSocial, d.PorteEmpresa, d.CNAE = name, columns[0], columns[4]
	reais, err := strconv.ParseInt(columns[1], 10, 64)
	if err != nil {
		return err
	}
	d.Capital = reais * 100
	if d.Branches, err = strconv.Atoi(columns[2]); err != nil {
		return err
	}
	for partner := range strings.SplitSeq(columns[3], ", ") {
		if partner == "" {
			continue
		}
		cut := strings.LastIndexByte(partner, ' ')
		document := partner[cut+1:]
		if key, isCompany := strings.CutPrefix(document, "@"); isCompany {
			i, ok := p.byKey[key]
			if !ok {
				return fmt.Errorf("no company %q above", key)
			}
			document = p.docs[i].CNPJ.String()
		}
		d.Partners = append(d.Partners, build.Partner{Name: partner[:max(cut, 0)], Document: document})
	}
	return nil
}

// wanted returns the CNPJs that the keys of a judgement name. A key with a star names every
// establishment of the company.
func (p *planted) wanted(keys string) (map[cnpj.Full]bool, error) {
	out := map[cnpj.Full]bool{}
	for _, key := range strings.Fields(keys) {
		name, all := strings.CutSuffix(key, "*")
		i, ok := p.byKey[name]
		if !ok {
			return nil, fmt.Errorf("no company %q in %s", name, plantedFile)
		}
		out[p.docs[i].CNPJ] = true
		for j := range p.docs {
			if all && p.docs[j].CNPJ.Root() == p.docs[i].CNPJ.Root() {
				out[p.docs[j].CNPJ] = true
			}
		}
	}
	return out, nil
}
