package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/spf13/cobra"

	"razao/internal/data/territory"
	"razao/internal/store/proof"
	"razao/internal/store/render"
)

// verifyCommand checks a saved proof. It needs no database and no network.
func (a *app) verifyCommand() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "verify PROOF [ANSWER]", Short: "Check a saved answer of /v2/empresas/{raiz}/prova without a server", Args: arguments(cobra.RangeArgs(1, 2)),
		Long: "Checks the signature, and that the company is in the load, and prints the company. PROOF is a file, or - for standard input. " +
			"With ANSWER, a saved answer of /v2/empresas/{raiz}/basic or full, also checks that this says the same.",
		RunE: func(cmd *cobra.Command, args []string) error {
			proved, err := readProof(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			v, err := proved.Verify()
			if err != nil {
				return err
			}
			if key != "" && !proof.SameKey(key, proved.Key) {
				return fmt.Errorf("the checkpoint is signed by another server: its key is %s", proved.Key)
			}
			out := cmd.OutOrStdout()
			describeProof(out, proved, v, key != "")
			if !v.Rows {
				if len(args) > 1 {
					return errors.New("the proof has no rows to compare the answer with")
				}
				return nil
			}
			company, err := companyJSON(proved, v)
			if err != nil {
				return err
			}
			if len(args) > 1 {
				if err := compareAnswer(out, company, args[1]); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(out, "%s\n", company)
			return err
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the key that must have signed: that of any load of the server")
	return cmd
}

// readProof reads a proof from a file, or from in for "-".
func readProof(in io.Reader, name string) (*proof.Answer, error) {
	if name == "-" {
		return proof.ReadAnswer(in)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return proof.ReadAnswer(file)
}

// describeProof says what was checked.
func describeProof(out io.Writer, a *proof.Answer, v proof.Verified, keyGiven bool) {
	whose := "that of --key"
	if !keyGiven {
		whose = "taken from the answer itself: compare it with the page of the load, and give it with --key from now on"
	}
	fmt.Fprintf(out, "signature  valid; key %s (%s)\n", a.Key, whose)
	fmt.Fprintf(out, "inclusion  leaf %d of %d is in the tree of %s\n", a.Index, a.Size, v.Origin)
	if v.Rows {
		fmt.Fprintf(out, "rows       %d, with root %s and nonce they hash to the leaf\n", len(a.Rows), v.Root)
	} else {
		fmt.Fprintln(out, "rows       withheld, as a contact is hidden on request: nothing proves whose the leaf is")
	}
}

// companyJSON renders the company in the form of the API, without the meanings of codes, which are not in
// its rows.
func companyJSON(a *proof.Answer, v proof.Verified) ([]byte, error) {
	c, err := proof.Decode(v.Root, a.Rows)
	if err != nil {
		return nil, fmt.Errorf("the rows are in the load, but of another version of the program: %w", err)
	}
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	r := render.New(nil, atlas.IBGE)
	dst := r.AppendCompany([]byte(`{"empresa":`), c.Root, &c.Company)
	dst = append(r.AppendPartners(append(dst, `,"socios":`...), c.AllPartners), `,"simples":`...)
	if c.HasSimples {
		dst = render.AppendSimples(dst, &c.Simples)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(r.AppendEstablishments(append(dst, `},"estabelecimentos":`...), c.AllEstablishments), '}')
	var plain map[string]any
	if err := decodeJSON(dst, &plain); err != nil {
		return nil, err
	}
	dropMeanings(plain)
	return json.MarshalIndent(plain, "", "  ")
}

// decodeJSON decodes with numbers as they are written.
func decodeJSON(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// dropMeanings removes the meanings of codes at any depth.
func dropMeanings(value any) {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "descricoes")
		for _, one := range v {
			dropMeanings(one)
		}
	case []any:
		for _, one := range v {
			dropMeanings(one)
		}
	}
}

// compareAnswer compares a company with a saved answer of /v2/empresas/{raiz}/basic or full, whose
// collections are first pages.
func compareAnswer(out io.Writer, company []byte, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var proved map[string]any
	var answer struct{ Dados map[string]any }
	if err := errors.Join(decodeJSON(company, &proved), decodeJSON(text, &answer)); err != nil {
		return fmt.Errorf("%s is no answer: %w", name, err)
	}
	dropMeanings(answer.Dados)
	mine, _ := proved["empresa"].(map[string]any)
	theirs, _ := answer.Dados["empresa"].(map[string]any)
	if theirs == nil {
		return fmt.Errorf("%s has no company: it is no answer of …/basic or …/full", name)
	}
	partners, err := compareItems("socios", mine["socios"], theirs["socios"])
	if err != nil {
		return err
	}
	establishments, err := compareItems("estabelecimentos", proved["estabelecimentos"], answer.Dados["estabelecimentos"])
	if err != nil {
		return err
	}
	for field, value := range mine {
		if field != "socios" && !reflect.DeepEqual(value, theirs[field]) {
			return fmt.Errorf("%s says %s: %v, the rows say %v", name, field, theirs[field], value)
		}
	}
	fmt.Fprintf(out, "answer     the same: the company, %s partners, %s establishments\n", partners, establishments)
	return nil
}

// compareItems compares all items with those of a first page, and returns how many were compared.
func compareItems(field string, all, page any) (compared string, err error) {
	whole, _ := all.([]any)
	collection, _ := page.(map[string]any)
	first, _ := collection["itens"].([]any)
	if len(first) > len(whole) || fmt.Sprint(collection["total"]) != fmt.Sprint(len(whole)) {
		return "", fmt.Errorf("the answer has %d of %v %s, the rows %d", len(first), collection["total"], field, len(whole))
	}
	for i := range first {
		if !reflect.DeepEqual(first[i], whole[i]) {
			return "", fmt.Errorf("item %d of %s differs: the answer says %v, the rows %v", i, field, first[i], whole[i])
		}
	}
	return fmt.Sprintf("%d of %d", len(first), len(whole)), nil
}
