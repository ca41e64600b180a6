// Package layers is the table of arrows between the drawers of this module: which may import from
// which. Its test parses the source files and compares them with the table in both directions: an
// import that has no arrow fails, and so does an arrow that nothing uses.
//
// A drawer is a folder with all packages below it, as far as these are not in a drawer of their own.
// Within a drawer packages import each other as they like; the compiler refuses cycles. Tests may
// import what they like. Packages in internal/testing, and those whose name ends in "test", support
// tests: no other code may import them.
package layers

// Arrows lists for each drawer the drawers that its code may import, from top to bottom: arrows only
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
