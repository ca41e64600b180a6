package download

import (
	"context"
	"fmt"
	"regexp"
)

// publisher says where a source is published and how its files are found.
type publisher struct {
	id     string
	base   string // address below which the files lie; an operator may replace it
	mirror string // another host with the same paths; "": none
	period string // form of Options.Period; "": only the newest is published
	hint   string // appended to every failure of the server; "": none
	byHand string // page for people, for a source without find
	// find returns the files to download; nil: they are downloaded by hand.
	find func(ctx context.Context, r *run) ([]File, error)
}

const (
	cguPortal = "https://portaldatransparencia.gov.br/download-de-dados/"
	cguHint   = "the portal keeps only the newest day of a register and refuses programs and networks that it does not like: " +
		"try again without a period, or download the zip in a browser and pass it with --from"
	mteArea     = "https://www.gov.br/trabalho-e-emprego/pt-br/assuntos/inspecao-do-trabalho/areas-de-atuacao/"
	ibamaPortal = "https://dadosabertos.ibama.gov.br/"
	ibamaStore  = "https://stibamadadosabertosprd.blob.core.windows.net/dados-abertos/"
)

// publishers is the table of sources. pncp is not in it: it is an API, read by ingest/pncp.
func publishers() []publisher {
	return []publisher{
		{
			id: "pgfn", base: "https://dadosabertos.pgfn.gov.br/", period: "AAAA-MM or AAAA_trimestre_TT", find: findQuarter,
			hint: "quarters are published from 2020 on, one or two months after they end",
		},
		{id: "ceis", base: cguPortal, period: "AAAA-MM-DD", hint: cguHint, find: findDay("ceis", "CEIS")},
		{id: "cnep", base: cguPortal, period: "AAAA-MM-DD", hint: cguHint, find: findDay("cnep", "CNEP")},
		{id: "cepim", base: cguPortal, period: "AAAA-MM-DD", hint: cguHint, find: findDay("cepim", "CEPIM")},
		{id: "acordos_leniencia", base: cguPortal, period: "AAAA-MM-DD", hint: cguHint, find: findDay("acordos-leniencia", "Acordos")},
		{id: "mte_empregadores", base: mteArea, find: findEmployers},
		{id: "mte_ceac", base: mteArea, period: "AAAA_NNNN", find: findVersion},
		{
			id:     "habilitacao_aduaneira",
			byHand: "https://www.gov.br/receitafederal/dados/intervenientes-aduaneiros/view",
		},
		{
			id: "ibama_autos", base: ibamaPortal, mirror: ibamaStore,
			find: findPackage("fiscalizacao-auto-de-infracao",
				map[string]string{"auto_infracao_csv.zip": "auto_infracao_csv.zip"},
				"dados/SIFISC/auto_infracao/auto_infracao/auto_infracao_csv.zip"),
		},
		{
			// The catalogue has linked a wrong path, hence the known one of the CSV. The zip, last
			// resort, is not renewed since the CSV moved.
			id: "ibama_embargos", base: ibamaPortal, mirror: ibamaStore,
			find: findPackage("fiscalizacao-termo-de-embargo",
				map[string]string{
					"termo_de_embargo.csv":  "termo_embargo.csv",
					"termo_embargo.csv":     "termo_embargo.csv",
					"termo_embargo_csv.zip": "termo_embargo_csv.zip",
				},
				"dados/TERMOS_DE_EMBARGO/TERMO_EMBARGO/termo_de_embargo.csv",
				"dados/SIFISC/termo_embargo/termo_embargo/termo_embargo_csv.zip"),
		},
		{
			id: "rntrc", base: "https://dados.antt.gov.br/", period: "AAAA-MM",
			find: findMonth("rntrc", regexp.MustCompile(`(?i)^transportadores_rntrc_(?P<month>0[1-9]|1[0-2])_(?P<year>20\d\d)\.csv$`)),
		},
		{
			id: "bndes", base: "https://dadosabertos.bndes.gov.br/dataset/10e21ad1-568e-45e5-a8af-43f2c05ef1a2/resource/",
			find: findFixed(
				"6f56b78c-510f-44b6-8274-78a5b7e931f4/download/operacoes-financiamento-operacoes-nao-automaticas.csv",
				"612faa0b-b6be-4b2c-9317-da5dc2c0b901/download/operacoes-financiamento-operacoes-indiretas-automaticas.csv"),
		},
	}
}

// publisherOf returns the entry of a source; a source without find is ErrNoAddress.
func publisherOf(id string) (*publisher, error) {
	for _, p := range publishers() {
		switch {
		case p.id != id:
		case p.find == nil:
			return nil, fmt.Errorf("%w: fetch the file from %s in a browser and pass it with --from", ErrNoAddress, p.byHand)
		default:
			return &p, nil
		}
	}
	return nil, noSource(id)
}
