package main

import (
	"slices"
	"testing"
)

func TestParseOptions(t *testing.T) {
	t.Parallel()
	o, err := parseOptions([]string{"-roots", "5", "-conns", "8", "-only", "search,ingest"})
	if err != nil || o.load.Sources || !o.wants(partSearch) || !o.wants(partIngest) || o.wants(partLookup) || !slices.Equal(o.conns, []int{8}) {
		t.Errorf("options = %+v, %v", o, err)
	}
	if o, err = parseOptions([]string{"-only", "mcp"}); err != nil || !o.load.Sources || o.load.Published || o.wants(partIngest) {
		t.Errorf("options = %+v, %v", o, err)
	}
	if o, err = parseOptions([]string{"-only", "lookup,pages"}); err != nil || !o.load.Sources || !o.load.Published {
		t.Errorf("options = %+v, %v", o, err)
	}
	for _, args := range [][]string{{"-roots", "0"}, {"-conns", "1,x"}, {"-only", "all"}, {"-keep"}, {"more"}, {"-debts", "-1"}} {
		if _, err := parseOptions(args); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}
