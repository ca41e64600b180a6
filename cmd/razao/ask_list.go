package main

import (
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
		Use: "lista FILE", Short: "Ask for all numbers of a list", Args: arguments(cobra.ExactArgs(1)),
		Long: "FILE is a text, CSV or XLSX file with CNPJs in one of its columns; - is standard input. Each line is answered: with its company, or with why there is none. " +
			"Only CNPJs are sent.",
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
			entries, err := readEntries(cmd.Context(), in)
			if err != nil {
				return err
			}
			return k.list(cmd.Context(), cmd.OutOrStdout(), entries)
		},
	}
}

// entry is a line of a list: its number, or what stands in its place and what is wrong with that.
type entry struct {
	number  string
	problem *problem
}

// readEntries reads the lines of a list.
func readEntries(ctx context.Context, in io.Reader) (entries []entry, err error) {
	file, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("read the list: %w", err)
	}
	list, err := spreadsheet.Read(ctx, file, spreadsheet.Options{Own: true})
	if err != nil {
		return nil, err
	}
	for i := range list.Rows {
		r := &list.Rows[i]
		switch n := list.Number(r); {
		case n.Full != 0:
			entries = append(entries, entry{number: n.Full.String()})
		case n.Wrong == "":
			entries = append(entries, entry{number: n.Root.String()})
		default:
			code := cmp.Or(map[string]string{spreadsheet.Person: "cpf", spreadsheet.NoNumber: "sem_cnpj"}[n.Wrong], "cnpj_invalido")
			entries = append(entries, entry{cmp.Or(r.Cell(list.Columns.Number), strings.TrimSpace(strings.Join(r.Cells, " "))), &problem{code, n.Wrong}})
		}
	}
	return entries, nil
}

// listed is the answer to one number.
type listed struct {
	CNPJ    string   `json:"cnpj"`
	Dados   *summary `json:"dados"`
	Problem *problem `json:"erro"`
}

// list prints the answers in the order of the lines.
func (k *asker) list(ctx context.Context, out io.Writer, entries []entry) error {
	type batch struct {
		Numbers []string `json:"cnpjs"`
		Fields  []string `json:"campos"`
	}
	const path = "/v2/lote"
	var numbers []string
	for _, e := range entries {
		if e.problem == nil {
			numbers = append(numbers, e.number)
		}
	}
	var answered []json.RawMessage
	for part := range slices.Chunk(numbers, mostItems) {
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
	raw := make([]json.RawMessage, 0, len(entries))
	for _, e := range entries {
		if e.problem == nil {
			raw, answered = append(raw, answered[0]), answered[1:]
			continue
		}
		unsent, err := json.Marshal(listed{CNPJ: e.number, Problem: e.problem})
		if err != nil {
			return err
		}
		raw = append(raw, unsent)
	}
	next := 0
	answers, err := decodeAll(raw, func(l *listed) bool {
		next++
		return l.CNPJ == entries[next-1].number && (l.Dados == nil) != (l.Problem == nil)
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
