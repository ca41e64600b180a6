// Package layers is the map of the program: which of its packages may import which. Its test reads the source files and
// holds the tree to the map, in both directions: an import that is not here fails, and so does a line here that nothing
// needs any more.
//
// Who adds a package adds one line to Code, in the change that creates it: the package's folder and the packages of this
// module that its code imports. That line is where its place in the house is decided. What only its tests import goes
// into Tests. Packages for tests that everybody's tests may use are in TestOnly and need no line in Tests.
package layers

// Code names, for every package, the packages of this module that its code imports. Arrows only point down: api and
// site do not know each other, nor do index and internal/registry; only cmd/razao sees everything.
var Code = map[string][]string{}

// Tests names, for a package, what its tests import beside what Code allows it and the packages of TestOnly.
var Tests = map[string][]string{}

// TestOnly names the packages that every test may import, and of code nothing but themselves.
var TestOnly = []string{"internal/pgtest", "internal/fixture", "internal/fixture/published", "internal/contract", "internal/mailtest", "internal/outline", "site/page/pagetest"}

// TestOnly names the packages that every test may import and no other code does.
