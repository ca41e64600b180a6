// Package layers is the map of the program: which of its packages may import which. Its test holds the tree to it.
// A new package is added here in the change that creates it.
package layers

// Allowed names, for every package, the packages of this module that it may import. Arrows only point down: api and
// site do not know each other, nor do index and internal/registry; only cmd/razao sees everything.
var Allowed = map[string][]string{
	"cmd/razao": {
		"api", "index", "ingest", "ingest/download", "ingest/pncp/portal", "ingest/receita", "ingest/receita/share",
		"migrations", "site",
		"internal/account", "internal/assistant", "internal/cnpj", "internal/mail", "internal/mcp", "internal/messenger",
		"internal/oauthserver", "internal/pglocal", "internal/registry", "internal/sample", "internal/signin",
		"internal/snapshot", "internal/source", "internal/territory", "internal/web",
	},

	"cmd/bench": {
		"api", "index", "ingest", "ingest/receita", "migrations", "site",
		"internal/account", "internal/assistant", "internal/bench/compare", "internal/cnpj", "internal/mail", "internal/mcp",
		"internal/oauthserver", "internal/pglocal", "internal/registry", "internal/sample", "internal/signin", "internal/sitemap",
		"internal/snapshot", "internal/source", "internal/territory", "internal/web",
	},

	"internal/bench/callers": {"internal/account", "internal/oauthserver"},
	"internal/bench/compare": {"internal/bench/callers", "internal/cnpj", "internal/registry", "internal/source"},

	"api": {"internal/account", "internal/cnpj", "internal/registry", "internal/snapshot", "internal/source", "internal/web"},
	"site": {
		"index", "internal/account", "internal/cnpj", "internal/mail", "internal/oauthserver", "internal/registry",
		"internal/signin", "internal/sitemap", "internal/slug", "internal/snapshot", "internal/source",
		"internal/territory", "internal/web",
	},
	"internal/mcp": {"internal/account", "internal/assistant", "internal/territory", "internal/web"},
	"internal/assistant": {
		"index", "internal/cnpj", "internal/registry", "internal/slug", "internal/snapshot", "internal/source", "internal/territory",
	},

	"ingest": {
		"index", "ingest/aduana", "ingest/antt", "ingest/bndes", "ingest/cgu", "ingest/frame", "ingest/ibama", "ingest/mte",
		"ingest/pgfn", "ingest/pncp", "ingest/receita",
		"internal/cnpj", "internal/extsort", "internal/registry", "internal/sitemap", "internal/source",
	},
	"ingest/pncp/portal":   {"ingest/wire"},
	"ingest/receita":       {"ingest/frame", "internal/cnpj", "internal/registry"},
	"ingest/receita/share": {"ingest/wire"},
	"ingest/download":      {"ingest/wire"},
	"ingest/wire":          {},
	"ingest/frame":         {"ingest/wire", "internal/cnpj", "internal/registry"},
	"ingest/aduana":        {"ingest/frame", "internal/cnpj", "internal/source"},
	"ingest/antt":          {"ingest/frame", "internal/cnpj", "internal/source"},
	"ingest/bndes":         {"ingest/frame", "internal/cnpj", "internal/registry", "internal/slug", "internal/source", "internal/territory"},
	"ingest/cgu":           {"ingest/frame", "internal/cnpj", "internal/source"},
	"ingest/ibama":         {"ingest/frame", "internal/cnpj", "internal/source"},
	"ingest/mte":           {"ingest/frame", "internal/cnpj", "internal/source"},
	"ingest/pgfn":          {"ingest/frame", "internal/cnpj", "internal/registry", "internal/source"},
	"ingest/pncp":          {"ingest/frame", "internal/cnpj", "internal/registry", "internal/source"},

	"internal/snapshot": {"index", "internal/registry"},

	"internal/sitemap":  {"internal/cnpj"},
	"index":             {"internal/cnpj", "internal/extsort", "internal/territory"},
	"internal/registry": {"internal/cnpj", "internal/source"},
	"internal/source":   {},
	"internal/account":  {},
	"internal/mail":     {},
	"internal/signin":   {"internal/account", "internal/mail", "internal/web"},

	"internal/messenger": {"internal/assistant", "internal/cnpj", "internal/source", "internal/territory", "internal/web"},
	"internal/sample":    {"internal/cnpj"},
	"internal/web":       {},

	"internal/oauthserver": {"internal/account", "internal/web"},

	"internal/territory": {"internal/slug"},
	"internal/slug":      {},
	"internal/browser":   {},
	"internal/cnpj":      {},
	"internal/extsort":   {},
	"internal/layers":    {},
	"internal/pglocal":   {},
	"internal/pgtest":    {"internal/pglocal", "migrations"},
	"internal/relevance": {"index", "ingest/receita", "internal/cnpj", "internal/registry", "internal/sample", "internal/territory"},
	"internal/contract":  {},
	"internal/fixture":   {"ingest", "ingest/receita", "internal/cnpj", "internal/pgtest", "internal/registry", "internal/snapshot"},
	"migrations":         {},
}

// TestOnly names the packages that every test may import and no other code does.
var TestOnly = []string{"internal/pgtest", "internal/fixture", "internal/contract"}
