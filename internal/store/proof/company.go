package proof

import (
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
)

// Company is a company, decoded from its rows.
type Company struct {
	pack.Head
	AllPartners       []record.Partner
	AllEstablishments []record.Establishment
}

// Decode decodes the rows of a company, all of them. The error is pack.ErrCorrupt if they are not those of one, or
// others of another version of the program.
func Decode(root cnpj.Root, rows []Row) (*Company, error) {
	docs := map[int32][]byte{}
	for _, r := range rows {
		docs[r.Seq] = r.Doc
	}
	if len(docs) != len(rows) {
		return nil, pack.ErrCorrupt
	}
	h, err := pack.DecodeHead(root, docs[0])
	if err != nil {
		return nil, err
	}
	delete(docs, 0)
	c := &Company{Head: h}
	if err := c.partners(docs); err != nil {
		return nil, err
	}
	if err := c.establishments(docs); err != nil {
		return nil, err
	}
	if len(docs) > 0 || len(c.AllPartners) != h.Partners || len(c.AllEstablishments) != h.Establishments {
		return nil, pack.ErrCorrupt
	}
	return c, nil
}

func (c *Company) partners(docs map[int32][]byte) error {
	cursor := c.FirstPartners()
	for seq := int32(-1); ; seq-- {
		for cursor.Next() {
			c.AllPartners = append(c.AllPartners, cursor.Partner)
		}
		if err := cursor.Err(); err != nil {
			return err
		}
		doc, more := docs[seq]
		if !more {
			return nil
		}
		delete(docs, seq)
		var err error
		if cursor, err = pack.FurtherPartners(doc); err != nil {
			return err
		}
	}
}

func (c *Company) establishments(docs map[int32][]byte) error {
	cursor := c.FirstEstablishments()
	for seq := int32(1); ; seq++ {
		for cursor.Next() {
			c.AllEstablishments = append(c.AllEstablishments, cursor.Establishment)
		}
		if err := cursor.Err(); err != nil {
			return err
		}
		doc, more := docs[seq]
		if !more {
			return nil
		}
		delete(docs, seq)
		var err error
		if cursor, err = c.FurtherEstablishments(doc); err != nil {
			return err
		}
	}
}
