package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"razao/cmd/razao/console"
	"razao/internal/store/proof"
)

// withheldCode is the exit code for a proof without rows: neither the same nor different.
const withheldCode = 3

// errWithheld is the error of a proof without rows. Nothing that is signed says who left them out.
var errWithheld = &exitError{errors.New(
	"nothing of the company is proved: the proof has no rows. The server withholds them when a contact is hidden on request; " +
		"whoever passed the file on may have taken them out, too, so ask the server yourself",
), withheldCode}

// verifyCommand checks a saved proof. It needs no database and no network.
func (a *app) verifyCommand() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "verify PROOF [ANSWER]", Short: "Check a saved answer of /v2/empresas/{raiz}/prova without a server", Args: arguments(cobra.RangeArgs(1, 2)),
		Long: "Checks the signature, and that the company is in the load, and prints the company. PROOF and ANSWER are files, one of them may be - for standard input.\n" +
			"With ANSWER, a saved answer of /v1/cnpj/{cnpj}, or of basic or full of the company or an establishment, also compares this with the rows, " +
			"member by member in both directions, and says which it has that no proof covers.\n" +
			"Exit codes: 0 proved, and the same; 1 not proved, or different; 3 the proof has no rows, so nothing of the company is proved.",
		RunE: func(cmd *cobra.Command, args []string) error {
			endAtOnce()
			v := verification{out: cmd.OutOrStdout()}
			if err := v.proof(cmd.InOrStdin(), args[0], key); err != nil {
				return err
			}
			if len(args) > 1 {
				if err := v.answer(cmd.InOrStdin(), args[1]); err != nil {
					return err
				}
			}
			return console.WriteJSON(v.out, v.rows.printed())
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the key that must have signed: that of any load of the server")
	return cmd
}

// verification says what is covered by a proof, what is not, and what is different.
type verification struct {
	out  io.Writer
	rows *provedRows
}

func (v *verification) say(what, format string, args ...any) {
	fmt.Fprintf(v.out, "%-12s%s\n", what, fmt.Sprintf(format, args...))
}

// proof reads and verifies a proof, under key unless this is "". The error is errWithheld if it has no rows.
func (v *verification) proof(in io.Reader, name, key string) error {
	value, err := readJSON(in, name)
	if err != nil {
		return err
	}
	a, err := proof.AnswerOf(value)
	if err != nil {
		return err
	}
	checked, err := a.Verify()
	if err != nil {
		return err
	}
	if key != "" && !proof.SameKey(key, a.Key) {
		return fmt.Errorf("the checkpoint is signed by another server: its key is %s", a.Key)
	}
	// Beside dados there is at most meta, and no more in it than the API puts there.
	body := value.(map[string]any)
	want := map[string]any{"dados": proof.Exemption{Takes: func(any) bool { return true }}}
	if body["meta"] != nil {
		want["meta"] = metaOf("prova", companyRecurso, a.Root)
	}
	if c := proof.Compare("", want, value); len(c.Different) > 0 {
		return fmt.Errorf("the proof says what is none: %s", c.Different[0].Path)
	}
	v.describe(a, checked, key != "")
	if !checked.Rows {
		return errWithheld
	}
	v.rows, err = decodeRows(checked.Root, a.Rows)
	return err
}

// readJSON reads a file, or in for "-".
func readJSON(in io.Reader, name string) (any, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	value, err := proof.ReadJSON(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return value, nil
}

// describe says what of the proof was checked.
func (v *verification) describe(a *proof.Answer, checked proof.Verification, keyGiven bool) {
	whose := "that of --key"
	if !keyGiven {
		whose = "taken from the answer itself: compare it with the page of the load, and give it with --key from now on"
	}
	v.say("signature", "valid; key %s (%s)", a.Key, whose)
	v.say("inclusion", "leaf %d of %d is in the tree of %s", a.Index, a.Size, checked.Origin)
	if checked.Rows {
		v.say("rows", "%d, with root %s and nonce they hash to the leaf", len(a.Rows), checked.Root)
	} else {
		v.say("rows", "withheld: a hash is in the load, and nothing proves whose it is, not even cnpj_basico")
	}
	v.say("not covered", "meta and aviso of the proof; which month the load is of: the page of the load says it")
	v.say("not covered", "whether what was loaded is true, and what the company is today")
}

// mostDifferences is how many differences are shown.
const mostDifferences = 20

// answer compares the rows with a saved answer.
func (v *verification) answer(in io.Reader, name string) error {
	answered, err := readJSON(in, name)
	if err != nil {
		return err
	}
	want, compared, err := v.rows.answer(answered)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c := proof.Compare("", want, answered)
	for _, d := range c.Different[:min(len(c.Different), mostDifferences)] {
		v.say("different", "%s: %s", console.Visible(d.Path), inWords(d))
	}
	if more := len(c.Different) - mostDifferences; more > 0 {
		v.say("different", "and %d more", more)
	}
	for _, path := range slices.Sorted(maps.Keys(c.Unproved)) {
		v.say("not covered", "%s: %s", console.Visible(path), c.Unproved[path])
	}
	if n := len(c.Different); n > 0 {
		where := "one place"
		if n > 1 {
			where = fmt.Sprintf("%d places", n)
		}
		if name == "-" {
			name = "the answer"
		}
		return fmt.Errorf("%s is different from the rows in %s; a contact hidden on request since then is a difference, too", name, where)
	}
	for _, part := range compared {
		v.say("covered", "%s", part)
	}
	v.say("answer", "the same as the rows in all that is covered, and says nothing else but what is listed as not covered")
	return nil
}

// inWords says what is different for people.
func inWords(d proof.Difference) string {
	switch {
	case d.Proved == "":
		return fmt.Sprintf("the answer has %s, and the rows have no such thing", excerpt(d.Answered))
	case d.Answered == "":
		return fmt.Sprintf("it is missing from the answer, and the rows have %s", excerpt(d.Proved))
	}
	return fmt.Sprintf("the answer has %s, the rows %s", excerpt(d.Answered), excerpt(d.Proved))
}

// excerpt returns the beginning of a JSON value for people.
func excerpt(text string) string {
	const longest = 100
	runes := []rune(console.Visible(text))
	switch {
	case text == "…":
		return "an object or a list"
	case len(runes) > longest:
		return string(runes[:longest]) + "…"
	}
	return string(runes)
}

// printed returns the company without the meanings of codes, which are not in its rows.
func (r *provedRows) printed() any {
	company := maps.Clone(r.company)
	company["socios"], company["simples"] = r.partners, r.simples
	return withoutMeanings(map[string]any{"empresa": company, "estabelecimentos": r.establishments})
}
