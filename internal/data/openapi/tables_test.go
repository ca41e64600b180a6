package openapi_test

import (
	"bytes"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"razao/internal/data/openapi"
	"razao/internal/data/record"
	"razao/internal/store/render"
	"razao/internal/testing/openapitest"
)

// TestWholeTablesStandAlone compiles each table's schema alone and validates rendered JSON against
// it.
func TestWholeTablesStandAlone(t *testing.T) {
	t.Parallel()
	r := render.New(record.Domains{record.DomainCNAE: {"4711301": "Comércio"}}, func(string) string { return "3550308" })
	load := record.SourceLoad{Proveniencia: &record.Provenance{Arquivos: []record.SourceFile{{Nome: "a.csv", Bytes: 1}}, Faltantes: []string{"b.csv"}}}
	tests := []struct {
		table record.Table
		value []byte
	}{
		{record.CompanyTable(), append(r.AppendCompany(nil, 1, &record.Company{CapitalSocial: 7}), '}')},
		{record.EstablishmentTable(), r.AppendEstablishment(nil, &record.Establishment{CNPJ: 1, CNAEFiscalSecundaria: "4711301,1"})},
		{record.PartnerTable(), r.AppendPartner(nil, &record.Partner{DataEntradaSociedade: record.MakeDate(2024, 2, 29)})},
		{record.SimplesTable(), render.AppendSimples(nil, &record.Simples{OpcaoPeloMEI: record.Yes})},
		{record.SourcePageTable(), append(render.AppendSourcePage(nil, &record.SourcePage{Status: "erro", Escopo: "empresa"}), '}')},
		{record.SourcePageTable(), append(render.AppendSourcePage(nil, &record.SourcePage{Status: "erro", Escopo: "empresa", SourceLoad: load}), '}')},
	}
	alone := &jsonschema.Schema{Ref: "#/$defs/Alone"}
	for _, tt := range tests {
		document, err := openapi.Marshal(openapi.Document{Components: openapi.Object{
			openapi.Field("schemas", openapi.Object{openapi.Field("Alone", openapi.WholeTable(tt.table))}),
		}}.Object())
		if err != nil {
			t.Fatal(err)
		}
		d, err := openapitest.Parse(document)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Validate(alone, tt.value); err != nil {
			t.Errorf("%s: %v", tt.table.Name, err)
		}
		first := tt.table.Fields[0].Name
		if renamed := bytes.Replace(tt.value, []byte(`"`+first+`"`), []byte(`"x"`), 1); d.Validate(alone, renamed) == nil {
			t.Errorf("%s is complete without %s", tt.table.Name, first)
		}
	}
}
