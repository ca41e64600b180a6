package openapi

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"razao/internal/data/record"
	"razao/internal/store/render"
)

func TestMembersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	got, err := Marshal(Object{{"b", 1}, {"a", Object{}}, {`"&`, []Object{{{"c", nil}}}}})
	if want := `{"b":1,"a":{},"\"&":[{"c":null}]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := Marshal(Object{{"a", func() {}}}); err == nil {
		t.Error("a value without JSON is no error")
	}
}

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
	for _, tt := range tests {
		schema := compiled(t, WholeTable(tt.table))
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(tt.value))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v", tt.table.Name, err)
		}
		object := value.(map[string]any)
		delete(object, tt.table.Fields[0].Name)
		if schema.Validate(object) == nil {
			t.Errorf("%s is complete without %s", tt.table.Name, tt.table.Fields[0].Name)
		}
	}
}

func compiled(t *testing.T, document Object) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("table", tree); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("table")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
