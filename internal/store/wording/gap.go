package wording

import (
	"razao/index"
	"razao/internal/data/change"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
)

// GapsOf says, a sentence for each reason, what is not known of the changes of a load. The first
// load of a source has no gap: there is nothing that it could have changed.
func GapsOf(l *history.Load) []string {
	var sentences []string
	parts := map[history.Why][]string{}
	var reasons []history.Why
	for _, g := range l.Gaps {
		if g.Why == history.First {
			continue
		}
		if parts[g.Why] == nil {
			reasons = append(reasons, g.Why)
		}
		parts[g.Why] = append(parts[g.Why], partText(l.Source, g.Part))
	}
	for _, why := range reasons {
		sentences = append(sentences, "Em "+ptbr.Period(l.Period)+" não se sabe o que mudou em "+ptbr.List(parts[why])+": "+whyTexts[why]+".")
	}
	return sentences
}

// FailedLoad says that a load did not enter service, so that its changes are not known.
func FailedLoad(l *registry.Load) string {
	return "A carga de " + ptbr.Period(l.Period) + " de " + SourceTitle(l.Source) + " falhou ou foi recusada: o que ela mudaria ainda não se sabe."
}

// SourceTitle names a source, the company registry included.
func SourceTitle(id string) string {
	if id == registry.Receita {
		return source.CompanyRegistry().Title
	}
	if src, ok := source.Find(id); ok {
		return src.Title
	}
	return id
}

func partText(id string, part change.Part) string {
	if part == change.Records {
		return "registros de " + SourceTitle(id)
	}
	return partTexts[part]
}

var partTexts = map[change.Part]string{
	change.Companies: "dados da empresa", change.Establishments: "estabelecimentos", change.Partners: "quadro societário", change.Simples: "Simples e MEI",
}

var whyTexts = map[history.Why]string{
	history.Missing:   "o arquivo falta em uma das duas cargas comparadas",
	history.Partial:   "uma das duas cargas comparadas veio incompleta",
	history.OtherKind: "só uma das duas cargas tem dados fictícios",
	history.Format:    "as duas cargas estão gravadas em formatos diferentes",
	history.Gone:      "a carga anterior já não estava guardada",
}

// Unsought says whom filters that look for a contact may have left out: see snapshot.Found.Unsought.
func Unsought(n int, companies bool) string {
	what := ptbr.Counted(n, "estabelecimento passa", "estabelecimentos passam")
	if companies {
		what = ptbr.Counted(n, "empresa passa", "empresas passam")
	}
	if n >= index.MaxTotal {
		what = "ao menos " + what
	}
	return "Endereço, telefone e e-mail de pessoas físicas e MEIs não são procurados: " + what +
		" pelos outros filtros e não se sabe se por estes também."
}
