package pglocal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"razao/internal/store/memory"
)

// killedLine is what the postmaster logs about a child that SIGKILL ended. It then ends all sessions, whose
// clients see lost connections and lost locks.
const killedLine = "was terminated by signal 9"

// downLine is the last line of a server that was stopped.
const downLine = "database system is shut down"

// Explain puts before the error of a lost connection that a process of the server was killed since Open, and
// how much memory there is: the kernel ends the largest processes first when there is too little, and
// PostgreSQL's are among them. Other errors are returned as they are.
func (s *Server) Explain(err error) error {
	if !lost(err) {
		return err
	}
	// A connection ends with its process, and the postmaster notices moments later.
	if within(noticeTimeout/5, s.killed) {
		return fmt.Errorf("%s\n%w", s.scarce(), err)
	}
	return err
}

// lost reports whether err is that of a connection whose server has ended.
func lost(err error) bool {
	var connecting *pgconn.ConnectError
	return coming(err) ||
		pgconn.SafeToRetry(err) || // "conn closed", after the end has been read
		errors.As(err, &connecting) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// killed reports whether a process of the server was killed since Open, by the log, or the postmaster
// itself, which cannot say so.
func (s *Server) killed() bool {
	text := s.loggedSince()
	return bytes.Contains(text, []byte(killedLine)) || s.crashed.Load() || !s.cluster.alive() && !bytes.Contains(text, []byte(downLine))
}

// loggedSince returns what the server has logged since Open, or since the log was rotated.
func (s *Server) loggedSince() []byte {
	f, err := os.Open(s.cluster.logPath())
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	from := s.logStart
	if info, err := f.Stat(); err == nil && info.Size() < from {
		from = 0
	}
	text, _ := io.ReadAll(io.NewSectionReader(f, from, maxLog))
	return text
}

// scarce says that a process of PostgreSQL was killed, why, and what to do.
func (s *Server) scarce() string {
	by := "probably for lack of memory"
	if memory.Kills("/") > s.kills {
		by = "by the kernel, for lack of memory"
	}
	text := "a process of the private PostgreSQL was killed, " + by
	limit, byGroup := memory.Limit("/")
	switch {
	case byGroup:
		return fmt.Sprintf("%s: %d MB are the limit of the control group, for PostgreSQL and this program together; raise it (MemoryMax= of a unit, --memory of a container)",
			text, limit>>20)
	case limit > 0:
		return fmt.Sprintf("%s: the machine has %d MB; end other programs, or add memory or swap", text, limit>>20)
	}
	return text
}
