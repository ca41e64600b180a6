package site

import (
	"time"

	"razao/internal/ptbr"
	"razao/internal/registry"
)

// provenance says where the records of a page came from.
type provenance struct {
	registry.Provenance
	LoadedAt *time.Time
	Files    string // how many published files were read
	Missing  string // how many the load went without; "" when the release was complete
}

func provenanceOf(l *registry.Load) provenance {
	p := provenance{Provenance: l.Provenance, LoadedAt: l.FinishedAt, Files: ptbr.Count(len(l.Provenance.Arquivos))}
	if n := len(l.Provenance.Faltantes); n > 0 {
		p.Missing = ptbr.Count(n)
	}
	return p
}
