// Package layers is the table of allowed imports between the packages of this module. Its test
// parses the source files and compares the tree with the table in both directions: an import that
// is missing here fails, and so does an entry that nothing uses.
//
// A new package needs a line in Code, in the same change: its folder and the packages that its code
// imports. That line decides its place in the architecture. What only its tests import goes into
// Tests. Packages in TestOnly support tests; any test may import them without a line in Tests, and
// no code may but their own.
package layers

// Code lists for every package the packages of this module that its code imports. Imports only
// point down: api and site do not know each other, nor do index and internal/registry. Only
// cmd/razao may import from everywhere.
var Code = map[string][]string{
	"cmd/razao": {
		"api", "index/folder", "ingest", "ingest/fetch", "ingest/gates", "ingest/publisher", "ingest/receita", "migrations", "site", "internal/account",
		"internal/assistant", "internal/backup", "internal/cnpj", "internal/console", "internal/contacts", "internal/database", "internal/edge", "internal/health",
		"internal/indexstore", "internal/mail", "internal/mcp", "internal/metrics",
		"internal/messenger", "internal/oauthserver", "internal/recovery", "internal/registry", "internal/sample", "internal/seal",
		"internal/signin", "internal/snapshot", "internal/source", "internal/territory", "internal/traces", "internal/web",
	},

	"cmd/bench": {
		"internal/bench/ask", "internal/bench/callers", "internal/bench/compare", "internal/bench/load", "internal/bench/machine",
		"internal/bench/questions", "internal/bench/report", "internal/pglocal",
	},
	"internal/bench/ask": {
		"index", "index/filter", "internal/bench/callers", "internal/bench/load", "internal/bench/machine", "internal/bench/questions",
		"internal/bench/report", "internal/cnpj", "internal/freeport", "internal/registry", "internal/source",
	},
	"internal/bench/compare": {
		"internal/bench/callers", "internal/bench/questions", "internal/bench/report", "internal/cnpj", "internal/seal", "internal/source",
	},
	"internal/bench/questions": {
		"index", "index/filter", "internal/cnpj", "internal/record", "internal/registry", "internal/registry/pack", "internal/registry/presence",
		"internal/slug", "internal/source", "internal/territory",
	},
	"internal/bench/load": {
		"index", "index/folder", "ingest", "ingest/receita", "ingest/stages", "migrations", "internal/bench/machine", "internal/bench/report",
		"internal/pglocal", "internal/registry", "internal/sample", "internal/source",
	},
	"internal/bench/callers": {"internal/account", "internal/oauthserver", "internal/seal"},
	"internal/bench/machine": {},
	"internal/bench/report":  {},

	"api": {
		"index", "index/filter", "internal/account", "internal/cnpj", "internal/criteria", "internal/openapi", "internal/record", "internal/registry",
		"internal/registry/pack", "internal/render", "internal/snapshot", "internal/source", "internal/web",
	},
	"site": {
		"index", "index/filter", "site/company", "site/find", "site/page", "site/people", "site/places", "site/records", "site/reference", "site/wording",
		"internal/account", "internal/contacts", "internal/criteria", "internal/health", "internal/oauthserver", "internal/openapi", "internal/ptbr", "internal/registry", "internal/signin",
		"internal/sitemap", "internal/snapshot", "internal/source", "internal/web",
	},
	"internal/mcp": {
		"index/filter", "internal/account", "internal/assistant", "internal/criteria", "internal/openapi", "internal/record", "internal/recovery", "internal/render", "internal/web",
	},
	"site/company": {
		"site/page", "site/places", "site/records", "site/wording", "internal/cnpj", "internal/ptbr", "internal/record", "internal/registry",
		"internal/registry/pack", "internal/snapshot", "internal/territory", "internal/web",
	},
	"site/records": {
		"site/glossary", "site/page", "site/wording", "internal/cnpj", "internal/ptbr", "internal/record", "internal/registry", "internal/registry/pack", "internal/snapshot",
		"internal/source", "internal/source/tally", "internal/web",
	},
	"site/find": {
		"index", "index/filter", "index/text", "site/page", "site/places", "site/wording", "internal/cnpj", "internal/criteria", "internal/ptbr",
		"internal/record", "internal/recovery", "internal/signin", "internal/slug", "internal/snapshot", "internal/source", "internal/territory", "internal/web",
	},
	"site/places": {
		"index", "index/filter", "index/figures", "site/page", "site/wording", "internal/ptbr", "internal/record", "internal/slug", "internal/snapshot",
		"internal/territory", "internal/web",
	},
	"site/reference": {
		"site/find", "site/glossary", "site/page", "site/places", "internal/ptbr", "internal/record", "internal/registry", "internal/snapshot",
		"internal/source", "internal/web",
	},
	"site/glossary": {},
	"site/wording":  {"internal/ptbr", "internal/record", "internal/registry/pack", "internal/snapshot", "internal/territory"},
	"site/people": {
		"site/page", "internal/account", "internal/cnpj", "internal/contacts", "internal/oauthserver", "internal/signin",
		"internal/web",
	},
	"site/page/pagetest": {},
	"site/page": {
		"site/glossary", "internal/account", "internal/cnpj", "internal/edge", "internal/fasttemplate", "internal/ptbr", "internal/record", "internal/registry", "internal/signin",
		"internal/slug", "internal/snapshot", "internal/territory", "internal/web",
	},

	"internal/assistant": {
		"index", "index/filter", "internal/cnpj", "internal/criteria", "internal/ptbr", "internal/record", "internal/registry", "internal/registry/pack",
		"internal/render", "internal/snapshot", "internal/source", "internal/territory",
	},

	"ingest": {
		"index/build", "index/flags", "index/folder", "ingest/aduana", "ingest/antt", "ingest/bndes", "ingest/cgu", "ingest/gates", "ingest/holdings", "ingest/ibama", "ingest/merge",
		"ingest/mte", "ingest/pgfn", "ingest/pncp", "ingest/receita", "ingest/rows", "ingest/stages", "internal/cnpj", "internal/extsort", "internal/record",
		"internal/registry", "internal/registry/pack", "internal/registry/presence", "internal/registry/rowfile", "internal/registry/schema",
		"internal/sitemap", "internal/source",
	},
	"ingest/holdings": {"index/flags", "internal/cnpj", "internal/registry", "internal/registry/pack", "internal/source", "internal/source/tally"},
	"ingest/merge": {
		"index/build", "ingest/receita", "internal/cnpj", "internal/extsort", "internal/record", "internal/registry", "internal/registry/pack",
		"internal/registry/schema",
	},
	"ingest/gates":  {"ingest/receita", "internal/registry", "internal/source"},
	"ingest/stages": {"internal/registry"},
	"ingest/publisher": {
		"ingest", "ingest/download", "ingest/fetch", "ingest/gates", "ingest/pncp/portal", "ingest/receita", "ingest/receita/share",
		"internal/record", "internal/registry", "internal/source",
	},
	"ingest/pncp/portal":   {"ingest/fetch"},
	"ingest/receita":       {"ingest/rows", "internal/cnpj", "internal/record"},
	"ingest/receita/share": {"ingest/fetch", "internal/record"},
	"ingest/download":      {"ingest/fetch"},
	"ingest/fetch":         {},
	"ingest/rows":          {"ingest/fetch", "internal/cnpj", "internal/record", "internal/registry", "internal/source"},
	"ingest/aduana":        {"ingest/rows", "internal/cnpj"},
	"ingest/antt":          {"ingest/rows", "internal/source"},
	"ingest/bndes":         {"ingest/rows", "internal/cnpj", "internal/registry/pack", "internal/slug", "internal/territory"},
	"ingest/cgu":           {"ingest/rows", "internal/cnpj"},
	"ingest/ibama":         {"ingest/rows", "internal/source"},
	"ingest/mte":           {"ingest/rows"},
	"ingest/pgfn":          {"ingest/rows", "internal/cnpj"},
	"ingest/pncp":          {"ingest/rows", "internal/cnpj"},

	"ingest/fetch/fetchtest": {},
	"ingest/rows/rowstest":   {"ingest/rows", "internal/cnpj", "internal/registry"},

	"internal/snapshot": {
		"index", "index/filter", "index/figures", "index/folder", "index/gate", "index/text", "internal/cnpj", "internal/record", "internal/registry",
		"internal/recovery", "internal/registry/pack", "internal/registry/rowfile", "internal/sitemap", "internal/slug", "internal/source", "internal/territory",
	},

	"internal/backup":     {"migrations"},
	"internal/indexstore": {"index/flags", "index/folder", "ingest/fetch", "internal/registry"},

	"internal/indexstore/storetest": {},
	"internal/metrics": {
		"index", "internal/account", "internal/indexstore", "internal/mail", "internal/recovery", "internal/registry", "internal/snapshot", "internal/source",
		"internal/web",
	},
	"internal/traces": {},

	"internal/criteria": {
		"index", "index/filter", "index/intent", "index/text", "internal/cnae", "internal/ptbr", "internal/record", "internal/slug",
		"internal/source", "internal/territory",
	},

	"internal/openapi": {"internal/record", "internal/source"},
	"internal/render":  {"internal/cnpj", "internal/record", "internal/registry", "internal/registry/pack", "internal/snapshot", "internal/source"},

	"internal/sitemap": {"internal/cnpj"},
	"index": {
		"index/bitmap", "index/column", "index/company", "index/eval", "index/facet", "index/figures", "index/filter", "index/flags", "index/folder", "index/gate", "index/hidden", "index/intent",
		"index/match", "index/segment", "index/term", "index/text", "internal/cnpj",
	},
	"index/eval": {
		"index/bitmap", "index/column", "index/filter", "index/flags", "index/gate", "index/hidden", "index/segment", "internal/cnpj",
	},
	"index/build": {
		"index/column", "index/company", "index/figures", "index/folder", "index/segment", "index/term", "index/text", "internal/cnpj",
		"internal/extsort", "internal/record",
	},
	"index/filter":      {"index/term", "index/text", "internal/cnpj", "internal/slug", "internal/territory"},
	"index/facet":       {"index/bitmap", "index/column", "index/filter", "index/folder", "index/term"},
	"index/match":       {"index/intent", "index/term", "index/text"},
	"index/intent":      {"index/term", "index/text", "internal/cnae", "internal/cnpj", "internal/territory"},
	"index/figures":     {"index/column", "index/folder", "index/term"},
	"index/column":      {"index/bitmap", "index/filter", "index/folder", "index/term", "internal/record"},
	"index/company":     {"index/folder"},
	"index/flags":       {"index/filter", "index/folder", "index/segment", "index/term", "internal/cnpj", "internal/record"},
	"index/segment":     {"index/bitmap", "index/folder", "index/term", "internal/cnpj"},
	"index/bitmap":      {},
	"index/gate":        {},
	"index/hidden":      {"index/bitmap", "index/segment", "index/term", "internal/cnpj"},
	"index/term":        {},
	"index/text":        {},
	"index/folder":      {"internal/recovery"},
	"index/indextest":   {"index/build", "index/flags", "index/term", "internal/cnpj", "internal/record"},
	"internal/contacts": {"internal/cnpj"},
	"internal/coalesce": {"internal/recovery"},
	"internal/edge":     {},
	"internal/registry": {
		"internal/cnpj", "internal/coalesce", "internal/record", "internal/recovery", "internal/registry/pack", "internal/registry/presence",
		"internal/registry/rowfile", "internal/registry/schema", "internal/source",
	},
	"internal/registry/schema":   {"internal/record", "internal/registry/pack", "internal/registry/presence", "internal/source"},
	"internal/registry/presence": {"internal/cnpj", "internal/registry/pack", "internal/source"},
	"internal/registry/rowfile":  {"internal/cnpj"},
	"internal/registry/pack":     {"internal/cnpj", "internal/record", "internal/source"},
	"internal/record":            {"internal/cnpj", "internal/source"},
	"internal/source":            {},
	"internal/source/tally":      {"internal/ptbr", "internal/record", "internal/registry/pack", "internal/source"},
	"internal/account":           {"internal/coalesce", "internal/recovery", "internal/seal"},
	"internal/seal":              {"internal/recent", "internal/recovery"},
	"internal/mail":              {},
	"internal/signin":            {"internal/account", "internal/mail", "internal/web"},

	"internal/messenger": {
		"internal/assistant", "internal/cnpj", "internal/ptbr", "internal/recent", "internal/record", "internal/recovery", "internal/web",
	},

	"internal/sample": {
		"internal/sample/cadastre", "internal/sample/press", "internal/sample/records", "internal/sample/table",
		"internal/sample/world",
	},
	"internal/web":             {"internal/recent", "internal/recovery"},
	"internal/recent":          {},
	"internal/sample/cadastre": {"internal/sample/draw", "internal/sample/table", "internal/sample/world"},
	"internal/sample/records":  {"internal/sample/draw", "internal/sample/table", "internal/sample/world"},
	"internal/sample/world":    {"internal/cnpj", "internal/sample/draw"},
	"internal/sample/press":    {"internal/sample/table"},
	"internal/sample/table":    {},
	"internal/sample/draw":     {},

	"internal/oauthserver": {"internal/account", "internal/coalesce", "internal/seal", "internal/web"},

	"internal/fasttemplate": {},

	"internal/territory": {},
	"internal/slug":      {},
	"internal/ptbr":      {"internal/cnpj", "internal/record"},
	"internal/browser":   {},
	"internal/cnae":      {},
	"internal/cnpj":      {},
	"internal/extsort":   {},
	"internal/layers":    {},
	"internal/health":    {"internal/snapshot"},
	"internal/console": {
		"ingest", "ingest/publisher", "ingest/stages", "internal/account", "internal/contacts", "internal/oauthserver", "internal/record", "internal/registry",
	},
	"internal/database": {"internal/pglocal", "migrations"},
	"internal/pglocal":  {},
	"internal/recovery": {},

	"internal/pgtest":    {"migrations", "internal/pglocal"},
	"internal/relevance": {},

	"internal/mailtest": {},

	"internal/contract": {},
	"internal/fixture": {
		"index", "ingest", "ingest/receita", "internal/cnpj", "internal/contacts", "internal/fixture/sourcefiles", "internal/pgtest",
		"internal/registry", "internal/snapshot", "internal/territory",
	},
	"migrations":                   {},
	"internal/outline":             {},
	"internal/fixture/sourcefiles": {},
	"internal/proofs":              {},
	"internal/fuzzing":             {},
	"internal/chaos":               {"internal/freeport", "internal/pglocal"},
	"internal/freeport":            {},
}

// Tests lists for a package what its tests import in addition to Code and TestOnly.
var Tests = map[string][]string{
	"api":                 {"internal/registry/presence", "internal/registry/schema", "internal/seal"},
	"internal/mcp":        {"internal/seal"},
	"cmd/razao":           {"internal/bench/machine", "internal/criteria", "internal/freeport", "internal/pglocal", "internal/ptbr", "internal/record", "internal/registry/pack"},
	"ingest":              {"index", "index/filter", "index/segment", "index/term", "internal/snapshot", "internal/sample"},
	"index":               {"index/build", "internal/record", "internal/recovery"},
	"index/flags":         {"index/build"},
	"index/intent":        {"index/filter"},
	"site":                {"site/glossary", "internal/cnae", "internal/cnpj", "internal/freeport", "internal/mail", "internal/record", "internal/registry/pack", "internal/seal", "internal/territory"},
	"internal/browser":    {"internal/freeport"},
	"internal/indexstore": {"index", "index/build"},
	"internal/openapi":    {"internal/render"},
	"ingest/aduana":       {"internal/source"},
	"ingest/bndes":        {"internal/record", "internal/source"},
	"ingest/cgu":          {"internal/source"},
	"ingest/mte":          {"internal/source"},
	"ingest/pgfn":         {"internal/registry", "internal/source"},
	"ingest/pncp":         {"internal/registry", "internal/source"},
	"ingest/receita":      {"internal/registry"},
	"internal/database":   {"internal/registry"},
	"internal/registry":   {"internal/contacts"},
	"internal/territory":  {"internal/slug"},
	"migrations":          {"internal/pglocal"},
	"internal/relevance": {
		"index", "index/build", "index/text", "ingest/receita", "internal/cnpj", "internal/record", "internal/sample", "internal/territory",
	},
	"internal/sample":    {"internal/cnpj", "internal/source"},
	"internal/messenger": {"internal/source"},
	"internal/metrics":   {"api", "internal/seal"},
	"internal/traces":    {"internal/web"},
}

// TestOnly lists the packages that every test may import. Of code, only these packages themselves
// may import one another.
var TestOnly = []string{
	"index/indextest", "ingest/fetch/fetchtest", "ingest/rows/rowstest", "internal/chaos", "internal/contract", "internal/fixture", "internal/fixture/sourcefiles", "internal/indexstore/storetest", "internal/mailtest",
	"internal/outline", "internal/pgtest", "site/page/pagetest",
}
