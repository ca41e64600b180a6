package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	client "razao/clients/go"
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

// asker asks the API of a server, here or elsewhere. It needs no settings but the two of clients.
type asker struct {
	client *client.Client
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
	if !slices.Contains([]string{asTable, asJSON, asCSV}, k.form) {
		return usagef("--format is %q, not table, json or csv", k.form)
	}
	k.client = client.New(address, key)
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
			query := client.BuscarParametros{Q: strings.Join(args, " "), Limite: pageSize(limit)}
			for _, given := range filters {
				if !setFilter(&query, given) {
					return usagef("--filter %q is not the name of a filter and a value: uf=SP, municipio=Campinas/SP, capital_de=100000", given)
				}
			}
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

// setFilter adds "name=value" to the parameters; false if there is no such filter.
func setFilter(query *client.BuscarParametros, given string) bool {
	name, value, ok := strings.Cut(given, "=")
	if !ok || filter.Named(name) == nil {
		return false
	}
	fields := reflect.ValueOf(query).Elem()
	for i := range fields.NumField() {
		switch field := fields.Field(i); {
		case fields.Type().Field(i).Tag.Get("query") != name:
		case field.Kind() == reflect.Slice:
			field.Set(reflect.Append(field, reflect.ValueOf(value)))
			return true
		default:
			field.SetString(value)
			return true
		}
	}
	return false
}

// pageSize returns how many results are asked for at a time.
func pageSize(limit int) int64 {
	const largest = 100
	if limit == 0 || limit > largest {
		return largest
	}
	return int64(limit)
}

// search prints the first results, at most limit of them, or all for 0, and returns how many.
func (k *asker) search(ctx context.Context, out io.Writer, query client.BuscarParametros, limit int) (found int, err error) {
	hits := []client.Resultado{}
	for hit, err := range k.client.BuscarItens(ctx, query) {
		if err != nil {
			return 0, err
		}
		if hits = append(hits, hit); len(hits) == limit {
			break
		}
	}
	switch k.form {
	case asJSON:
		return len(hits), writeJSON(out, hits)
	case asCSV:
		rows := [][]string{{"cnpj", "razao_social", "nome_fantasia", "municipio", "uf", "situacao_cadastral", "cnae_fiscal_principal", "descricao_cnae", "capital_social", "motivo"}}
		for i := range hits {
			h := &hits[i]
			rows = append(rows, []string{
				h.Cnpj, h.RazaoSocial, h.NomeFantasia, told(h.Descricoes.Municipio, h.Municipio), h.Uf, told(h.Descricoes.SituacaoCadastral, h.SituacaoCadastral),
				h.CnaeFiscalPrincipal, told(h.Descricoes.CnaeFiscalPrincipal, ""), amount(h.CapitalSocial), h.Motivo,
			})
		}
		return len(hits), writeCSV(out, rows)
	}
	rows := [][]string{{"CNPJ", "NOME", "LUGAR", "SITUAÇÃO", "ATIVIDADE"}}
	for i := range hits {
		h := &hits[i]
		rows = append(rows, []string{
			ptbr.CNPJ(h.Cnpj), h.RazaoSocial, ptbr.Join("/", told(h.Descricoes.Municipio, h.Municipio), h.Uf),
			told(h.Descricoes.SituacaoCadastral, h.SituacaoCadastral), told(h.Descricoes.CnaeFiscalPrincipal, h.CnaeFiscalPrincipal),
		})
	}
	return len(hits), console.WriteRows(out, rows)
}

// company prints a company or an establishment.
func (k *asker) company(ctx context.Context, out io.Writer, given string) error {
	typed, ok := cnpj.Read(given)
	if !ok {
		return usagef("%q is not a CNPJ: 8 positions of a company or 14 of an establishment; names are for `razao ask busca`", given)
	}
	if k.form == asJSON {
		plural := map[bool]string{true: "empresas", false: "estabelecimentos"}[typed.IsRoot()]
		raw, err := k.client.Raw(ctx, "GET", "/v2/"+plural+"/"+url.PathEscape(typed.Text)+"/basic?limite=100", client.Content{})
		if err != nil {
			return err
		}
		return writeJSON(out, json.RawMessage(raw))
	}
	company, establishments, total, err := k.read(ctx, typed)
	if err != nil {
		return err
	}
	if k.form == asCSV {
		if typed.IsRoot() {
			establishments, err = client.All(func() iter.Seq2[client.Estabelecimento, error] {
				return k.client.EmpresaEstabelecimentosItens(ctx, typed.Text, client.EmpresaEstabelecimentosParametros{Limite: 100})
			})
			if err != nil {
				return err
			}
		}
		return writeEstablishments(out, company, establishments)
	}
	return describeCompany(out, company, establishments, total)
}

// read returns a company, its first establishments or the one that was asked for, and how many there are.
func (k *asker) read(ctx context.Context, typed cnpj.Typed) (*client.Empresa, []client.Estabelecimento, int64, error) {
	if typed.IsRoot() {
		answer, err := k.client.EmpresaBasic(ctx, typed.Text, client.EmpresaBasicParametros{})
		if err != nil {
			return nil, nil, 0, err
		}
		d := &answer.Dados
		return &d.Empresa, d.Estabelecimentos.Itens, d.Estabelecimentos.Total, nil
	}
	answer, err := k.client.EstabelecimentoBasic(ctx, typed.Text, client.EstabelecimentoBasicParametros{})
	if err != nil {
		return nil, nil, 0, err
	}
	return &answer.Dados.Empresa, []client.Estabelecimento{answer.Dados.Estabelecimento}, 1, nil
}

// writeEstablishments writes a line for each establishment, with the company on each.
func writeEstablishments(out io.Writer, company *client.Empresa, establishments []client.Estabelecimento) error {
	rows := [][]string{{
		"cnpj", "razao_social", "nome_fantasia", "matriz_ou_filial", "situacao_cadastral", "data_situacao_cadastral", "data_inicio_atividade", "cnae_fiscal_principal",
		"descricao_cnae", "natureza_juridica", "porte_empresa", "capital_social", "endereco", "municipio", "uf", "cep", "telefone_1", "correio_eletronico",
	}}
	for i := range establishments {
		e := &establishments[i]
		rows = append(rows, []string{
			e.Cnpj, company.RazaoSocial, e.NomeFantasia, told(e.Descricoes.IdentificadorMatrizFilial, e.IdentificadorMatrizFilial),
			told(e.Descricoes.SituacaoCadastral, e.SituacaoCadastral), told(e.DataSituacaoCadastral, ""), told(e.DataInicioAtividade, ""), e.CnaeFiscalPrincipal,
			told(e.Descricoes.CnaeFiscalPrincipal, ""), told(company.Descricoes.NaturezaJuridica, company.NaturezaJuridica),
			told(company.Descricoes.PorteEmpresa, company.PorteEmpresa), amount(company.CapitalSocial), street(e), told(e.Descricoes.Municipio, e.Municipio), e.Uf, e.Cep,
			ptbr.Phone(e.Ddd1, e.Telefone1), e.CorreioEletronico,
		})
	}
	return writeCSV(out, rows)
}

// describeCompany writes what most people ask for, in lines.
func describeCompany(out io.Writer, company *client.Empresa, establishments []client.Estabelecimento, total int64) error {
	rows := [][]string{{"Nome", company.RazaoSocial}}
	say := func(what, value string) {
		if value != "" {
			rows = append(rows, []string{what, value})
		}
	}
	say("Natureza jurídica", told(company.Descricoes.NaturezaJuridica, company.NaturezaJuridica))
	say("Porte", told(company.Descricoes.PorteEmpresa, company.PorteEmpresa))
	say("Capital social (R$)", amount(company.CapitalSocial))
	if s := company.Simples; s != nil {
		say("Simples Nacional", option(s.OpcaoPeloSimples))
		say("MEI", option(s.OpcaoPeloMei))
	}
	for i := range company.Socios.Itens {
		p := &company.Socios.Itens[i]
		say("Sócio", ptbr.Join(", ", p.NomeSocio, p.CnpjCpfSocio, told(p.Descricoes.QualificacaoSocio, p.QualificacaoSocio), day("desde ", p.DataEntradaSociedade)))
	}
	if more := company.Socios.Total - int64(len(company.Socios.Itens)); more > 0 {
		say("", fmt.Sprintf("e mais %d sócios (--format json)", more))
	}
	for i := range establishments {
		e := &establishments[i]
		say(told(e.Descricoes.IdentificadorMatrizFilial, "Estabelecimento"), ptbr.Join(", ", ptbr.CNPJ(e.Cnpj), e.NomeFantasia, told(e.Descricoes.SituacaoCadastral, e.SituacaoCadastral)+day(" desde ", e.DataSituacaoCadastral)))
		say("", told(e.Descricoes.CnaeFiscalPrincipal, e.CnaeFiscalPrincipal))
		say("", ptbr.Join(", ", street(e), ptbr.Join("/", told(e.Descricoes.Municipio, e.Municipio), e.Uf), ptbr.CEP(e.Cep)))
		say("", ptbr.Join(", ", ptbr.Phone(e.Ddd1, e.Telefone1), e.CorreioEletronico))
	}
	if more := total - int64(len(establishments)); more > 0 {
		say("", fmt.Sprintf("e mais %d estabelecimentos (--format csv)", more))
	}
	return console.WriteRows(out, rows)
}

// told returns a text that may be null, or another instead.
func told(text *string, instead string) string {
	if text == nil {
		return instead
	}
	return *text
}

func amount(n *json.Number) string {
	if n == nil {
		return ""
	}
	return n.String()
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
func day(before string, date *string) string {
	if date == nil {
		return ""
	}
	return before + ptbr.PublishedDay(*date)
}

func street(e *client.Estabelecimento) string {
	return ptbr.Join(", ", ptbr.Join(" ", e.TipoLogradouro, e.Logradouro), e.Numero, e.Complemento, e.Bairro)
}

// writeJSON writes a value for programs. What a terminal would obey instead of showing (escape sequences, bidirectional controls) is escaped.
func writeJSON(out io.Writer, value any) error {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(out, console.EscapeUnseen(text.String()))
	return err
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
