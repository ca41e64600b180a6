package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/snapshot"
	"razao/internal/web"
)

// healthTime bounds the check of each part.
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
	Month    *string     `json:"competencia"` // null: nothing is served
	Snapshot *string     `json:"fotografia"`
	Parts    healthParts `json:"partes"`
}

type healthParts struct {
	Database string `json:"banco"`
	Index    string `json:"indice"`
}

// health answers /health. It is 503 only when nothing can be served: without records there is no page, while without
// the index companies are still found by their number.
func (s *Site) health(c *gin.Context) {
	body := healthBody{Status: healthOK, Version: s.Version, Parts: healthParts{Database: healthOK, Index: healthOK}}
	ctx, cancel := context.WithTimeout(c.Request.Context(), 2*healthTime)
	defer cancel()
	if err := within(ctx, s.Ping); err != nil {
		web.EventOf(ctx).Fail(fmt.Errorf("database: %w", err))
		body.Parts.Database = healthDown
	}
	snap, err := s.Live.Acquire()
	if err != nil {
		web.EventOf(ctx).Fail(err)
		body.Parts.Index = healthDown
	} else {
		defer snap.Release()
		id := snap.Fotografia()
		body.Month, body.Snapshot = &snap.Load.Period, &id
		if err := s.askIndex(ctx, snap); err != nil {
			web.EventOf(ctx).Fail(fmt.Errorf("index: %w", err))
			body.Parts.Index = healthDown
		} else if missing := snap.Unflagged(); len(missing) > 0 {
			web.EventOf(ctx).Fail(fmt.Errorf("index: no flags of %s", strings.Join(missing, ", ")))
			body.Parts.Index = healthDegraded
		}
	}
	var missing *snapshot.IndexError
	if err := s.Live.Trouble(); body.Parts.Index == healthOK && errors.As(err, &missing) {
		web.EventOf(ctx).Fail(err)
		body.Parts.Index = healthDegraded // of a former snapshot, because that of the newest cannot be used
	}
	status := http.StatusOK
	switch {
	case snap == nil || body.Parts.Database == healthDown:
		body.Status, status = healthDown, http.StatusServiceUnavailable
	case body.Parts.Index != healthOK:
		body.Status = healthDegraded
	}
	s.pages.SendJSON(c, status, body, web.Caching{})
}

func within(ctx context.Context, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	return check(ctx)
}

// busyIndex is how long an index may let a question wait, behind searches, before that means that it does not answer.
const busyIndex = 30 * time.Second

// askIndex counts what has a number. Looking it up would read its record, too, and a database that is down is not the index's
// trouble. Nor is it trouble when there are so many searches that the question does not get its turn.
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
