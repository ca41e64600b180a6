package record

import "testing"

func TestCNAE(t *testing.T) {
	t.Parallel()
	names, err := LoadCNAE()
	if err != nil {
		t.Fatal(err)
	}
	levels := map[int]int{}
	for code, name := range names {
		levels[len(code)]++
		if name == "" || !names.Has(code) {
			t.Errorf("%s %q is not of a division", code, name)
		}
	}
	if levels[1] != 21 || levels[2] != 87 || levels[7] != 1358 || len(levels) != 3 {
		t.Errorf("codes of each length: %v", levels)
	}
	for code, want := range map[string]bool{
		"": false, "G": true, "Z": false, "47": true, "04": false, "472": true, "4721": false, "47x": false, "4721102": true,
	} {
		if names.Has(code) != want {
			t.Errorf("Has(%q) = %t", code, !want)
		}
	}
}
