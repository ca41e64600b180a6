package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	client "razao/clients/go"
	"razao/cmd/razao/console"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
)

// mostAsked is how many numbers a batch of the API takes.
const mostAsked = 1000

// listFields are what is asked of each number.
var listFields = []string{
	"razao_social", "nome_fantasia", "situacao_cadastral", "data_situacao_cadastral", "cnae_fiscal_principal", "natureza_juridica", "porte_empresa", "capital_social", "municipio", "uf",
}

// listCommand asks for many numbers, as a job does that keeps a spreadsheet up to date.
func (k *asker) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "lista FILE", Short: "Ask for all numbers of a file, one a line", Args: arguments(cobra.ExactArgs(1)),
		Long: "FILE has a CNPJ in each line, or as the first of several cells; - is standard input. Each is answered: with its company, or with why there is none.",
		RunE: func(cmd *cobra.Command, args []string) error {
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

// readNumbers returns the first cell of each line that is not blank, without the mask if it is a CNPJ.
func readNumbers(in io.Reader) (numbers []string, err error) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		cell := strings.TrimPrefix(lines.Text(), "\uFEFF") // of Excel
		if end := strings.IndexAny(cell, ",;\t"); end >= 0 {
			cell = cell[:end]
		}
		cell = strings.Trim(cell, ` "`)
		if typed, ok := cnpj.Read(cell); ok {
			cell = typed.Text
		}
		if cell != "" {
			numbers = append(numbers, cell)
		}
	}
	return numbers, lines.Err()
}

// listed is the answer to one number.
type listed struct {
	CNPJ  string         `json:"cnpj"`
	Dados map[string]any `json:"dados,omitempty"`
	Erro  *struct {
		Codigo   string `json:"codigo"`
		Mensagem string `json:"mensagem"`
	} `json:"erro,omitempty"`
}

// list prints the answers in the order of the numbers.
func (k *asker) list(ctx context.Context, out io.Writer, numbers []string) error {
	answers := make([]listed, 0, len(numbers))
	for part := range slices.Chunk(numbers, mostAsked) {
		answer, err := k.client.Lote(ctx, client.LoteCorpo{Cnpjs: part, Campos: listFields})
		if err != nil {
			return err
		}
		for _, raw := range answer.Dados.Itens {
			var one listed
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber() // amounts are exact
			if err := d.Decode(&one); err != nil {
				return fmt.Errorf("answer to a number: %w", err)
			}
			answers = append(answers, one)
		}
	}
	if k.form == asJSON {
		return writeJSON(out, answers)
	}
	rows := [][]string{append([]string{"cnpj", "resultado"}, listFields...)}
	for i := range answers {
		rows = append(rows, answers[i].row(k.form == asTable))
	}
	if k.form == asCSV {
		return writeCSV(out, rows)
	}
	return console.WriteRows(out, rows)
}

// row returns the cells of an answer: the meanings of codes where they have one.
func (l *listed) row(masked bool) []string {
	number := l.CNPJ
	if masked {
		number = ptbr.CNPJ(number)
	}
	if l.Erro != nil {
		return append([]string{number, l.Erro.Codigo}, make([]string, len(listFields))...)
	}
	row := []string{number, "encontrado"}
	meanings, _ := l.Dados["descricoes"].(map[string]any)
	for _, field := range listFields {
		value := l.Dados[field]
		if meaning, ok := meanings[field].(string); ok {
			value = meaning
		}
		if value == nil {
			value = ""
		}
		row = append(row, fmt.Sprint(value))
	}
	return row
}
