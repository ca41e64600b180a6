package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/spreadsheet"
)

// listFields are what is asked of each number.
var listFields = []string{
	"razao_social", "nome_fantasia", "situacao_cadastral", "data_situacao_cadastral", "cnae_fiscal_principal", "natureza_juridica", "porte_empresa", "capital_social", "municipio", "uf",
}

// listCommand asks for many numbers, as a job does that keeps a spreadsheet up to date.
func (k *asker) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "lista FILE", Short: "Ask for all numbers of a file, one a line", Args: arguments(cobra.ExactArgs(1)),
		Long: "FILE has a CNPJ in each line, or as the first of several cells; - is standard input. Each is answered: with its company, or with why there is none. A CPF is not sent.",
		RunE: func(cmd *cobra.Command, args []string) error {
			endAtOnce()
			in := cmd.InOrStdin()
			if args[0] != "-" {
				file, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			}
			numbers, err := readNumbers(in)
			if err != nil {
				return err
			}
			return k.list(cmd.Context(), cmd.OutOrStdout(), numbers)
		},
	}
}

// mostTyped is how much is sent of a cell that is no CNPJ, in bytes: with its mask one has eighteen.
const mostTyped = 18

// readNumbers returns the first cell of each line that is not blank, without the mask if it is a CNPJ.
func readNumbers(in io.Reader) (numbers []string, err error) {
	lines, n := bufio.NewScanner(in), 0
	for ; lines.Scan(); n++ {
		cell := strings.TrimPrefix(lines.Text(), "\uFEFF") // of Excel
		if end := strings.IndexAny(cell, ",;\t"); end >= 0 {
			cell = cell[:end]
		}
		cell = strings.Trim(cell, ` "`)
		if typed, ok := cnpj.Read(cell); ok {
			cell = typed.Text
		} else {
			cell = strings.ToValidUTF8(cell[:min(len(cell), mostTyped)], "") // it is none, however it goes on
		}
		if cell != "" {
			numbers = append(numbers, cell)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the list ends in line %d: %w", n+1, err)
	}
	return numbers, nil
}

// listed is the answer to one number.
type listed struct {
	CNPJ    string   `json:"cnpj"`
	Dados   *summary `json:"dados"`
	Problem *problem `json:"erro"`
}

// list prints the answers in the order of the numbers.
func (k *asker) list(ctx context.Context, out io.Writer, numbers []string) error {
	type batch struct {
		Numbers []string `json:"cnpjs"`
		Fields  []string `json:"campos"`
	}
	const path = "/v2/lote"
	var answered []json.RawMessage
	sent := slices.DeleteFunc(slices.Clone(numbers), cnpj.HasCPF)
	for part := range slices.Chunk(sent, mostItems) {
		var answer struct {
			Dados listing[json.RawMessage] `json:"dados"`
		}
		if _, err := k.server.ask(ctx, http.MethodPost, path, batch{part, listFields}, &answer); err != nil {
			return err
		}
		if len(answer.Dados.Items) != len(part) {
			return k.server.foreign(path, "it has %d answers to %d numbers", len(answer.Dados.Items), len(part))
		}
		answered = append(answered, answer.Dados.Items...)
	}
	raw := make([]json.RawMessage, 0, len(numbers))
	for _, number := range numbers {
		if !cnpj.HasCPF(number) {
			raw, answered = append(raw, answered[0]), answered[1:]
			continue
		}
		person, err := json.Marshal(listed{CNPJ: number, Problem: &problem{"cpf", spreadsheet.Person}}) // it does not leave this machine
		if err != nil {
			return err
		}
		raw = append(raw, person)
	}
	next := 0
	answers, err := decodeAll(raw, func(l *listed) bool {
		next++
		return l.CNPJ == numbers[next-1] && (l.Dados == nil) != (l.Problem == nil)
	})
	switch {
	case err != nil:
		return k.server.foreign(path, "%s", err)
	case k.form == asJSON:
		return console.WriteJSON(out, raw)
	}
	rows := [][]string{append([]string{"cnpj", "resultado"}, listFields...)}
	for _, l := range answers {
		rows = append(rows, l.row(k.form == asTable))
	}
	if k.form == asCSV {
		return writeCSV(out, rows)
	}
	return console.WriteRows(out, rows)
}

// row returns the cells of an answer: the meanings of codes where they have one. Their order is that of listFields.
func (l *listed) row(masked bool) []string {
	number := l.CNPJ
	if masked {
		number = ptbr.CNPJ(number)
	}
	if l.Problem != nil {
		return append([]string{number, l.Problem.Code}, make([]string, len(listFields))...)
	}
	d, m := l.Dados, &l.Dados.Meanings
	return []string{
		number, "encontrado", d.Name, d.Trade, cmp.Or(m.Status, d.Status), d.Since, cmp.Or(m.Activity, d.Activity), cmp.Or(m.Nature, d.Nature), cmp.Or(m.Size, d.Size),
		d.Capital.String(), cmp.Or(m.Town, d.Town), d.State,
	}
}
