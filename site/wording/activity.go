package wording

import (
	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
)

// Activity is a CNAE code and its description.
type Activity struct {
	Code, Text string
	URL        string // of the companies that have it as their main one; "" for a code that cannot be listed
}

// ActivityOf describes a CNAE subclass, which is not "".
func ActivityOf(snap *snapshot.Snapshot, code string) Activity {
	text, known := snap.Describe(record.DomainCNAE, code)
	a := Activity{Code: ptbr.CNAE(code), Text: text}
	if known {
		a.URL = "/empresas?cnae=" + code
	}
	return a
}
