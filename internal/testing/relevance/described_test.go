package relevance

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"razao/index/build"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/territory"
)

const describedFile = "testdata/described.txt"

// readDescribed reads the questions that describe companies and finds their right answers by a full
// scan of the documents.
func readDescribed(docs []build.Doc) ([]judgement, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	file, err := os.Open(describedFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var out []judgement
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		parts := strings.Split(lines.Text(), " | ")
		if len(parts) != 4 {
			return nil, fmt.Errorf("%s, line %d: not \"question | trade | place | conditions\"", describedFile, n)
		}
		j := judgement{stratum: "described", query: parts[0], keys: strings.Join(parts[1:], " | "), wanted: map[cnpj.Full]bool{}, only: true}
		for i := range docs {
			d := &docs[i]
			ok, err := meets(d, strings.Fields(parts[3]))
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", describedFile, n, err)
			}
			if ok && isAt(atlas, d, parts[2]) && isOfTrade(d, strings.Fields(parts[1])) {
				j.wanted[d.CNPJ] = true
			}
		}
		if len(j.wanted) == 0 {
			return nil, fmt.Errorf("%s, line %d: no document is right", describedFile, n)
		}
		out = append(out, j)
	}
	return out, lines.Err()
}

// isOfTrade reports whether the main activity has one of the codes, or a word of a name begins with
// one of the words.
func isOfTrade(d *build.Doc, trade []string) bool {
	if trade[0] == "*" || slices.Contains(trade, d.CNAE) {
		return true
	}
	for _, token := range term.Tokens(d.RazaoSocial + " " + d.NomeFantasia) {
		if slices.ContainsFunc(trade, func(word string) bool { return strings.HasPrefix(token.Text, word) }) {
			return true
		}
	}
	return false
}

// isAt reports whether a document is in a city ("Recife/PE") or in one of some states ("PR,SC").
func isAt(atlas *territory.Atlas, d *build.Doc, place string) bool {
	if city, uf, ok := strings.Cut(place, "/"); ok {
		m, _ := atlas.ByRFB(d.Municipio)
		return m.Name == city && d.UF == uf
	}
	return place == "*" || slices.Contains(strings.Split(place, ","), d.UF)
}

// meets reports whether a document satisfies all conditions: "opening>=20210101", "status=03,04".
func meets(d *build.Doc, conditions []string) (bool, error) {
	for _, condition := range conditions {
		cut := strings.IndexAny(condition, "<>=")
		name, sign, wanted := condition[:cut], condition[cut:cut+1], strings.TrimLeft(condition[cut:], "<>=")
		if sign == "=" {
			if !slices.Contains(strings.Split(wanted, ","), textOf(d, name)) {
				return false, nil
			}
			continue
		}
		n, err := strconv.ParseInt(wanted, 10, 64)
		if err != nil {
			return false, err
		}
		value, known := numberOf(d, name)
		order := cmp.Compare(value, n)
		if !known || sign == ">" && order < 0 || sign == "<" && order > 0 {
			return false, nil
		}
	}
	return true, nil
}

func textOf(d *build.Doc, name string) string {
	switch name {
	case "status":
		return d.SituacaoCadastral
	case "porte":
		return d.PorteEmpresa
	case "mei":
		return yesOrNo[d.MEI]
	case "simples":
		return yesOrNo[d.Simples]
	}
	panic("no field " + name)
}

var yesOrNo = map[bool]string{true: "sim", false: "nao"}

// numberOf returns a date, an amount in whole reais or a number of establishments; false when it is
// unknown.
func numberOf(d *build.Doc, name string) (int64, bool) {
	switch name {
	case "opening":
		return int64(d.Opening), d.Opening > 0
	case "closing":
		return int64(d.Closing), d.Closing > 0
	case "capital":
		return d.Capital / 100, d.Capital >= 0
	case "establishments":
		return int64(d.Branches), true
	}
	panic("no field " + name)
}
