package bndes

import (
	"strings"
	"testing"
)

func TestFolding(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, want string }{
		{"ROTA INVENTADA LTDA", "ROTA INVENTADA LTDA"},
		{"  Rota   Inventada  Ltda. ", "ROTA INVENTADA LTDA"},
		{"S/A", "S A"},
		{"S.A.", "S A"},
		{`CAFE D'AGUA "BOM" - COMERCIO,VAREJO`, "CAFE D AGUA BOM COMERCIO VAREJO"},
		{"AÇÚCAR PÃO É BOM", "ACUCAR PAO E BOM"},
		{"A & B (C) + D", "A & B (C) + D"},
		{"ROTA\u00a0LTDA", "ROTA LTDA"},
		{"ROTA LTDA ME", "ROTA LTDA ME"},
		{"-./", ""},
		{"", ""},
	}
	for _, c := range cases {
		if got := string(appendFolded(nil, c.name)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSplitClient(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("A", shortColumns)
	cases := []struct {
		client, name, root string
	}{
		{name + "(12345678)", name, "12345678"},
		{name + "(12ABC678)", name, "12ABC678"},
		{strings.Repeat("É", shortColumns) + "(12345678)", strings.Repeat("É", shortColumns), "12345678"},
		{name + "(1234567)", name + "(1234567)", ""},
		{name + "(1234.678)", name + "(1234.678)", ""},
		{name + "(12345678) ", name + "(12345678) ", ""},
		{name + "A(12345678)", name + "A(12345678)", ""},
		{name[1:] + "(12345678)", name[1:] + "(12345678)", ""},
		{"(12345678)", "(12345678)", ""},
		{"", "", ""},
	}
	for _, c := range cases {
		name, root, ok := splitClient(c.client)
		if name != c.name || ok != (c.root != "") || ok && root.String() != c.root {
			t.Errorf("%q: got %q, %s, %t", c.client, name, root, ok)
		}
	}
}

func TestFirstRunes(t *testing.T) {
	t.Parallel()
	cases := []struct {
		s    string
		n    int
		want string
	}{{"abc", 2, "ab"}, {"abc", 3, "abc"}, {"abc", 4, "abc"}, {"çãé", 2, "çã"}, {"", 2, ""}, {"abc", 0, ""}}
	for _, c := range cases {
		if got := firstRunes(c.s, c.n); got != c.want {
			t.Errorf("%q to %d: got %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
