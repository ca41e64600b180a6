package console

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"razao/ingest"
	"razao/ingest/publisher"
	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/people/oauthserver"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
)

// writeTable writes a heading and a line for each row, their cells separated by tabs, as a table. Control
// characters are shown: outcomes quote publishers, and clients name themselves.
func writeTable[R any](out io.Writer, heading string, rows []R, line func(*R) string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, heading)
	for i := range rows {
		cells := strings.Split(line(&rows[i]), "\t")
		for i := range cells {
			cells[i] = visible(cells[i])
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// WriteRows writes rows of cells as a table. Control characters are shown.
func WriteRows(out io.Writer, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, visible(cell))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// WriteLoads writes a table of loads in the given order.
func WriteLoads(out io.Writer, loads []registry.Load) error {
	return writeTable(out, "ID\tSOURCE\tPERIOD\tSTATE\tSTARTED\tREAD\tLOADED\tDISCARDED\tREJECTED\tMB\tREASON", loads, func(l *registry.Load) string {
		return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s", l.ID, l.Source, l.Period, state(l),
			l.StartedAt.Format(time.DateTime), l.RowsRead, l.RowsLoaded, l.RowsDiscarded, l.RowsRejected, l.StoreBytes>>20, visible(l.Reason))
	})
}

// state returns the state of a load, "active" for one in service.
func state(l *registry.Load) string {
	if l.Active {
		return "active"
	}
	return string(l.State)
}

// WriteHistory writes what each load of the history changed, the load announced last first, and the parts
// of it that were not compared.
func WriteHistory(out io.Writer, h *history.Chain) error {
	loads := slices.Clone(h.Loads)
	slices.Reverse(loads)
	return writeTable(out, "LOAD\tSOURCE\tPERIOD\tBEFORE\tTOLD\tCOMPANIES\tEVENTS\tNOT COMPARED", loads, func(l *history.Load) string {
		var events int64
		for _, n := range l.Events {
			events += n
		}
		var gaps []string
		for _, g := range l.Gaps {
			gaps = append(gaps, string(g.Part)+" ("+string(g.Why)+")")
		}
		return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%d\t%d\t%s", l.ID, l.Source, l.Period, cmp.Or(l.FormerPeriod, "-"),
			l.AnnouncedAt.Format(time.DateOnly), l.Companies, events, strings.Join(gaps, ", "))
	})
}

// WriteUnused writes what takes up space without being used, and how it is deleted. It writes
// nothing if there is nothing.
func WriteUnused(out io.Writer, unused []ingest.Leftover) error {
	if len(unused) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	return writeTable(out, "used by nothing; the next load deletes it, or `razao loads prune`:", unused, func(u *ingest.Leftover) string {
		return fmt.Sprintf("  %s\t%s\t%d MB", u.Kind, u.Name, u.Bytes>>20)
	})
}

// WriteOutcomes writes the outcome of `razao update` for each publisher. The state is the last
// column because it may be long.
func WriteOutcomes(out io.Writer, outcomes []publisher.Outcome) error {
	return writeTable(out, "SOURCE\tSERVED\tFOUND\tROWS\tSECONDS\tSTATE", outcomes, func(o *publisher.Outcome) string {
		period, rows := "-", int64(0)
		if o.Served != nil {
			period, rows = o.Served.Period, o.Served.RowsLoaded
		}
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%.1f\t%s", o.Source, period, o.Found, rows, o.Took.Seconds(), o.State)
	})
}

// WriteKeys writes a table of API keys. It shows their prefixes: only hashes of the keys are
// stored.
func WriteKeys(out io.Writer, keys []account.Key) error {
	return writeTable(out, "ID\tACCOUNT\tNAME\tPREFIX\tSTATE\tLAST USE", keys, func(k *account.Key) string {
		state := "active"
		if k.RevokedAt != nil {
			state = "revoked"
		}
		return fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s", k.ID, k.Email, k.Name, k.Prefix, state, used(k.LastUsedAt, time.DateTime))
	})
}

// WriteClients writes a table of OAuth clients.
func WriteClients(out io.Writer, clients []oauthserver.Client) error {
	return writeTable(out, "ID\tKNOWN BY\tNAME\tLAST USE\tREDIRECTS", clients, func(c *oauthserver.Client) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", c.ID, c.Origin, c.Name, used(c.LastUsedAt, time.DateOnly), strings.Join(c.RedirectURIs, " "))
	})
}

// used returns when something was last used, or that it never was.
func used(at *time.Time, layout string) string {
	if at == nil {
		return "never"
	}
	return at.Format(layout)
}

// WriteRequests writes a table of unanswered requests to hide a contact.
func WriteRequests(out io.Writer, open []contacts.Request) error {
	return writeTable(out, "ID\tCNPJ\tSENT\tANSWER TO\tREASON", open, func(r *contacts.Request) string {
		return fmt.Sprintf("%d\t%s\t%s\t%s\t%s", r.ID, r.CNPJ, r.CreatedAt.Format(time.DateTime), r.Email, r.Reason)
	})
}

// WriteHidden writes a table of the establishments whose contact is hidden.
func WriteHidden(out io.Writer, hidden []contacts.Hidden) error {
	return writeTable(out, "CNPJ\tHIDDEN\tREASON", hidden, func(h *contacts.Hidden) string {
		return fmt.Sprintf("%s\t%s\t%s", h.CNPJ, h.HiddenAt.Format(time.DateTime), h.Reason)
	})
}
