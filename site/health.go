package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/ops/health"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// healthTime is the deadline for checking one part.
const healthTime = time.Second

// The states of the service and of its parts.
const (
	healthOK       = "ok"
	healthDegraded = "degradado"
	healthDown     = "indisponivel"
)

// healthBody is the answer of /health.
type healthBody struct {
	Status   string      `json:"status"`
	Version  string      `json:"versao"`
	Month    *string     `json:"competencia"` // of the Receita load; null without a snapshot
	Snapshot *string     `json:"fotografia"`  // null without a snapshot
	Parts    healthParts `json:"partes"`
}

type healthParts struct {
	Database string `json:"banco"`
	Index    string `json:"indice"`
}

// health answers /health. The status is 503 only if nothing can be served, that is without a
// snapshot, or without a database or replica if companies are read from it. A missing or failing
// index, and a database that fails beside a row cache, is 200 with status "degradado", because
// companies can still be looked up by CNPJ.
func (s *Site) health(c *gin.Context) {
	body := healthBody{Status: healthOK, Version: s.Version, Parts: healthParts{Database: healthOK, Index: healthOK}}
	ctx, cancel := context.WithTimeout(c.Request.Context(), 2*healthTime)
	defer cancel()
	if err := within(ctx, s.Ping); err != nil {
		web.EventOf(ctx).Fail(fmt.Errorf("database: %w", err))
		if body.Parts.Database = healthDown; errors.Is(err, health.ErrReadOnly) {
			body.Parts.Database = healthDegraded
		}
	}
	snap, err := s.Live.Acquire()
	if err != nil {
		web.EventOf(ctx).Fail(err)
		body.Parts.Index = healthDown
	} else {
		defer snap.Release()
		id := strconv.FormatInt(snap.ID(), 10)
		body.Month, body.Snapshot = &snap.Load.Period, &id
		if err := s.askIndex(ctx, snap); err != nil {
			web.EventOf(ctx).Fail(fmt.Errorf("index: %w", err))
			body.Parts.Index = healthDown
		} else if missing := snap.Unflagged(); len(missing) > 0 {
			web.EventOf(ctx).Fail(fmt.Errorf("index: no flags of %s", strings.Join(missing, ", ")))
			body.Parts.Index = healthDegraded
		}
	}
	var behind *snapshot.ReplicaError
	if err := s.Live.Trouble(); body.Parts.Database == healthOK && errors.As(err, &behind) {
		web.EventOf(ctx).Fail(err)
		if body.Parts.Database = healthDegraded; behind.InService {
			body.Parts.Database = healthDown
		}
	}
	var missing *snapshot.IndexError
	if err := s.Live.Trouble(); body.Parts.Index == healthOK && errors.As(err, &missing) {
		web.EventOf(ctx).Fail(err)
		body.Parts.Index = healthDegraded // the newest index is unusable; an earlier snapshot is served
	}
	status := http.StatusOK
	switch {
	case snap == nil || body.Parts.Database == healthDown && !snap.HasRowCache():
		body.Status, status = healthDown, http.StatusServiceUnavailable
	case body.Parts.Index != healthOK || body.Parts.Database != healthOK:
		body.Status = healthDegraded
	}
	s.pages.SendJSON(c, status, body, web.Caching{})
}

// within runs check with a deadline of healthTime.
func within(ctx context.Context, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	return check(ctx)
}

// busyIndex is how long after its last answer a timeout of the index still counts as a queue behind
// searches rather than as a failure.
const busyIndex = 30 * time.Second

// askIndex probes the index with a facet query for one CNPJ. It does not search, because search
// results are read from the database and an outage there would be blamed on the index. A timeout is
// no failure if the index answered within the last busyIndex: the probe may queue behind searches.
func (s *Site) askIndex(ctx context.Context, snap *snapshot.Snapshot) error {
	err := within(ctx, func(ctx context.Context) error {
		_, err := snap.Facets(ctx, index.Query{Text: "00000000000191"})
		return err
	})
	now := time.Now().UnixNano()
	if err == nil {
		s.answered.Store(now)
	}
	if errors.Is(err, context.DeadlineExceeded) && time.Duration(now-s.answered.Load()) < busyIndex {
		return nil
	}
	return err
}
