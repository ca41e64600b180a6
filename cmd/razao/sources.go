package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/registry"
	"razao/internal/source"
)

// sourceCommands are the subcommands of `razao ingest` for the public-record sources.
func (a *app) sourceCommands() []*cobra.Command {
	var commands []*cobra.Command
	for _, id := range ingest.SourceIDs() {
		src, _ := source.Find(id)
		commands = append(commands, a.ingestSourceCommand(id, src.Title))
	}
	return commands
}

func (a *app) ingestSourceCommand(id, title string) *cobra.Command {
	var from string
	var o ingest.SourceOptions
	cmd := &cobra.Command{
		Use:   id,
		Short: "Load " + title + " and serve it",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var loads []registry.Load
			err := a.withIngester(cmd.Context(), func(in *ingest.Ingester) (err error) {
				loads, err = a.loadSource(cmd.Context(), in, id, from, o)
				return err
			})
			if err := settled(cmd.OutOrStdout(), err); err != nil {
				return err
			}
			for i := range loads {
				describeSourceLoad(cmd.OutOrStdout(), &loads[i])
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "folder, file, zip or address to read (default: "+publishedBy(id)+")")
	f.StringVar(&o.Period, "period", "", periodHelp(id))
	f.BoolVar(&o.Force, "force", false, "accept fewer rows than the floors allow, an older period, or the same files again")
	return cmd
}

func periodHelp(id string) string {
	const help = "period of the data, over what names and contents say (AAAA-MM, AAAA-MM-DD or the source's label)"
	if id == pncpID {
		return help + "; without --from the months to fetch, AAAA-MM or AAAA-MM..AAAA-MM"
	}
	return help
}

func (a *app) ingestAllCommand() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "all",
		Short: "Load everything in a folder: receita/AAAA-MM and one folder for each source",
		Args:  arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from == "" {
				return usagef("--from is required: a folder such as `razao sample` writes")
			}
			return a.withIngester(cmd.Context(), func(in *ingest.Ingester) error {
				return loadAll(cmd.Context(), cmd.OutOrStdout(), in, from)
			})
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder to read from")
	return cmd
}

// loadAll loads what dir holds and is not served yet: the companies first, for some records are linked to them. A source
// that fails does not keep the others from being loaded.
func loadAll(ctx context.Context, out io.Writer, in *ingest.Ingester, dir string) error {
	found := 0
	var failed []error
	companies := filepath.Join(dir, registry.Receita)
	if isThere(companies) {
		found++
		rel, err := receita.Find(companies, "", false)
		if err != nil {
			return err
		}
		l, err := in.Receita(ctx, &rel, ingest.Options{})
		if err == nil {
			describeLoad(out, &l)
		}
		if err := settled(out, err); err != nil {
			return err
		}
	}
	for _, id := range ingest.SourceIDs() {
		from := filepath.Join(dir, id)
		if !isThere(from) {
			continue
		}
		found++
		loads, err := in.Source(ctx, id, from, ingest.SourceOptions{})
		if ctx.Err() != nil {
			return err
		}
		if err := settled(out, err); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", id, err))
			continue
		}
		for i := range loads {
			describeSourceLoad(out, &loads[i])
		}
	}
	if found == 0 {
		return fmt.Errorf("%s holds neither a folder receita nor one named after a source", dir)
	}
	return errors.Join(failed...)
}

// settled says which loads are current, and returns any other error.
func settled(out io.Writer, err error) error {
	var current *ingest.CurrentError
	if !errors.As(err, &current) {
		return err
	}
	for _, l := range current.Loads {
		fmt.Fprintf(out, "load %d: %s %s is already current\n", l.ID, l.Source, l.Period)
	}
	return nil
}

// isThere says whether there is something at path to load. What cannot be looked at is: its loader will say why.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// describeSourceLoad says what a load holds, for a person.
func describeSourceLoad(w io.Writer, l *registry.Load) {
	fmt.Fprintf(w, "load %d: %s %s is being served\n", l.ID, l.Source, l.Period)
	fmt.Fprintf(w, "  %d rows read, %d records of %d CNPJs, %d rows left out, %d rejected\n",
		l.RowsRead, l.Counts.Records, l.Counts.Owners, l.RowsDiscarded, l.RowsRejected)
	for _, rule := range slices.Sorted(maps.Keys(l.Counts.Discarded)) {
		fmt.Fprintf(w, "  left out, %s: %d\n", rule, l.Counts.Discarded[rule])
	}
	for _, note := range slices.Sorted(maps.Keys(l.Counts.Marked)) {
		fmt.Fprintf(w, "  %s: %d\n", note, l.Counts.Marked[note])
	}
	for _, note := range l.Provenance.Observacoes {
		fmt.Fprintf(w, "  %s\n", note)
	}
}
