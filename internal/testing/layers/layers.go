// Package layers is the table of allowed imports between the layers of this module. Its test parses the source files and compares them with the table in both directions: an
// import that the table lacks fails, and so does an entry that nothing uses.
//
// A layer is a folder with all packages below it, as far as these are not in a layer of their own.
// Within a layer packages import each other as they like; the compiler refuses cycles. Tests may
// import what they like. Packages in internal/testing, and those whose name ends in "test", support
// tests: no other code may import them.
package layers

// Arrows lists for each layer the layers that its code may import, from top to bottom: imports only
// point down. So api, site and internal/assist do not know each other, nor do index and
// internal/store/registry; what is above internal/store asks internal/store/snapshot, which knows both.
var Arrows = map[string][]string{
	"cmd": {
		"api", "site", "ingest", "index", "migrations", "internal/assist", "internal/ops", "internal/people", "internal/spreadsheet", "internal/store",
		"internal/store/registry", "internal/web", "internal/data", "internal/sample", "internal/recovery",
	},
	"api":                     {"index", "internal/people", "internal/store", "internal/store/registry", "internal/web", "internal/data"},
	"site":                    {"index", "internal/ops", "internal/people", "internal/spreadsheet", "internal/store", "internal/store/registry", "internal/web", "internal/data", "internal/recovery"},
	"internal/assist":         {"index", "internal/people", "internal/store", "internal/store/registry", "internal/web", "internal/data", "internal/recovery"},
	"internal/ops":            {"index", "internal/people", "internal/store", "internal/store/registry", "internal/web", "internal/data", "internal/recovery"},
	"ingest":                  {"index", "internal/store", "internal/store/registry", "internal/web", "internal/data"},
	"internal/people":         {"internal/store", "internal/web", "internal/data", "internal/recovery"},
	"internal/store":          {"index", "migrations", "internal/store/registry", "internal/web", "internal/data", "internal/recovery"},
	"internal/spreadsheet":    {"index", "internal/data"},
	"internal/store/registry": {"internal/data", "internal/recovery"},
	"index":                   {"internal/data", "internal/recovery"},
	"internal/web":            {"internal/recovery"},
	"internal/sample":         {"internal/data"},
	"internal/data":           {},
	"internal/recovery":       {},
	"migrations":              {},
	"internal/testing":        {},
}
