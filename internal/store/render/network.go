package render

import (
	"strconv"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/dossier"
	"razao/internal/store/network"
	"razao/internal/store/networks"
)

// kindNames are the words for the kinds of actors, by their numbers.
var kindNames = [...]string{network.Company: "empresa", network.Person: "pessoa", network.Foreigner: "estrangeiro", network.Unidentified: "nao_identificado"}

// NetworkNote is what every network of persons must come with.
const NetworkNote = "Vínculos como publicados pela Receita Federal. Nome e seis dígitos do CPF não identificam uma pessoa: há homônimos, e uma pessoa pode aparecer com nomes diferentes."

// GroupNote is what every group must come with.
const GroupNote = "Um grupo, aqui, é o que os quadros de sócios publicados dizem: empresas sócias de empresas. Não é parecer jurídico sobre grupo econômico."

// NetworkMember returns a member as it is published.
func NetworkMember(m *networks.Member) record.NetworkMember {
	r := record.NetworkMember{ID: m.ID(), Tipo: kindNames[m.Kind], Nome: m.Name, FaixasEtarias: strings.Join(m.Ages, ","), Pais: m.Country, Distancia: int64(m.Distance)}
	if m.Kind == network.Person {
		r.Documento = record.MaskCPF(m.Digits)
	}
	if m.Office != nil {
		r.CNPJ, r.UF, r.Municipio, r.SituacaoCadastral = m.Office.CNPJ.String(), m.Office.UF, m.Office.Municipio, m.Office.SituacaoCadastral
	}
	return r
}

// AppendNetwork appends the members, ties and omissions of a network as fields of an object, which is
// left open. The ties' evidence are rows of the table Socios of the snapshot's load.
func (r *Renderer) AppendNetwork(dst []byte, n *networks.Network) []byte {
	dst = append(dst, `"membros":[`...)
	for i := range n.Members {
		m := NetworkMember(&n.Members[i])
		dst = r.AppendNetworkMember(AppendComma(dst, i), &m)
	}
	dst = append(dst, `],"vinculos":[`...)
	for i := range n.Ties {
		dst = r.AppendTie(AppendComma(dst, i), &n.Ties[i])
	}
	dst = append(dst, `],"fora":[`...)
	for i, o := range n.Omitted {
		dst = AppendNetworkOmission(AppendComma(dst, i), &record.NetworkOmission{ID: o.At.ID(), Socios: int64(o.Partners), Empresas: int64(o.Companies)})
	}
	return append(dst, ']')
}

// AppendTie appends a tie with its evidence.
func (r *Renderer) AppendTie(dst []byte, t *networks.Tie) []byte {
	dst = AppendText(dst, `{"de":`, t.Holder.ID())
	dst = AppendText(dst, `,"para":`, t.Company.String())
	dst = append(dst, `,"linhas":[`...)
	for i := range t.Evidence {
		e := &t.Evidence[i]
		dst = AppendInt(AppendComma(dst, i), `{"numero":`, int64(e.Number))
		if e.Representative {
			dst = append(dst, `,"representante":true,"socio":`...)
		} else {
			dst = append(dst, `,"representante":false,"socio":`...)
		}
		dst = append(r.AppendPartner(dst, &e.Partner), '}')
	}
	return append(dst, `]}`...)
}

// contactNames are the words for the kinds of contacts, by their numbers.
var contactNames = [...]string{networks.Telephone: "telefone", networks.Email: "email", networks.EmailDomain: "email_dominio", networks.StreetAddress: "endereco"}

// AppendContacts appends contacts that companies have in common.
func AppendContacts(dst []byte, all []networks.Contact) []byte {
	dst = append(dst, '[')
	for i := range all {
		c := &all[i]
		dst = AppendText(AppendComma(dst, i), `{"de":`, c.Of.String())
		dst = AppendText(dst, `,"tipo":`, contactNames[c.Kind])
		dst = AppendText(dst, `,"valor":`, c.Text)
		dst = strconv.AppendBool(append(dst, `,"comum":`...), c.Common)
		dst = append(dst, `,"com":[`...)
		for n, other := range c.Others {
			dst = AppendString(AppendComma(dst, n), other.String())
		}
		dst = append(dst, "]}"...)
	}
	return append(dst, ']')
}

// AppendCycles appends circles of companies.
func AppendCycles(dst []byte, all [][]cnpj.Root) []byte {
	dst = append(dst, '[')
	for i, cycle := range all {
		dst = append(AppendComma(dst, i), '[')
		for n, root := range cycle {
			dst = AppendString(AppendComma(dst, n), root.String())
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

// AppendGroupFigures appends what sources come to for the companies of a group.
func AppendGroupFigures(dst []byte, all []networks.GroupFigures) []byte {
	dst = append(dst, '[')
	for i := range all {
		g := &all[i]
		dst = AppendText(AppendComma(dst, i), `{"fonte":`, g.Source.ID)
		dst = appendFigure(dst, &g.Sum, &g.Source)
		dst = append(dst, `,"empresas":[`...)
		for n := range g.Of {
			dst = AppendText(AppendComma(dst, n), `{"cnpj_basico":`, g.Of[n].Root.String())
			dst = append(appendFigure(dst, &g.Of[n].Figure, &g.Source), '}')
		}
		dst = append(dst, `],"sem_resposta":[`...)
		for n, root := range g.Unknown {
			dst = AppendString(AppendComma(dst, n), root.String())
		}
		dst = append(dst, "]}"...)
	}
	return append(dst, ']')
}

// appendFigure appends a figure as fields. What is not known, or not defined, is null.
func appendFigure(dst []byte, f *dossier.Figure, src *source.Source) []byte {
	dst = AppendText(dst, `,"status":`, string(f.Status))
	dst = AppendInt(dst, `,"registros":`, int64(f.Records))
	total := record.NoCents
	if src.Facts.Measures.Total && f.Whole {
		total = record.Cents(f.Cents)
	}
	dst = AppendCents(dst, `,"total":`, total)
	if src.Facts.Measures.InForce && f.Whole {
		return AppendInt(dst, `,"em_vigor":`, int64(f.InForce))
	}
	return append(dst, `,"em_vigor":null`...)
}
