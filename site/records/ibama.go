package records

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// ibamaList is one of the two lists of IBAMA: infraction notices and embargoes. Records of one name
// records of the other by key.
type ibamaList struct {
	id       string // of the source
	name     string // in addresses
	document string // field with the CNPJ
	keyField string // field that identifies a record to the other list
	refField string // field with keys of the other list
}

// The two lists, with the fields by which their records refer to each other.
var (
	infractions = &ibamaList{"ibama_autos", "autos", "cpf_cnpj_infrator", "seq_auto_infracao", "cd_termos_embargos"}
	embargoes   = &ibamaList{"ibama_embargos", "embargos", "cpf_cnpj_embargado", "num_tad", "seq_auto_infracao"}
)

// ibamaLists are the lists by their names in addresses. Source ids are accepted and redirected.
var ibamaLists = map[string]*ibamaList{
	"autos": infractions, "ibama_autos": infractions,
	"embargos": embargoes, "ibama_embargos": embargoes,
}

// ListName returns the canonical name of an IBAMA list in addresses, given any accepted one.
func ListName(given string) (name string, ok bool) {
	list, ok := ibamaLists[given]
	if !ok {
		return "", false
	}
	return list.name, true
}

// other returns the list that the records of l refer to.
func (l *ibamaList) other() *ibamaList {
	if l == infractions {
		return embargoes
	}
	return infractions
}

// listAddress returns the path of a page of a list about a CNPJ or root.
func listAddress(document string, l *ibamaList, page int) string {
	return "/" + document + "/ibama/" + l.name + "/" + strconv.Itoa(page)
}

// listPerPage is how many records a page of these lists shows.
const listPerPage = 20

// ibamaPage is the view model of one page of a list about an establishment or, with an 8-position
// number, a company.
type ibamaPage struct {
	page.Frame
	Name       string // of the company
	Number     string // masked CNPJ or root
	CompanyURL string
	Page       int
	Card       Card
	WideURL    string // list of the whole company; "" when this is it, or for a company with one establishment
}

// Embargoes reports whether this is the list of embargoes.
func (p *ibamaPage) Embargoes() bool { return p.Card.ID == embargoes.id }

// ibamaRequest is the parsed address of such a page.
type ibamaRequest struct {
	list *ibamaList
	page int
	root cnpj.Root
	full cnpj.Full // 0 means the whole company
}

// ibamaAddressed parses an address. The page number is checked first: a malformed one is a 422
// whether or not the rest exists.
func ibamaAddressed(c *gin.Context, snap *snapshot.Snapshot) (ibamaRequest, error) {
	number, err := page.ParsePageNumber("path", "numero_pagina", c.Param("numero_pagina"))
	if err != nil {
		return ibamaRequest{}, err
	}
	list, ok := ibamaLists[c.Param("fonte")]
	if !ok {
		return ibamaRequest{}, page.ErrUnknownPath
	}
	root, full, err := page.NumberOf(c.Request.Context(), snap, c.Param("cnpj"))
	return ibamaRequest{list, number, root, full}, err
}

// document returns the CNPJ or root in canonical form.
func (r *ibamaRequest) document() string {
	if r.full == 0 {
		return r.root.String()
	}
	return r.full.String()
}

func (r *ibamaRequest) address(number int) string { return listAddress(r.document(), r.list, number) }

// ibama answers /{cnpj}/ibama/{fonte}/{numero_pagina}. Addresses that are not canonical are
// redirected. Only the first page of a company that is not a natural person may be
// indexed by search engines.
func (hs *Handlers) ibama(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	r, err := ibamaAddressed(c, snap)
	if err != nil {
		return page.Reply{}, err
	}
	if canonical := r.address(r.page); c.Request.URL.Path != canonical {
		return page.Reply{Status: http.StatusMovedPermanently, Location: canonical}, nil
	}
	ctx := c.Request.Context()
	head, err := snap.Company(ctx, r.root)
	if err != nil {
		return page.Reply{}, page.Missing(r.document(), err)
	}
	p := &ibamaPage{Page: r.page, Name: ptbr.Holder(head.Root, head.Company.RazaoSocial, head.Individual()), Number: r.root.Masked(), CompanyURL: "/" + r.document()}
	if r.full != 0 {
		establishment, err := snap.Establishment(ctx, &head, r.full.Order())
		if err != nil {
			return page.Reply{}, page.Missing(r.document(), err)
		}
		p.Name, p.Number = wording.NameOf(&head, &establishment), r.full.Masked()
		if head.Establishments > 1 {
			p.WideURL = listAddress(r.root.String(), r.list, 1)
		}
	}
	records, _ := snap.Select(ctx, r.list.id, &head, documentOf(r.root, r.full, false), registry.Selection{Range: registry.Range{From: (r.page - 1) * listPerPage, Limit: listPerPage}})
	if isBeyond(&records) {
		return page.Reply{}, &page.NoSuchPage{Number: r.page, First: r.address(1)}
	}
	logFailures(ctx, records)
	found := cardOf(&records, linkerAcross(ctx, snap, &head, &records, &r), hs.now())
	if head.Establishments > 1 {
		found.Counts = countsOf(&records)
	}
	p.fill(&r, found)
	p.NoIndex = r.page > 1 || head.Individual()
	return page.Reply{Page: p}, nil
}

// fill sets the card and everything that follows from it.
func (p *ibamaPage) fill(r *ibamaRequest, c Card) {
	p.Card = c
	p.Card.Pager = page.PagerOf("Páginas da lista", r.page, listPerPage, int64(c.Total), r.address)
	p.Card.Pager.Ends = true
	p.Name = cmp.Or(p.Name, "Empresa "+p.Number)
	p.Canonical = r.address(r.page)
	p.Title = ptbr.Join(" · ", c.Title, p.Name, p.Number)
	if r.page > 1 {
		p.Title += " · página " + strconv.Itoa(r.page)
	}
	p.Description = c.Title + " em nome de " + p.Name + ", " + p.Number + ", nos dados abertos publicados pelo órgão."
}

// linker maps a record of IBAMA, by CNPJ and key, to the address of its row. A key that several
// records share maps to "", because it does not say which one is meant. A nil linker links nothing.
type linker map[string]string

// linkKey combines CNPJ and key: a reference is resolved only within one CNPJ.
func linkKey(document, key string) string { return document + " " + key }

// newLinker indexes the records of a page; address returns the address of the record at a position.
func newLinker(to *ibamaList, p *registry.SourcePage, address func(position int) string) linker {
	links := linker{}
	for i := range p.Items {
		it := &p.Items[i]
		name := it.Value(to.keyField)
		if name == "" {
			continue
		}
		key := linkKey(it.Value(to.document), name)
		if _, twice := links[key]; twice {
			links[key] = ""
			continue
		}
		links[key] = address(p.From + i)
	}
	return links
}

// linkerWithin links records of one IBAMA source to those of the other on the same page. It is nil
// for other sources.
func linkerWithin(pages []registry.SourcePage, id string) linker {
	list, ok := ibamaLists[id]
	if !ok {
		return nil
	}
	to := list.other()
	i := slices.IndexFunc(pages, func(p registry.SourcePage) bool { return p.Source.ID == to.id })
	return newLinker(to, &pages[i], func(position int) string { return "#" + recordID(to.id, position) })
}

// maxLinked bounds the records of the other list that are read to resolve references. Few companies
// have more; beyond it, references stay unlinked.
const maxLinked = 1000

// linkerAcross links the records of a page to the pages of the other list. It reads nothing when no
// record refers to one.
func linkerAcross(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, p *registry.SourcePage, r *ibamaRequest) linker {
	if !slices.ContainsFunc(p.Items, func(it pack.Item) bool { return it.Value(r.list.refField) != "" }) {
		return nil
	}
	to := r.list.other()
	named, _ := snap.Select(ctx, to.id, h, documentOf(r.root, r.full, false), registry.Selection{Range: registry.Range{Limit: maxLinked}})
	logFailures(ctx, named)
	return newLinker(to, &named, func(position int) string {
		return listAddress(r.document(), to, position/listPerPage+1) + "#" + recordID(to.id, position)
	})
}

// named returns the keys of the other list that a record refers to.
func (l *ibamaList) named(it *pack.Item) []string {
	return strings.FieldsFunc(it.Value(l.refField), func(r rune) bool { return r == ',' || r == ';' || r == ' ' })
}

// embargoesOfInfraction shows the embargoes that an infraction notice refers to.
func embargoesOfInfraction(r *publishedRecord) []piece {
	var all []piece
	for _, name := range infractions.named(r.Item) {
		all = append(all, piece{Text: name, URL: r.linked[linkKey(r.Value(infractions.document), name)]})
	}
	return all
}

// infractionOfEmbargo shows the infraction notice that an embargo refers to, by its number if published, else
// by its key.
func infractionOfEmbargo(r *publishedRecord) []piece {
	key := r.Value(embargoes.refField)
	return onePiece(piece{Text: cmp.Or(r.Value("num_auto_infracao"), key), URL: r.linked[linkKey(r.Value(embargoes.document), key)]})
}
