package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

func randomText(rng *rand.Rand) string {
	return strings.Repeat("áB;\"", rng.IntN(70))
}

func randomEstablishment(rng *rand.Rand, root cnpj.Root, order cnpj.Order) record.Establishment {
	e := record.Establishment{
		CNPJ:                  cnpj.Join(root, order),
		DataSituacaoCadastral: record.MakeDate(1800+rng.IntN(400), 1+rng.IntN(12), 1+rng.IntN(28)),
		DataInicioAtividade:   record.MakeDate(1966, 2, 29), // no such day: absent
		DataSituacaoEspecial:  record.MakeDate(2024, 2, 29),
	}
	for _, s := range establishmentTexts(&e) {
		*s = randomText(rng)
	}
	e.Complemento = strings.Repeat("complemento longo ", rng.IntN(40))
	return e
}

func randomPartner(rng *rand.Rand) record.Partner {
	p := record.Partner{DataEntradaSociedade: record.MakeDate(2001, 12, 31)}
	for _, s := range partnerTexts(&p) {
		*s = randomText(rng)
	}
	return p
}

// rowsOf parses binary COPY rows.
func rowsOf(t *testing.T, data []byte) map[int32][]byte {
	t.Helper()
	rows := map[int32][]byte{}
	for len(data) > 0 {
		seq := int32(binary.BigEndian.Uint32(data[18:]))
		n := binary.BigEndian.Uint32(data[22:])
		rows[seq] = data[26 : 26+n]
		data = data[26+n:]
	}
	return rows
}

func TestPackedRecordsComeBack(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	root, _ := cnpj.ParseRoot("12ABC345")
	for _, size := range []int{0, 1, 49, 50, 51, 100, 101, 260} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			company := record.Company{RazaoSocial: "NOME", PorteEmpresa: "05", CapitalSocial: 99999999999900}
			options := record.Simples{OpcaoPeloSimples: record.Yes, OpcaoPeloMEI: record.No, DataExclusaoMEI: record.MakeDate(2026, 12, 31)}
			parts := Parts{Company: AppendCompany(nil, &company), Simples: AppendSimples(nil, &options)}
			var wantEstablishments, gotEstablishments []record.Establishment
			var wantPartners, gotPartners []record.Partner
			for i := range size {
				e, p := randomEstablishment(rng, root, cnpj.Order(i*7+1)), randomPartner(rng)
				wantEstablishments, wantPartners = append(wantEstablishments, e), append(wantPartners, p)
				parts.Establishments = append(parts.Establishments, AppendEstablishment(nil, &e))
				parts.Orders = append(parts.Orders, e.CNPJ.Order())
				parts.Partners = append(parts.Partners, AppendPartner(nil, &p))
			}
			rows := rowsOf(t, AppendRows(nil, root, &parts))
			h, err := DecodeHead(root, rows[0])
			if err != nil {
				t.Fatal(err)
			}
			if !h.HasCompany || h.Company != company || !h.HasSimples || h.Simples != options {
				t.Errorf("company or Simples changed: %+v", h)
			}
			if h.Establishments != size || h.Partners != size || len(rows) != max(1, 2*chunks(size)-1) {
				t.Errorf("%d establishments, %d partners in %d rows; want %d", h.Establishments, h.Partners, len(rows), size)
			}
			ec, pc := h.FirstEstablishments(), h.FirstPartners()
			for chunk := 0; ; chunk++ {
				for ec.Next() {
					gotEstablishments = append(gotEstablishments, ec.Establishment)
					if h.ChunkOf(ec.Establishment.CNPJ.Order()) != chunk {
						t.Errorf("%s is not looked for in chunk %d", ec.Establishment.CNPJ, chunk)
					}
				}
				for pc.Next() {
					gotPartners = append(gotPartners, pc.Partner)
				}
				if ec.Err() != nil || pc.Err() != nil {
					t.Fatal(ec.Err(), pc.Err())
				}
				if chunk+1 >= chunks(size) {
					break
				}
				if ec.r, err = chunkReader(rows[int32(chunk+1)]); err != nil {
					t.Fatal(err)
				}
				if pc.r, err = chunkReader(rows[int32(-chunk-1)]); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(wantEstablishments, gotEstablishments); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(wantPartners, gotPartners); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAbsentCapital(t *testing.T) {
	t.Parallel()
	for _, want := range []record.Cents{record.NoCents, 0, 1, 106100482923} {
		var got record.Company
		if err := DecodeCompany(AppendCompany(nil, &record.Company{CapitalSocial: want}), &got); err != nil || got.CapitalSocial != want {
			t.Errorf("%d became %d, %v", want, got.CapitalSocial, err)
		}
	}
}

func TestDecodeHeadRefusesOtherVersions(t *testing.T) {
	t.Parallel()
	doc := rowsOf(t, AppendRows(nil, 1, &Parts{Company: AppendCompany(nil, &record.Company{})}))[0]
	doc[0]++
	if _, err := DecodeHead(1, doc); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

// FuzzDecodeHead decodes damaged rows: decoding may fail, but must neither panic nor go on for
// ever.
func FuzzDecodeHead(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 8))
	parts := Parts{Company: AppendCompany(nil, &record.Company{RazaoSocial: "X"}), Simples: AppendSimples(nil, &record.Simples{})}
	for i := range 120 {
		e, p := randomEstablishment(rng, 1, cnpj.Order(i)), randomPartner(rng)
		parts.Establishments = append(parts.Establishments, AppendEstablishment(nil, &e))
		parts.Orders = append(parts.Orders, e.CNPJ.Order())
		parts.Partners = append(parts.Partners, AppendPartner(nil, &p))
	}
	seq0 := int(binary.BigEndian.Uint32(AppendRows(nil, 1, &parts)[22:]))
	f.Add(AppendRows(nil, 1, &parts)[26 : 26+seq0])
	f.Add([]byte{Version, 3, 0, 0})
	f.Fuzz(func(t *testing.T, doc []byte) {
		h, err := DecodeHead(1, doc)
		if err != nil {
			return
		}
		n := 0
		for c := h.FirstEstablishments(); c.Next(); n++ {
			_ = h.ChunkOf(c.Establishment.CNPJ.Order())
		}
		for c := h.FirstPartners(); c.Next(); n++ {
			_ = c.Partner.NomeSocio
		}
		if n > len(doc) {
			t.Fatalf("%d items in %d bytes", n, len(doc))
		}
		c := h.FirstEstablishments()
		c.Find(50)
	})
}

func BenchmarkDecodeHead(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 10))
	e, p := randomEstablishment(rng, 1, 1), randomPartner(rng)
	parts := Parts{
		Company: AppendCompany(nil, &record.Company{RazaoSocial: "PADARIA ESTRELA DO SUL LTDA"}), Orders: []cnpj.Order{1},
		Establishments: [][]byte{AppendEstablishment(nil, &e)}, Partners: [][]byte{AppendPartner(nil, &p)},
	}
	doc := AppendRows(nil, 1, &parts)[26:]
	b.ReportAllocs()
	for b.Loop() {
		h, err := DecodeHead(1, doc)
		if err != nil {
			b.Fatal(err)
		}
		for c := h.FirstEstablishments(); c.Next(); {
		}
		for c := h.FirstPartners(); c.Next(); {
		}
	}
}
