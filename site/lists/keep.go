package lists

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"time"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/spreadsheet"
	"razao/internal/store/dossier"
)

// keptList is an answer as it is kept: the list as it was brought and as it was read, and what was found by each line. What the records say
// of companies is read when it is shown, so that nothing is kept of them that has to be hidden; but for the figures that filters count.
type keptList struct {
	File     []byte
	Options  spreadsheet.Options // how it was read
	At       time.Time
	List     spreadsheet.List
	Lines    []keptLine
	Dossiers map[cnpj.Root]dossier.Dossier
}

type keptLine struct {
	spreadsheet.Number
	Outcome
}

// keep keeps an answer for an account and returns the token of its address.
func (hs *Handlers) keep(ctx context.Context, id account.ID, a *answer) (token string, err error) {
	content, err := a.encode()
	if err != nil {
		return "", err
	}
	return hs.kept.Keep(ctx, id, content)
}

func (a *answer) encode() ([]byte, error) {
	k := keptList{a.file, a.options, a.at, *a.List, make([]keptLine, len(a.Lines)), a.dossiers}
	k.Options.Places = nil
	for i := range a.Lines {
		k.Lines[i] = keptLine{a.Lines[i].Number, a.Lines[i].Outcome}
	}
	var content bytes.Buffer
	if err := gob.NewEncoder(&content).Encode(&k); err != nil {
		return nil, fmt.Errorf("encode a list: %w", err)
	}
	return content.Bytes(), nil
}

// open returns an answer that an account keeps, without what is read of its companies. The error is kept.ErrGone.
func (hs *Handlers) open(ctx context.Context, id account.ID, token string) (*answer, error) {
	content, until, err := hs.kept.Read(ctx, id, token)
	if err != nil {
		return nil, err
	}
	a, err := decode(content)
	if err != nil {
		return nil, err
	}
	a.until, a.token = until, token
	a.count()
	return a, nil
}

func decode(content []byte) (*answer, error) {
	var k keptList
	if err := gob.NewDecoder(bytes.NewReader(content)).Decode(&k); err != nil {
		return nil, fmt.Errorf("decode a list: %w", err)
	}
	a := &answer{List: &k.List, Lines: make([]line, len(k.Lines)), file: k.File, options: k.Options, at: k.At, dossiers: k.Dossiers}
	for i := range k.Lines {
		a.Lines[i] = line{Row: &a.Rows[i], Number: k.Lines[i].Number, Outcome: k.Lines[i].Outcome}
	}
	return a, nil
}
