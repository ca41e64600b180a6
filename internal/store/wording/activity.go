package wording

import (
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
)

// Activity is a CNAE subclass with its description.
type Activity struct {
	Code, Text string // Code is punctuated: 1091-1/02
	URL        string // listing of companies with this main activity; "" for an unknown code
}

// ActivityOf describes a CNAE subclass of seven digits, which must not be "".
func ActivityOf(snap *snapshot.Snapshot, code string) Activity {
	text, known := snap.Describe(record.DomainCNAE, code)
	a := Activity{Code: ptbr.CNAE(code), Text: text}
	if known {
		a.URL = "/empresas?cnae=" + code
	}
	return a
}
