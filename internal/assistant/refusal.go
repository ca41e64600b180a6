package assistant

import (
	"errors"
	"fmt"

	"razao/index/filter"
	"razao/internal/registry"
	"razao/internal/snapshot"
)

// Kind says why a question was refused.
type Kind int

// The kinds of refusals.
const (
	Malformed Kind = iota // the question cannot be understood
	Unknown               // what it is about is positively not in this load
	Changed               // its cursor walks a load that is no longer served
)

// Refusal is the error of a question that cannot be answered as it was put.
type Refusal struct {
	Kind Kind
	Text string // says in Portuguese what is wrong and how to ask right; it may repeat what was asked
}

// Error implements error. It goes to the log and leaves out what a person asked.
func (r *Refusal) Error() string {
	switch r.Kind {
	case Unknown:
		return "asked for what is not in this load"
	case Changed:
		return "the load that the cursor walks is not in service"
	}
	return "question refused"
}

func refuse(kind Kind, format string, args ...any) error {
	return &Refusal{kind, fmt.Sprintf(format, args...)}
}

// NeedsIndex reports whether a question failed because the records are served without the search index. What is asked by
// number is answered all the same.
func NeedsIndex(err error) bool {
	var missing *snapshot.IndexError
	return errors.As(err, &missing)
}

// NeedsFlags reports whether a question failed because it filters by a source of which the index does not know whom it has
// records of. Without the filter it is answered.
func NeedsFlags(err error) bool {
	var unflagged *snapshot.SourceError
	return errors.As(err, &unflagged)
}

// missing turns the error of a document that is not in the load into a refusal.
func missing(d document, err error) error {
	if !registry.IsAbsent(err) {
		return err
	}
	if d.isEstablishment() {
		return refuse(Unknown, "O CNPJ %s não consta da carga disponível da Receita Federal. Os estabelecimentos da empresa, se houver, "+
			"estão em listar_estabelecimentos com as 8 primeiras posições (%s).", d.text, d.Root)
	}
	return refuse(Unknown, "A empresa %s não consta da carga disponível da Receita Federal. Procure pelo nome com buscar_empresas.", d.text)
}

// wrongFilter turns the error of a filter that the index does not take into a refusal.
func wrongFilter(err error) error {
	var wrong *filter.Error
	if errors.As(err, &wrong) {
		return refuse(Malformed, "O valor %q não serve para o filtro %s.", wrong.Value, wrong.Field)
	}
	return err
}

// limitOf returns how many items a page has: what was asked for, or else usual.
func limitOf(asked, usual, most int) (int, error) {
	switch {
	case asked == 0:
		return usual, nil
	case asked < 0 || asked > most:
		return 0, refuse(Malformed, "O argumento limite deve ser um número inteiro de 1 a %d; sem ele são %d.", most, usual)
	}
	return asked, nil
}
