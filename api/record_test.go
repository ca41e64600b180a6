package api

import (
	"encoding/binary"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
)

// records are the rows of one root.
type records struct {
	root           cnpj.Root
	company        *record.Company
	simples        *record.Simples
	establishments []record.Establishment // by order
	partners       []record.Partner
}

// packed returns the rows of r as the ingest would write them.
func (r *records) packed() []byte {
	var p pack.Parts
	if r.company != nil {
		p.Company = pack.AppendCompany(nil, r.company)
	}
	if r.simples != nil {
		p.Simples = pack.AppendSimples(nil, r.simples)
	}
	for i := range r.partners {
		p.Partners = append(p.Partners, pack.AppendPartner(nil, &r.partners[i]))
	}
	for i := range r.establishments {
		p.Establishments = append(p.Establishments, pack.AppendEstablishment(nil, &r.establishments[i]))
		p.Orders = append(p.Orders, r.establishments[i].CNPJ.Order())
	}
	return pack.AppendRows(nil, r.root, &p)
}

// row is one row of a root as the store keeps it.
type row struct {
	seq int32
	doc []byte
}

// rows takes the COPY rows of r apart: each has the number of its columns, and before each column its length.
func (r *records) rows() iter.Seq[row] {
	const beforeSeq, beforeDoc = 18, 26
	return func(yield func(row) bool) {
		for rest := r.packed(); len(rest) > 0; {
			end := beforeDoc + int(binary.BigEndian.Uint32(rest[beforeDoc-4:]))
			if !yield(row{int32(binary.BigEndian.Uint32(rest[beforeSeq:])), rest[beforeDoc:end]}) {
				return
			}
			rest = rest[end:]
		}
	}
}

// head returns what the first row of r decodes to.
func (r *records) head(t testing.TB) pack.Head {
	t.Helper()
	for first := range r.rows() {
		h, err := pack.DecodeHead(r.root, first.doc)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	t.Fatal("no rows")
	return pack.Head{}
}

// testIBGE knows no municipality abroad.
func testIBGE(codigo string) string {
	if codigo == "" || codigo == "9707" {
		return ""
	}
	return "35" + codigo + "8"
}

// testDomains describes some codes of every domain, one of them as the empty code that is never described.
func testDomains() record.Domains {
	return record.Domains{
		record.DomainCNAE:         {"4711301": "Comércio varejista – hipermercados", "6201501": "Desenvolvimento de \"software\"", "": "vazio"},
		record.DomainMotivo:       {"00": "SEM MOTIVO", "01": "EXTINCAO POR ENCERRAMENTO LIQUIDACAO VOLUNTARIA"},
		record.DomainMunicipio:    {"7107": "SAO PAULO", "9707": "EXTERIOR"},
		record.DomainNatureza:     {"2062": "Sociedade Empresária Limitada"},
		record.DomainPais:         {"105": "BRASIL", "": "vazio"},
		record.DomainQualificacao: {"00": "Não informada", "49": "Sócio-Administrador"},
		record.DomainPorte:        {"01": "Microempresa", "05": "Demais"},
		record.DomainSituacao:     {"02": "Ativa", "08": "Baixada"},
		record.DomainMatrizFilial: {"1": "Matriz", "2": "Filial"},
		record.DomainSocio:        {"1": "Pessoa Jurídica", "2": "Pessoa Física"},
		record.DomainFaixaEtaria:  {"5": "41 a 50 anos"},
	}
}

// random makes records whose texts hold everything that a text can hold.
type random struct{ *rand.Rand }

func (r random) pick(values ...string) string { return values[r.IntN(len(values))] }

func (r random) text() string {
	pieces := []string{"PADARIA", " ", "é", "Ç", `"`, `\`, "\n", "\x00", "\x1f", "\u2028", "\u2029", "\xff", "\xe2\x80", "&<>", "😀", "/"}
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(r.pick(pieces...))
	}
	return b.String()
}

func (r random) date() record.Date {
	return record.MakeDate(1800+r.IntN(300), 1+r.IntN(12), 1+r.IntN(33)) // sometimes no day at all
}

func (r random) records(establishments, partners int) *records {
	out := &records{root: cnpj.Root(r.Int64N(36 * 36 * 36 * 36 * 36 * 36 * 36 * 36))}
	if r.IntN(5) > 0 {
		out.company = &record.Company{
			RazaoSocial: r.text(), NaturezaJuridica: r.pick("2062", "", "9999", r.text()), QualificacaoResponsavel: r.pick("49", "36", ""),
			CapitalSocial: record.Cents(r.Int64N(3)*r.Int64N(1<<50) - 1), PorteEmpresa: r.pick("01", "05", ""),
			EnteFederativoResponsavel: r.text(),
		}
		out.company.CapitalSocial = max(out.company.CapitalSocial, record.NoCents)
	}
	if r.IntN(2) > 0 {
		out.simples = &record.Simples{
			OpcaoPeloSimples: record.Flag(r.IntN(3)), DataOpcaoPeloSimples: r.date(), DataExclusaoSimples: r.date(),
			OpcaoPeloMEI: record.Flag(r.IntN(3)), DataOpcaoPeloMEI: r.date(), DataExclusaoMEI: r.date(),
		}
	}
	order := cnpj.Order(0)
	for range establishments {
		order += cnpj.Order(1 + r.IntN(200))
		out.establishments = append(out.establishments, r.establishment(cnpj.Join(out.root, order)))
	}
	for range partners {
		out.partners = append(out.partners, r.partner())
	}
	return out
}

func (r random) establishment(number cnpj.Full) record.Establishment {
	return record.Establishment{
		CNPJ: number, IdentificadorMatrizFilial: r.pick("1", "2", ""), NomeFantasia: r.text(), SituacaoCadastral: r.pick("02", "08", "99", ""),
		DataSituacaoCadastral: r.date(), MotivoSituacaoCadastral: r.pick("00", "01", "32", ""), NomeCidadeExterior: r.text(),
		Pais: r.pick("105", "", "367"), DataInicioAtividade: r.date(), CNAEFiscalPrincipal: r.pick("4711301", "8888888", ""),
		CNAEFiscalSecundaria: r.pick(
			"", "6201501", "6201501,4711301,9999999", "4711301,4711301,6201501,4711301", ",4711301,,6201501,", "471,4711301,711,1,47113011,471", r.text(),
		),
		TipoLogradouro: r.text(), Logradouro: r.text(), Numero: r.text(), Complemento: r.text(), Bairro: r.text(), CEP: r.pick("01001000", ""),
		UF: r.pick("SP", "EX"), Municipio: r.pick("7107", "9707", "", "0000"), DDD1: r.text(), Telefone1: r.text(), DDD2: r.text(),
		Telefone2: r.text(), DDDFax: r.text(), Fax: r.text(), CorreioEletronico: r.text(), SituacaoEspecial: r.text(), DataSituacaoEspecial: r.date(),
	}
}

func (r random) partner() record.Partner {
	return record.Partner{
		IdentificadorSocio: r.pick("1", "2", "3", ""), NomeSocio: r.text(), CNPJCPFSocio: r.pick("***456789**", "33683111000280", ""),
		QualificacaoSocio: r.pick("49", "99", ""), DataEntradaSociedade: r.date(), Pais: r.pick("105", "", "249"),
		RepresentanteLegal: r.pick("***000000**", "***456789**", ""), NomeRepresentante: r.text(),
		QualificacaoRepresentanteLegal: r.pick("00", "49", ""), FaixaEtaria: r.pick("5", "0", ""),
	}
}

func TestBodiesOfRandomRecordsAgreeWithTheContract(t *testing.T) {
	t.Parallel()
	rnd := random{rand.New(rand.NewPCG(2, 7))}
	r := v1Renderer{Renderer: render.New(testDomains(), testIBGE)}
	for range 2000 {
		rec := rnd.records(rnd.IntN(4), rnd.IntN(4))
		h := rec.head(t)
		got, err := r.company(t.Context(), nil, &h)
		if err != nil {
			t.Fatal(err)
		}
		want := expected{t, testDomains()}.dados(rec)
		if string(got) != want {
			t.Fatalf("(-want +got):\n%s", cmp.Diff(want, string(got)))
		}
	}
}

// usual is a company of usual size: one establishment and three partners.
func usual() *records {
	root := cnpj.Root(33683111)
	partner := record.Partner{
		IdentificadorSocio: "2", NomeSocio: "FULANA DE TAL DA CONCEIÇÃO", CNPJCPFSocio: "***456789**", QualificacaoSocio: "49",
		DataEntradaSociedade: record.MakeDate(2011, 3, 15), RepresentanteLegal: "***000000**", QualificacaoRepresentanteLegal: "00", FaixaEtaria: "5",
	}
	return &records{
		root: root,
		company: &record.Company{
			RazaoSocial: "PADARIA E CONFEITARIA SÃO JOÃO LTDA", NaturezaJuridica: "2062", QualificacaoResponsavel: "49",
			CapitalSocial: 5000000, PorteEmpresa: "01",
		},
		simples: &record.Simples{
			OpcaoPeloSimples: record.Yes, DataOpcaoPeloSimples: record.MakeDate(2011, 3, 15), OpcaoPeloMEI: record.No,
		},
		establishments: []record.Establishment{{
			CNPJ: cnpj.Join(root, 1), IdentificadorMatrizFilial: "1", NomeFantasia: "PADARIA SAO JOAO", SituacaoCadastral: "02",
			DataSituacaoCadastral: record.MakeDate(2011, 3, 15), MotivoSituacaoCadastral: "00", DataInicioAtividade: record.MakeDate(2011, 3, 15),
			CNAEFiscalPrincipal: "4711301", CNAEFiscalSecundaria: "6201501,4711301", TipoLogradouro: "RUA", Logradouro: "DAS LARANJEIRAS",
			Numero: "123", Complemento: "LOJA A", Bairro: "CENTRO", CEP: "01001000", UF: "SP", Municipio: "7107", DDD1: "11", Telefone1: "33334444",
			CorreioEletronico: "contato@padaria.exemplo",
		}},
		partners: []record.Partner{partner, partner, partner},
	}
}

func TestRenderingDoesNotAllocate(t *testing.T) {
	r := v1Renderer{Renderer: render.New(testDomains(), func(string) string { return "3550308" })}
	h := usual().head(t)
	buf := make([]byte, 0, 8<<10)
	allocs := testing.AllocsPerRun(100, func() {
		if out, err := r.company(t.Context(), buf, &h); err != nil || len(out) < 2<<10 {
			t.Errorf("%d bytes, %v", len(out), err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations for a company", allocs)
	}
}

func BenchmarkV1Body(b *testing.B) {
	r := v1Renderer{Renderer: render.New(testDomains(), func(string) string { return "3550308" })}
	h := usual().head(b)
	buf := make([]byte, 0, 8<<10)
	b.ReportAllocs()
	for b.Loop() {
		out, err := r.company(b.Context(), buf, &h)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(out)))
	}
}
