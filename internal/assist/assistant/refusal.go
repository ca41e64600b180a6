package assistant

import (
	"errors"
	"fmt"

	"razao/index/filter"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
)

// Kind is the reason of a [Refusal].
type Kind int

// The kinds of refusals.
const (
	Malformed Kind = iota // invalid arguments (400)
	Unknown               // the document is confirmed absent from this load (404)
	Changed               // the cursor belongs to a load that is not in service (409)
)

// Refusal is the error of a query that cannot be answered as asked.
type Refusal struct {
	Kind Kind
	Text string // in Portuguese: what is wrong and how to correct it; it may repeat user input
}

// Error implements error. The text goes to the log, so it contains no user input.
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

// NeedsIndex reports whether a query failed because the snapshot is served without its search
// index. Queries by CNPJ still work.
func NeedsIndex(err error) bool {
	var missing *snapshot.IndexError
	return errors.As(err, &missing)
}

// NeedsFlags reports whether a query failed because it filters by a source whose flags the index
// lacks. Without that filter it works.
func NeedsFlags(err error) bool {
	var unflagged *snapshot.SourceError
	return errors.As(err, &unflagged)
}

// Lacks returns the words for a query whose answer may be in files that the load lacks; "" if err is another.
func Lacks(err error) string {
	lack, ok := errors.AsType[*registry.LackError](err)
	if !ok {
		return ""
	}
	return "A publicação foi lida sem todos os seus arquivos, e a resposta pode estar no que falta: " + lack.Names() + ". Isto não quer dizer que nada consta."
}

// missing converts a *registry.AbsentError to a Refusal of kind Unknown; other errors are returned
// unchanged.
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

// wrongFilter converts a *filter.Error of the index to a Refusal; other errors are returned
// unchanged.
func wrongFilter(err error) error {
	var wrong *filter.Error
	if errors.As(err, &wrong) {
		return refuse(Malformed, "O valor %q não serve para o filtro %s.", wrong.Value, wrong.Field)
	}
	return err
}

// limitOf validates a page size; 0 means usual. The error is a *Refusal.
func limitOf(asked, usual, most int) (int, error) { return countOf("limite", asked, usual, most) }

// countOf validates an argument that counts something; 0 means usual. The error is a *Refusal.
func countOf(argument string, asked, usual, most int) (int, error) {
	switch {
	case asked == 0:
		return usual, nil
	case asked < 0 || asked > most:
		return 0, refuse(Malformed, "O argumento %s deve ser um número inteiro de 1 a %d; sem ele, vale %d.", argument, most, usual)
	}
	return asked, nil
}
