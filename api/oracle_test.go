package api

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/data/openapi"
	"razao/internal/data/record"
)

// marshal returns v as encoding/json writes it without escaping HTML.
func marshal(t testing.TB, v any) []byte {
	t.Helper()
	out, err := openapi.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// expected is the slow road to a body: it walks the tables of package record by reflection and leaves
// values to encoding/json. The renderer must produce the same bytes.
type expected struct {
	t       testing.TB
	domains record.Domains
}

// dados returns the value of "dados" in v1.
func (x expected) dados(r *records) string {
	empresa, simples := "null", "null"
	if r.company != nil {
		empresa = x.object(record.CompanyTable(), r.company, r.root.String())
	}
	if r.simples != nil {
		simples = x.object(record.SimplesTable(), r.simples, "")
	}
	var estabelecimentos, socios []string
	for i := range r.establishments {
		e := &r.establishments[i]
		estabelecimentos = append(estabelecimentos, x.object(record.EstablishmentTable(), e, e.CNPJ.String()))
	}
	for i := range r.partners {
		socios = append(socios, x.object(record.PartnerTable(), &r.partners[i], ""))
	}
	return fmt.Sprintf(`{"cnpj_basico":%q,"empresa":%s,"estabelecimentos":[%s],"socios":[%s],"simples":%s}`,
		r.root, empresa, strings.Join(estabelecimentos, ","), strings.Join(socios, ","), simples)
}

// object returns a row with the fields of its table and the meanings of their codes. number is the CNPJ
// of the row, or its root.
func (x expected) object(table record.Table, row any, number string) string {
	var members, meanings []string
	value := reflect.ValueOf(row).Elem()
	for _, f := range table.Fields {
		var v any
		if f.Go != "" {
			v = value.FieldByName(f.Go).Interface()
		}
		members = append(members, fmt.Sprintf("%q:%s", f.Name, x.value(&f, v, number)))
		if f.Domain != "" {
			meanings = append(meanings, fmt.Sprintf("%q:%s", f.Name, x.meaning(&f, v.(string))))
		}
	}
	if len(meanings) > 0 {
		members = append(members, `"descricoes":{`+strings.Join(meanings, ",")+"}")
	}
	return "{" + strings.Join(members, ",") + "}"
}

// value returns a value in JSON.
func (x expected) value(f *record.Field, v any, number string) []byte {
	switch f.Kind {
	case record.Root:
		v = number[:8]
	case record.CNPJ:
		v = v.(cnpj.Full).String()
	case record.Order:
		v = number[8:12]
	case record.CheckDigits:
		v = number[12:]
	case record.IBGECode:
		v = testIBGE(v.(string))
	case record.Codes:
		v = codesIn(v.(string))
	case record.Day:
		if day := v.(record.Date); day == 0 {
			v = nil
		} else {
			v = day.Time().Format("2006-01-02")
		}
	case record.YesOrNo:
		v = map[record.Flag]any{record.Yes: true, record.No: false}[v.(record.Flag)]
	case record.Amount:
		cents := v.(record.Cents)
		if cents != record.NoCents {
			return fmt.Appendf(nil, "%d.%02d", cents/100, cents%100)
		}
		v = nil
	}
	return marshal(x.t, v)
}

// meaning returns what a code means, null if that is unknown, or an object of the codes of a list.
func (x expected) meaning(f *record.Field, text string) []byte {
	if f.Kind != record.Codes {
		return x.describe(f.Domain, text)
	}
	var members []string
	codes := codesIn(text)
	for i, code := range codes {
		if !slices.Contains(codes[:i], code) {
			members = append(members, fmt.Sprintf("%s:%s", marshal(x.t, code), x.describe(f.Domain, code)))
		}
	}
	return []byte("{" + strings.Join(members, ",") + "}")
}

func (x expected) describe(domain record.Domain, code string) []byte {
	if text, ok := x.domains[domain][code]; ok && code != "" {
		return marshal(x.t, text)
	}
	return []byte("null")
}

// codesIn returns the codes of a list.
func codesIn(list string) []string {
	return slices.DeleteFunc(strings.Split(list, ","), func(code string) bool { return code == "" })
}
