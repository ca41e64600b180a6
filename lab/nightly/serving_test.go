// Package nightly has what takes minutes: faults at random moments below load, after which every answer must be right; one dependency that is
// down, and what is answered then; the files of deploy/ as they are shipped; several servers on one PostgreSQL.
package nightly

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

func TestMain(m *testing.M) { built.Main(m) }

// serving is how a server answers somebody who searches and somebody who has a number.
type serving struct {
	search, record int // statuses
	health         string
}

var (
	wholly    = serving{200, 200, `"status":"ok"`}
	formerly  = serving{200, 200, `"partes":{"banco":"ok","indice":"degradado"}`}
	byNumbers = serving{503, 200, `"partes":{"banco":"ok","indice":"indisponivel"}`}
)

// observed asks a server. The health that is wanted is known when it is there.
func observed(p *program.Program, number string, wanted serving) serving {
	p.T.Helper()
	var got serving
	got.search, _ = p.Get("/busca?q=ltda", "")
	got.record, _ = p.Get("/"+number, "")
	status, health := p.Get("/health", "")
	if status != http.StatusOK {
		p.T.Errorf("health: %d %s", status, health)
	}
	got.health = health
	if strings.Contains(health, wanted.health) {
		got.health = wanted.health
	}
	return got
}

// is asks a server once.
func is(p *program.Program, when, number string, want serving) {
	p.T.Helper()
	if got := observed(p, number, want); got != want {
		p.T.Errorf("%s: %+v, want %+v", when, got, want)
	}
}

// becomes waits until a server that is not restarted answers so. Records are answered all the while.
func becomes(p *program.Program, when, number string, want serving) {
	p.T.Helper()
	fixture.Wait(p.T, when, func() bool {
		got := observed(p, number, want)
		if got.record != http.StatusOK {
			p.T.Fatalf("%s: %+v", when, got)
		}
		return got == want
	})
}
