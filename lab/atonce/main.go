// Command atonce finds the tests that do things at once: those that start a goroutine, themselves or through a function of
// their package's test files. make test runs them under the race detector. What a test is called does not matter, so a
// new one needs to be entered nowhere.
//
//	go run ./atonce [-also NAME,NAME...] FOLDER PACKAGE...
//
// It prints two lines: an expression for go test -run that matches these tests of the packages, and those by name, and
// the packages that have any. -also names tests whose product code alone starts goroutines, which is not looked at.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	also := flag.String("also", "", "names of further tests, with commas between them")
	flag.Parse()
	tests, in, err := find(flag.Arg(0), strings.Split(*also, ","), flag.Args()[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "atonce:", err)
		os.Exit(1)
	}
	fmt.Printf("^(%s)$\n%s\n", strings.Join(tests, "|"), strings.Join(in, " "))
}

// find returns the names of the tests, and the packages that have a test of one of these names: go test -run cannot tell
// equal names of two packages apart.
func find(dir string, also, patterns []string) (tests, in []string, err error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports |
		packages.NeedForTest
	all, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Tests: true}, patterns...)
	if err != nil {
		return nil, nil, err
	}
	found, packagesOf := map[string]bool{}, map[string][]string{}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, nil, fmt.Errorf("package %s: %w", p.ID, p.Errors[0])
		}
		if p.ForTest == "" { // the package without its tests
			continue
		}
		for test, starts := range testsOf(p) {
			found[test] = found[test] || starts
			packagesOf[test] = append(packagesOf[test], p.ForTest)
		}
	}
	for _, test := range also {
		if _, exists := found[test]; !exists && test != "" {
			return nil, nil, fmt.Errorf("no package has the test %s", test)
		}
		found[test] = true
	}
	for _, test := range slices.Sorted(maps.Keys(found)) {
		if found[test] && test != "" {
			tests, in = append(tests, test), append(in, packagesOf[test]...)
		}
	}
	slices.Sort(in)
	return tests, slices.Compact(in), nil
}

// testsOf returns the tests of a package, each with whether it starts a goroutine.
func testsOf(p *packages.Package) map[string]bool {
	uses := map[types.Object][]types.Object{} // functions of the test files, and what each refers to
	starts := map[types.Object]bool{}
	for _, file := range p.Syntax {
		if !strings.HasSuffix(p.Fset.File(file.FileStart).Name(), "_test.go") {
			continue
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok {
				of := p.TypesInfo.Defs[f.Name]
				uses[of], starts[of] = references(p.TypesInfo, f)
			}
		}
	}
	for more := true; more; {
		more = false
		for of, used := range uses {
			if !starts[of] && slices.ContainsFunc(used, func(o types.Object) bool { return starts[o] }) {
				starts[of], more = true, true
			}
		}
	}
	tests := map[string]bool{}
	for of := range uses {
		if strings.HasPrefix(of.Name(), "Test") && of.Name() != "TestMain" {
			tests[of.Name()] = starts[of]
		}
	}
	return tests
}

// references returns the functions that a function refers to, and whether it starts a goroutine: by a statement, or by
// a method Go, as those of sync.WaitGroup and errgroup.Group.
func references(info *types.Info, f *ast.FuncDecl) (used []types.Object, starts bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.Ident:
			if of, ok := info.Uses[n].(*types.Func); ok {
				used = append(used, of.Origin())
				starts = starts || of.Name() == "Go" && of.Signature().Recv() != nil
			}
		}
		return true
	})
	return used, starts
}
