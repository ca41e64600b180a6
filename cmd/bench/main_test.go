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

func TestPeer(t *testing.T) {
	t.Parallel()
	if p, err := peer("", ""); err != nil || p.URL != nil {
		t.Errorf("without an address: %+v, %v", p, err)
	}
	if p, err := peer("http://127.0.0.1:8000/", "812,815"); err != nil || p.URL.Host != "127.0.0.1:8000" || !slices.Equal(p.PIDs, []int{812, 815}) {
		t.Errorf("%+v, %v", p, err)
	}
	for _, wrong := range [][2]string{{"127.0.0.1:8000", "1"}, {"http://127.0.0.1/", "1"}, {"http://127.0.0.1:8000/", ""}, {"http://127.0.0.1:8000/", "x"}} {
		if _, err := peer(wrong[0], wrong[1]); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
}
