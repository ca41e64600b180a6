package assistant

import (
	"context"
	"math"
	"unicode/utf8"

	"razao/index"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/reconcile"
)

const (
	usualCandidates = 5
	mostCandidates  = 25
)

// ReconcileQuery asks which company a list names.
type ReconcileQuery struct {
	Nome      string `json:"nome" jsonschema:"nome como está na lista"`
	Municipio string `json:"municipio,omitempty" jsonschema:"município, como Campinas/SP, ou só o estado"`
	Atividade string `json:"atividade,omitempty" jsonschema:"código da CNAE ou palavras, como padaria"`
	Limite    int    `json:"limite,omitempty" jsonschema:"candidatas; 5 se ausente" minimum:"1" maximum:"25"`
}

// ReconcileAnswer has the companies that may be meant, the likeliest first.
type ReconcileAnswer struct {
	Origin
	Candidatas []Candidate `json:"candidatas"`
	Aviso      string      `json:"aviso"`
}

// Candidate is a company that may be meant, by the establishment at the place or its head office.
type Candidate struct {
	CNPJ              string  `json:"cnpj"`
	RazaoSocial       string  `json:"razao_social"`
	NomeFantasia      string  `json:"nome_fantasia"`
	SituacaoCadastral string  `json:"situacao_cadastral"`
	Lugar             string  `json:"lugar"`
	Pontos            float64 `json:"pontos" jsonschema:"de 0 a 100"`
	Certa             bool    `json:"certa" jsonschema:"true: só ela pode ser"`
	Motivo            string  `json:"motivo"`
	URL               string  `json:"url"`

	name string // formatted
}

const homonymousCompanies = "Empresas diferentes têm o mesmo nome: sem certa, confirme com quem perguntou, por exemplo pelo endereço ou pela atividade, antes de usar um CNPJ."

// Reconcile finds the company that somebody else's list names. It needs the search index (see [NeedsIndex]).
func (a *Assistant) Reconcile(ctx context.Context, q ReconcileQuery) (*ReconcileAnswer, error) {
	limit, err := limitOf(q.Limite, usualCandidates, mostCandidates)
	if err != nil {
		return nil, err
	}
	for _, said := range []string{q.Nome, q.Municipio, q.Atividade} {
		if utf8.RuneCountInString(said) > index.LongestText {
			return nil, refuse(Malformed, "Um dos textos é longo demais: envie até %d caracteres.", index.LongestText)
		}
	}
	if cnpj.Mistyped(q.Nome) {
		return nil, wrongDigits()
	}
	matcher, err := reconcile.New(a.live)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	wanted := matcher.Read(q.Nome, q.Municipio, "", q.Atividade)
	if wanted.Name == "" {
		return nil, refuse(Malformed, "Informe o argumento nome com o nome da empresa.")
	}
	found, err := matcher.Find(ctx, snap, wanted, limit, nil)
	if err != nil {
		return nil, err
	}
	answer := &ReconcileAnswer{Origin: a.origin(snap, searchPath(&index.Query{Text: wanted.Name, ByCompany: true})), Candidatas: make([]Candidate, 0, len(found)), Aviso: homonymousCompanies}
	r := a.read(snap)
	for i := range found {
		c, e := &found[i], &found[i].Establishment
		status := orCode(r.Describe(record.DomainSituacao, e.SituacaoCadastral), e.SituacaoCadastral)
		answer.Candidatas = append(answer.Candidatas, Candidate{
			CNPJ: e.CNPJ.String(), RazaoSocial: c.Company.RazaoSocial, NomeFantasia: e.NomeFantasia, SituacaoCadastral: status,
			Lugar: r.City(e.Municipio, e.UF), Pontos: math.Round(10*c.Score) / 10, Certa: c.Sure, Motivo: c.Reason(), URL: r.address(e.CNPJ),
			name: ptbr.Holder(c.Root, c.Name(), c.Individual()),
		})
	}
	return answer, nil
}

// Text lists the candidates.
func (r *ReconcileAnswer) Text() string {
	var t text
	if len(r.Candidatas) == 0 {
		t.line("Nenhuma empresa com um nome parecido.")
	}
	for i := range r.Candidatas {
		c := &r.Candidatas[i]
		sure := ""
		if c.Certa {
			sure = " É ela."
		}
		t.line("- %s, CNPJ %s: %s, %s; %s, %s pontos.%s %s", ptbr.Join(" / ", c.name, ptbr.Company(c.NomeFantasia)), ptbr.Document(c.CNPJ),
			c.SituacaoCadastral, c.Lugar, c.Motivo, ptbr.Rate(c.Pontos), sure, c.URL)
	}
	if len(r.Candidatas) > 0 && !r.Candidatas[0].Certa {
		t.line("%s", r.Aviso)
	}
	t.origin(&r.Origin)
	return t.String()
}
