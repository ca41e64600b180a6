// Package loads answers what is known of the loads of a source, of the one that a snapshot serves and of those before it: their state and counts, what
// was rejected or left out of them, how full and regular each column is beside the load before, and that a company is in one.
package loads

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
)

// Of returns the load of a source, or of the company registry, in a snapshot; ok is false if it
// has none. ok is true with an error: there is a load that cannot be read.
func Of(ctx context.Context, s *snapshot.Snapshot, id string) (l registry.Load, ok bool, err error) {
	if id == registry.Receita {
		return s.Load, true, nil
	}
	return s.Internals().Records().SourceLoad(ctx, id)
}

// Served returns the loads of sources that are or were in service, newest first and at most fifty of each.
func Served(ctx context.Context, s *snapshot.Snapshot, sources ...string) ([]registry.Load, error) {
	return s.Internals().Records().Served(ctx, sources)
}

// Find returns a load of the company registry that is or was in service. The error is registry.ErrNoLoad if there is none with this id.
func Find(ctx context.Context, s *snapshot.Snapshot, id int64) (registry.Load, error) {
	return s.Internals().Records().ServedLoad(ctx, id)
}

// Failed returns, of each source whose last load failed or was refused after the one in service, that load.
func Failed(ctx context.Context, s *snapshot.Snapshot) ([]registry.Load, error) {
	failed, err := s.Internals().Records().FailedSince(ctx)
	if err != nil {
		return nil, fmt.Errorf("loads that failed: %w", err)
	}
	return failed, nil
}

// Past describes a load that is or was in service. Its status is that of the snapshot.
func Past(s *snapshot.Snapshot, l *registry.Load) record.PastLoad {
	past := record.PastLoad{
		Competencia: l.Period, CarregadaEm: l.FinishedAt, Situacao: record.LoadKept, VinculosRefeitos: record.No, Forcada: record.No,
		LinhasLidas: l.RowsRead, Registros: l.Kept(), LinhasRejeitadas: l.RowsRejected, LinhasDescartadas: l.RowsDiscarded,
	}
	switch {
	case l.ID == s.LoadOf(l.Source):
		past.Situacao = record.LoadServed
	case l.State == registry.LoadDropped:
		past.Situacao = record.LoadGone
	}
	if l.Edition != l.ID {
		past.VinculosRefeitos = record.Yes
	}
	if len(l.Overruled) > 0 {
		past.Forcada = record.Yes
	}
	return past
}

// Rejected returns by load how many kept rejects have which unreadable column, most first. Loads
// keep a bounded number of rejects, so these counts may be less than the rows rejected.
func Rejected(ctx context.Context, s *snapshot.Snapshot, loads ...int64) (map[int64][]record.RejectedIn, error) {
	counts, err := s.Internals().Records().Rejected(ctx, loads)
	if err != nil {
		return nil, err
	}
	rejected := map[int64][]record.RejectedIn{}
	for _, c := range counts {
		rejected[c.Load] = append(rejected[c.Load], record.RejectedIn{Coluna: c.Column, Linhas: c.Rows})
	}
	return rejected, nil
}

// rules has the texts of the rules that leave rows out, by the keys of registry.Counts.Discarded.
var rules = map[string]string{
	"autonomo_tac":             "transportador autônomo, que é pessoa física",
	"documento_invalido":       "documento que não é um CNPJ válido",
	"efeito_sem_acordo":        "efeito de um acordo que não está no arquivo",
	"empresa_repetida":         "empresa repetida",
	"estabelecimento_repetido": "estabelecimento repetido",
	"estrangeiro":              "documento estrangeiro",
	"linha_repetida":           "linha idêntica a outra",
	"nao_cnpj":                 "documento que não é CNPJ: pessoas físicas e estrangeiros",
	"pessoa_fisica":            "pessoa física",
	"sem_documento":            "sem documento",
	"simples_repetido":         "opção pelo Simples repetida",
	"simples_sem_empresa":      "opção pelo Simples de empresa que não está no cadastro",
	"socio_repetido":           "sócio repetido",
	"socio_sem_empresa":        "sócio de empresa que não está no cadastro",
	"versao_superada":          "versão anterior de um registro que foi publicado de novo",
}

// LeftOut returns the rules that left rows out of a load, those with the most rows first, then by
// text.
func LeftOut(l *registry.Load) []record.LeftOut {
	var left []record.LeftOut
	for rule, rows := range l.Counts.Discarded {
		left = append(left, record.LeftOut{Regra: rule, Motivo: cmp.Or(rules[rule], strings.ReplaceAll(rule, "_", " ")), Linhas: rows})
	}
	slices.SortFunc(left, func(a, b record.LeftOut) int {
		return cmp.Or(cmp.Compare(b.Linhas, a.Linhas), cmp.Compare(a.Motivo, b.Motivo))
	})
	return left
}
