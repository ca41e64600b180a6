package console

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"razao/ingest"
	"razao/ingest/publisher"
	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/people/oauthserver"
	"razao/internal/store/registry"
)

// WriteLoads writes a table of loads in the given order.
func WriteLoads(out io.Writer, loads []registry.Load) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tSOURCE\tPERIOD\tSTATE\tSTARTED\tREAD\tLOADED\tDISCARDED\tREJECTED\tMB\tREASON")
	for _, l := range loads {
		state := string(l.State)
		if l.Active {
			state = "active"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\n", l.ID, l.Source, l.Period, state,
			l.StartedAt.Format(time.DateTime), l.RowsRead, l.RowsLoaded, l.RowsDiscarded, l.RowsRejected, l.StoreBytes>>20, l.Reason)
	}
	return w.Flush()
}

// WriteUnused writes what takes up space without being used, and how it is deleted. It writes
// nothing if there is nothing.
func WriteUnused(out io.Writer, unused []ingest.Unused) error {
	if len(unused) == 0 {
		return nil
	}
	fmt.Fprintln(out, "\nused by nothing; the next load deletes it, or `razao loads prune`:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, u := range unused {
		fmt.Fprintf(w, "  %s\t%s\t%d MB\n", u.Kind, u.Name, u.Bytes>>20)
	}
	return w.Flush()
}

// WriteOutcomes writes the outcome of `razao update` for each publisher. The state is the last
// column because it may be long.
func WriteOutcomes(out io.Writer, outcomes []publisher.Outcome) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SOURCE\tSERVED\tFOUND\tROWS\tSECONDS\tSTATE")
	for _, o := range outcomes {
		period, rows := "-", int64(0)
		if o.Served != nil {
			period, rows = o.Served.Period, o.Served.RowsLoaded
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.1f\t%s\n", o.Source, period, o.Found, rows, o.Took.Seconds(), o.State)
	}
	return w.Flush()
}

// WriteKeys writes a table of API keys. It shows their prefixes: only hashes of the keys are
// stored.
func WriteKeys(out io.Writer, keys []account.Key) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tACCOUNT\tNAME\tPREFIX\tSTATE\tLAST USE")
	for _, k := range keys {
		state, used := "active", "never"
		if k.RevokedAt != nil {
			state = "revoked"
		}
		if k.LastUsedAt != nil {
			used = k.LastUsedAt.Format(time.DateTime)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Email, k.Name, k.Prefix, state, used)
	}
	return w.Flush()
}

// WriteClients writes a table of OAuth clients.
func WriteClients(out io.Writer, clients []oauthserver.Client) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKNOWN BY\tNAME\tLAST USE\tREDIRECTS")
	for _, c := range clients {
		used := "never"
		if c.LastUsedAt != nil {
			used = c.LastUsedAt.Format(time.DateOnly)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.ID, c.Origin, c.Name, used, strings.Join(c.RedirectURIs, " "))
	}
	return w.Flush()
}

// WriteRequests writes a table of unanswered requests to hide a contact.
func WriteRequests(out io.Writer, open []contacts.Request) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tCNPJ\tSENT\tANSWER TO\tREASON")
	for _, r := range open {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", r.ID, r.CNPJ, r.CreatedAt.Format(time.DateTime), r.Email, r.Reason)
	}
	return w.Flush()
}

// WriteHidden writes a table of the establishments whose contact is hidden.
func WriteHidden(out io.Writer, hidden []contacts.Hidden) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CNPJ\tHIDDEN\tREASON")
	for _, h := range hidden {
		fmt.Fprintf(w, "%s\t%s\t%s\n", h.CNPJ, h.HiddenAt.Format(time.DateTime), h.Reason)
	}
	return w.Flush()
}
