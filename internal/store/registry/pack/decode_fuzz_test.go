package pack

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/record"
)

// FuzzDecodeParts decodes arbitrary bytes as each part of a company. A part that decodes must
// survive a round trip.
func FuzzDecodeParts(f *testing.F) {
	random := rand.New(rand.NewPCG(11, 12))
	e, p := randomEstablishment(random, 1, 1), randomPartner(random)
	f.Add(AppendCompany(nil, &record.Company{RazaoSocial: "PADARIA"}))
	f.Add(AppendSimples(nil, &record.Simples{}))
	f.Add(AppendPartner(nil, &p))
	f.Add(AppendEstablishment(nil, &e))
	f.Fuzz(func(t *testing.T, packed []byte) {
		var company, otherCompany record.Company
		var simples, otherSimples record.Simples
		var partner, otherPartner record.Partner
		var establishment, otherEstablishment record.Establishment
		again := func(name string, err error, second func() error, first, other any) {
			if err != nil {
				if !errors.Is(err, ErrCorrupt) {
					t.Errorf("%s: %v", name, err)
				}
				return
			}
			if err := second(); err != nil {
				t.Errorf("%s, packed again: %v", name, err)
			} else if diff := cmp.Diff(first, other); diff != "" {
				t.Errorf("%s, packed again (-was +is):\n%s", name, diff)
			}
		}
		again("company", DecodeCompany(packed, &company), func() error {
			return DecodeCompany(AppendCompany(nil, &company), &otherCompany)
		}, &company, &otherCompany)
		again("simples", DecodeSimples(packed, &simples), func() error {
			return DecodeSimples(AppendSimples(nil, &simples), &otherSimples)
		}, &simples, &otherSimples)
		again("partner", DecodePartner(packed, &partner), func() error {
			return DecodePartner(AppendPartner(nil, &partner), &otherPartner)
		}, &partner, &otherPartner)
		again("establishment", DecodeEstablishment(packed, 1, &establishment), func() error {
			return DecodeEstablishment(AppendEstablishment(nil, &establishment), 1, &otherEstablishment)
		}, &establishment, &otherEstablishment)
		var facets Facets
		again("facets", DecodeEstablishment(packed, 1, &establishment), func() error {
			cursor := EstablishmentCursor{r: reader{rest: packed}}
			cursor.NextFacets(&facets)
			return cursor.Err()
		}, &Facets{establishment.UF, establishment.Municipio, establishment.SituacaoCadastral}, &facets)
	})
}
