package build_test

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"razao/index/build"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/index/segment"
	"razao/index/term"
	"razao/internal/data/cnpj"
)

// reference is a head office with everything that an index takes from a document, and a branch without.
func reference() []build.Doc {
	return []build.Doc{{
		CNPJ: cnpj.Full(11_222_333_0001), HeadOffice: true, RazaoSocial: "J. C. SOUZA & CIA COM. D'ÁGUA LTDA", NomeFantasia: "PADARIA CONST HORIZONTE",
		Street: "AVENIDA SETE DE SETEMBRO", HouseNumber: "1.201-A", Bairro: "JARDIM SÃO PAULO", CEP: "04538132", DDDs: [2]string{"11", "47"},
		Telephones: [2]string{"30304040", "988887777"}, Email: "Contato@Exemplo.com.br",
		Partners: []build.Partner{
			{Name: "JOSÉ WALTER D'ÁVILA", Document: "***456789**", Kind: "2", Role: "49", Age: "5"},
			{Name: "HOTÉIS SA", Document: "11444777000161", Kind: "1", Role: "22", Age: "0"},
		},
		Pais: "249", UF: "SP", Municipio: "7107", SituacaoCadastral: "02", SituacaoDay: 20200131, Motivo: "01", PorteEmpresa: "03",
		NaturezaJuridica: "2062", CNAE: "4711302", CNAEsSecundarios: "5611201,4930202", MEI: true, Simples: true, MEIDay: 20210401, SimplesDay: 20200201,
		Opening: 20191224, Closing: 20250630, Capital: 12_345_678, Branches: 2, PartnerCount: 2,
	}, {CNPJ: cnpj.Full(11_222_333_0002), RazaoSocial: "J. C. SOUZA & CIA COM. D'ÁGUA LTDA", Capital: -1}}
}

// TestFormat holds folder.Format to what it stands for: all terms and postings of the reference documents, and every file beside the
// shards (columns, orders, figures). Whoever adds a filter or changes how a text becomes terms learns here that an index of before answers
// something else, and the new format.
func TestFormat(t *testing.T) {
	t.Parallel()
	docs := reference()
	filled(t, reflect.ValueOf(docs[0]))
	dir := indextest.Build(t, docs, build.Options{Month: "2026-09"})
	m, err := folder.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, f := range m.Files {
		if strings.Contains(f.Path, "/") {
			continue // of a shard: its terms are below, its bytes are the library's
		}
		io.WriteString(sum, f.Path)
		body, err := os.ReadFile(filepath.Join(dir, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(body)
	}
	shards, err := segment.OpenAll(dir, m.Shards)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = segment.CloseAll(shards) })
	v := shards[0].View()
	for _, field := range []byte{term.FieldID, term.FieldFilter, term.FieldName, term.FieldPrefix, term.FieldSound, term.FieldPartner} {
		err := v.Terms(field, nil, nil, func(word string) bool {
			docs, err := v.Postings(field, []byte(word))
			if err != nil {
				t.Fatal(err)
			}
			sum.Write([]byte{field, byte(len(word))})
			io.WriteString(sum, word)
			return binary.Write(sum, binary.LittleEndian, docs.ToArray()) == nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if format := int(binary.BigEndian.Uint32(sum.Sum(nil)) >> 8); format != folder.Format {
		t.Errorf("an index of these documents is not one of format %d: set format in index/folder/manifest.go to \"%d\"", folder.Format, format)
	}
}

// filled fails unless every field, of structs in slices too, has a value: what the reference lacks, its format does not cover.
func filled(t *testing.T, v reflect.Value) {
	for i := range v.NumField() {
		field := v.Field(i)
		if field.IsZero() {
			t.Errorf("the reference has no %s", v.Type().Field(i).Name)
		}
		if field.Kind() == reflect.Slice {
			filled(t, field.Index(0))
		}
	}
}
