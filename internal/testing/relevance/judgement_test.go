package relevance

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"razao/internal/data/cnpj"
)

const queriesFile = "testdata/queries.txt"

// judgement is a query with the companies that it should find.
type judgement struct {
	stratum string
	query   string
	keys    string // as written, for the reader
	wanted  map[cnpj.Full]bool
	only    bool // nothing else may be among the first
}

// nothing says that the query must find nothing.
func (j *judgement) nothing() bool { return len(j.wanted) == 0 }

// completes says that the query is half typed: it goes through Suggest.
func (j *judgement) completes() bool { return strings.HasPrefix(j.stratum, "prefix-") }

// readJudgements reads queries.txt: "stratum | query | keys of planted.csv", or NONE instead of the
// keys for a query that must find nothing. One blank on either side of a query is not part of it;
// further ones are.
func readJudgements(p *planted) ([]judgement, error) {
	file, err := os.Open(queriesFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var out []judgement
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		j, err := readJudgement(p, line)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", queriesFile, n, err)
		}
		out = append(out, j)
	}
	return out, lines.Err()
}

func readJudgement(p *planted, line string) (judgement, error) {
	first, last := strings.Index(line, " | "), strings.LastIndex(line, " | ")
	if first < 0 || first+3 > last {
		return judgement{}, fmt.Errorf("%q is not \"stratum | query | keys\"", line)
	}
	j := judgement{stratum: line[:first], query: line[first+3 : last], keys: line[last+3:]}
	j.only = j.stratum == "friends"
	if j.keys == "NONE" {
		return j, nil
	}
	var err error
	if j.wanted, err = p.wanted(j.keys); err != nil {
		return judgement{}, err
	}
	if len(j.wanted) == 0 {
		return judgement{}, fmt.Errorf("%q wants nothing and does not say NONE", line)
	}
	return j, nil
}
