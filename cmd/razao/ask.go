package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/index/filter"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/site/page"
)

// Forms of answers.
const (
	asTable = "table"
	asJSON  = "json"
	asCSV   = "csv"
)

const searchPath = "/v2/busca"

// asker asks the API of a server, here or elsewhere. It needs no settings but the two of clients.
type asker struct {
	server *server
	form   string
}

// askCommand asks a server what its API answers.
func (*app) askCommand() *cobra.Command {
	k := &asker{}
	cmd := &cobra.Command{
		Use: "ask CNPJ", Short: "Ask a server: a company, a search, a list, or on behalf of OpenRefine",
		Long: "Asks the API of the server at RAZAO_URL, with the key in RAZAO_CHAVE. CNPJ has 8 positions, of a company, or 14, of an establishment.",
		Args: arguments(cobra.ExactArgs(1)),
		PersistentPreRunE: func(*cobra.Command, []string) error { // in place of the root's: it needs no settings
			return k.open()
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			endAtOnce()
			return k.company(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	cmd.PersistentFlags().StringVar(&k.form, "format", asTable, "table, json or csv; csv of a company has all its establishments")
	cmd.AddCommand(k.searchCommand(), k.listCommand(), k.openRefineCommand())
	return cmd
}

func (k *asker) open() error {
	address, key := os.Getenv("RAZAO_URL"), os.Getenv("RAZAO_CHAVE")
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return usagef("RAZAO_URL is not the address of a server, such as http://127.0.0.1:8080")
	}
	if key == "" {
		return usagef("RAZAO_CHAVE is not set: create a key at %s/conta", strings.TrimSuffix(address, "/"))
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return usagef("RAZAO_CHAVE has a character that no key has")
	}
	if !slices.Contains([]string{asTable, asJSON, asCSV}, k.form) {
		return usagef("--format is %q, not table, json or csv", k.form)
	}
	k.server = newServer(address, key, console.NewLog())
	return nil
}

// searchCommand searches by words and filters.
func (k *asker) searchCommand() *cobra.Command {
	limit := 20
	var filters []string
	cmd := &cobra.Command{
		Use: "busca [WORD]...", Short: "Search companies by words and filters", Args: arguments(cobra.ArbitraryArgs),
		Long: "Words are names, partners, activities, places or numbers. Filters are those of the website's addresses: --filter uf=SP --filter situacao=ativa. " +
			"One that is repeated takes several values; \"-\" before a value excludes it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return usagef("--limit is negative")
			}
			query := url.Values{}
			if len(args) > 0 {
				query.Set("q", strings.Join(args, " "))
			}
			for _, given := range filters {
				name, value, ok := strings.Cut(given, "=")
				if !ok || filter.Named(name) == nil {
					return usagef("--filter %q is not the name of a filter and a value: uf=SP, municipio=Campinas/SP, capital_de=100000", given)
				}
				query.Add(name, value)
			}
			endAtOnce()
			found, err := k.search(cmd.Context(), cmd.OutOrStdout(), query, limit)
			if err == nil && found == 0 {
				cmd.PrintErrln("razao: nothing has these words and filters")
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&filters, "filter", nil, "name=value; repeatable")
	cmd.Flags().IntVar(&limit, "limit", limit, "results; 0: all, up to 10,000")
	return cmd
}

// hit is a result of a search.
type hit struct {
	summary
	CNPJ   string `json:"cnpj"`
	Motivo string `json:"motivo"`
}

// summary is what results and batches say of a company or an establishment.
type summary struct {
	Name     string      `json:"razao_social"`
	Trade    string      `json:"nome_fantasia"`
	Status   string      `json:"situacao_cadastral"`
	Since    string      `json:"data_situacao_cadastral"`
	Activity string      `json:"cnae_fiscal_principal"`
	Nature   string      `json:"natureza_juridica"`
	Size     string      `json:"porte_empresa"`
	Capital  json.Number `json:"capital_social"`
	Town     string      `json:"municipio"`
	State    string      `json:"uf"`
	Meanings meaningsOf  `json:"descricoes"`
}

// meaningsOf are the meanings of codes, "" where there is none.
type meaningsOf struct {
	Kind          string `json:"identificador_matriz_filial"`
	Status        string `json:"situacao_cadastral"`
	Activity      string `json:"cnae_fiscal_principal"`
	Nature        string `json:"natureza_juridica"`
	Size          string `json:"porte_empresa"`
	Town          string `json:"municipio"`
	Qualification string `json:"qualificacao_socio"`
}

// search prints the first results, at most limit of them, or all for 0, and returns how many.
func (k *asker) search(ctx context.Context, out io.Writer, query url.Values, limit int) (found int, err error) {
	const largest = 100 // results of a page
	most := cmp.Or(limit, mostFound)
	query.Set("limite", strconv.Itoa(min(most, largest)))
	raw, err := k.server.collect(ctx, searchPath, query, most)
	if err != nil {
		return 0, err
	}
	hits, err := decodeAll(raw, func(h *hit) bool {
		_, err := cnpj.ParseFull(h.CNPJ)
		return err == nil
	})
	switch {
	case err != nil:
		return 0, k.server.foreign(searchPath, "%s", err)
	case k.form == asJSON:
		return len(hits), console.WriteJSON(out, raw)
	case k.form == asCSV:
		rows := [][]string{{"cnpj", "razao_social", "nome_fantasia", "municipio", "uf", "situacao_cadastral", "cnae_fiscal_principal", "descricao_cnae", "capital_social", "motivo"}}
		for _, h := range hits {
			m := &h.Meanings
			rows = append(rows, []string{
				h.CNPJ, h.Name, h.Trade, cmp.Or(m.Town, h.Town), h.State, cmp.Or(m.Status, h.Status), h.Activity, m.Activity, h.Capital.String(), h.Motivo,
			})
		}
		return len(hits), writeCSV(out, rows)
	}
	rows := [][]string{{"CNPJ", "NOME", "LUGAR", "SITUAÇÃO", "ATIVIDADE"}}
	for _, h := range hits {
		m := &h.Meanings
		rows = append(rows, []string{
			ptbr.CNPJ(h.CNPJ), h.Name, ptbr.Join("/", cmp.Or(m.Town, h.Town), h.State), cmp.Or(m.Status, h.Status), cmp.Or(m.Activity, h.Activity),
		})
	}
	return len(hits), console.WriteRows(out, rows)
}

// decodeAll decodes items, each of which must be right.
func decodeAll[T any](raw []json.RawMessage, right func(*T) bool) ([]*T, error) {
	all := make([]*T, 0, len(raw))
	for i := range raw {
		one := new(T)
		if err := json.Unmarshal(raw[i], one); err != nil {
			return nil, fmt.Errorf("item %d %s", i+1, misread(err))
		}
		if !right(one) {
			return nil, fmt.Errorf("item %d has not the CNPJ that it should have", i+1)
		}
		all = append(all, one)
	}
	return all, nil
}

// company is what is printed of a company.
type company struct {
	summary
	Root    string           `json:"cnpj_basico"`
	Simples *simples         `json:"simples"`
	Members listing[partner] `json:"socios"`
}

type simples struct {
	Simples *bool `json:"opcao_pelo_simples"`
	MEI     *bool `json:"opcao_pelo_mei"`
}

type partner struct {
	Name          string     `json:"nome_socio"`
	Number        string     `json:"cnpj_cpf_socio"`
	Qualification string     `json:"qualificacao_socio"`
	Since         string     `json:"data_entrada_sociedade"`
	Meanings      meaningsOf `json:"descricoes"`
}

// branch is what is printed of an establishment, a head office too.
type branch struct {
	summary
	CNPJ       string `json:"cnpj"`
	Kind       string `json:"identificador_matriz_filial"`
	Opened     string `json:"data_inicio_atividade"`
	StreetKind string `json:"tipo_logradouro"`
	Street     string `json:"logradouro"`
	Number     string `json:"numero"`
	Complement string `json:"complemento"`
	District   string `json:"bairro"`
	CEP        string `json:"cep"`
	DDD        string `json:"ddd_1"`
	Phone      string `json:"telefone_1"`
	Mail       string `json:"correio_eletronico"`
}

// company prints a company or an establishment.
func (k *asker) company(ctx context.Context, out io.Writer, given string) error {
	typed, ok := cnpj.Read(given)
	if !ok {
		return usagef("%q is not a CNPJ: 8 positions of a company or 14 of an establishment; names are for `razao ask busca`", given)
	}
	var answer struct {
		Dados struct {
			Company        company                  `json:"empresa"`
			Establishment  branch                   `json:"estabelecimento"`
			Establishments listing[json.RawMessage] `json:"estabelecimentos"`
		} `json:"dados"`
		Meta struct {
			Gaps []struct {
				Files []string `json:"arquivos"`
			} `json:"lacunas"`
		} `json:"meta"`
	}
	kind, query := "estabelecimentos", url.Values{}
	if typed.IsRoot() {
		kind = "empresas"
	}
	if k.form == asJSON {
		query.Set("limite", "100")
	}
	path := "/v2/" + kind + "/" + url.PathEscape(typed.Text) + "/basic"
	raw, err := k.server.get(ctx, path, query, &answer)
	if err != nil {
		return err
	}
	d := &answer.Dados
	if d.Company.Root == "" || !strings.HasPrefix(typed.Text, d.Company.Root) || !typed.IsRoot() && d.Establishment.CNPJ != typed.Text {
		return k.server.foreign(path, "it is about another company, or about none")
	}
	branches, total := []*branch{&d.Establishment}, int64(1)
	if typed.IsRoot() {
		if k.form == asCSV {
			if d.Establishments.Items, err = k.server.collect(ctx, "/v2/empresas/"+url.PathEscape(typed.Text)+"/estabelecimentos", url.Values{"limite": {"100"}}, 0); err != nil {
				return err
			}
		}
		branches, err = decodeAll(d.Establishments.Items, func(b *branch) bool { return strings.HasPrefix(b.CNPJ, typed.Text) })
		if err != nil {
			return k.server.foreign(path, "%s", err)
		}
		total = d.Establishments.Total
	}
	switch k.form {
	case asJSON:
		return console.WriteJSON(out, json.RawMessage(raw))
	case asCSV:
		return writeEstablishments(out, &d.Company, branches)
	}
	var missing []string
	for _, gap := range answer.Meta.Gaps {
		missing = append(missing, gap.Files...)
	}
	return describeCompany(out, &d.Company, branches, total, missing)
}

// writeEstablishments writes a line for each establishment, with the company on each.
func writeEstablishments(out io.Writer, company *company, establishments []*branch) error {
	rows := [][]string{{
		"cnpj", "razao_social", "nome_fantasia", "matriz_ou_filial", "situacao_cadastral", "data_situacao_cadastral", "data_inicio_atividade", "cnae_fiscal_principal",
		"descricao_cnae", "natureza_juridica", "porte_empresa", "capital_social", "endereco", "municipio", "uf", "cep", "telefone_1", "correio_eletronico",
	}}
	for _, e := range establishments {
		m := &e.Meanings
		rows = append(rows, []string{
			e.CNPJ, company.Name, e.Trade, cmp.Or(m.Kind, e.Kind), cmp.Or(m.Status, e.Status), e.Since, e.Opened, e.Activity, m.Activity,
			cmp.Or(company.Meanings.Nature, company.Nature), cmp.Or(company.Meanings.Size, company.Size), company.Capital.String(), e.street(),
			cmp.Or(m.Town, e.Town), e.State, e.CEP, ptbr.Phone(e.DDD, e.Phone), e.Mail,
		})
	}
	return writeCSV(out, rows)
}

// describeCompany writes what most people ask for, in lines. missing are files that the load lacks.
func describeCompany(out io.Writer, company *company, establishments []*branch, total int64, missing []string) error {
	rows := [][]string{{"Nome", company.Name}}
	say := func(what, value string) {
		if value != "" {
			rows = append(rows, []string{what, value})
		}
	}
	say("Natureza jurídica", cmp.Or(company.Meanings.Nature, company.Nature))
	say("Porte", cmp.Or(company.Meanings.Size, company.Size))
	say("Capital social (R$)", company.Capital.String())
	if s := company.Simples; s != nil {
		say("Simples Nacional", option(s.Simples))
		say("MEI", option(s.MEI))
	}
	for i := range company.Members.Items {
		p := &company.Members.Items[i]
		say("Sócio", ptbr.Join(", ", p.Name, p.Number, cmp.Or(p.Meanings.Qualification, p.Qualification), day("desde ", p.Since)))
	}
	if more := company.Members.Total - int64(len(company.Members.Items)); more > 0 {
		say("", fmt.Sprintf("e mais %d sócios (--format json)", more))
	}
	for _, e := range establishments {
		m := &e.Meanings
		say(cmp.Or(m.Kind, "Estabelecimento"), ptbr.Join(", ", ptbr.CNPJ(e.CNPJ), e.Trade, cmp.Or(m.Status, e.Status)+day(" desde ", e.Since)))
		say("", cmp.Or(m.Activity, e.Activity))
		say("", ptbr.Join(", ", e.street(), ptbr.Join("/", cmp.Or(m.Town, e.Town), e.State), ptbr.CEP(e.CEP)))
		say("", ptbr.Join(", ", ptbr.Phone(e.DDD, e.Phone), e.Mail))
	}
	if more := total - int64(len(establishments)); more > 0 {
		say("", fmt.Sprintf("e mais %d estabelecimentos (--format csv)", more))
	}
	if len(missing) > 0 {
		say("Dados incompletos", "lidos sem "+strings.Join(missing, ", ")+": o que não aparece pode existir")
	}
	return console.WriteRows(out, rows)
}

func option(yes *bool) string {
	switch {
	case yes == nil:
		return ""
	case *yes:
		return "sim"
	}
	return "não"
}

// day writes a date with a word before it, nothing for none.
func day(before, date string) string {
	if date == "" {
		return ""
	}
	return before + ptbr.PublishedDay(date)
}

func (b *branch) street() string {
	return ptbr.Join(", ", ptbr.Join(" ", b.StreetKind, b.Street), b.Number, b.Complement, b.District)
}

// writeCSV writes rows for programs; text that a spreadsheet would take for a formula, or a terminal for a command, is defused.
func writeCSV(out io.Writer, rows [][]string) error {
	for _, row := range rows {
		for i := range row {
			row[i] = page.Inert(console.Visible(row[i]))
		}
	}
	return csv.NewWriter(out).WriteAll(rows)
}
