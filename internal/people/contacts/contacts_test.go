package contacts_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/internal/data/cnpj"
	"razao/internal/people/contacts"
	"razao/internal/testing/pgtest"
)

// number returns the CNPJ of the head office of a root.
func number(t *testing.T, root string) cnpj.Full {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	return cnpj.Join(r, 1)
}

func TestContactsAreKept(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := contacts.NewStore(pgtest.Pool(t))
	first, second := number(t, "00000042"), number(t, "ZZZZZZZZ")
	for _, r := range []contacts.Request{
		{CNPJ: first, Email: "ana@exemplo.com"},
		{CNPJ: second, Email: "ana@exemplo.com", Reason: "moro aqui"},
		{CNPJ: first, Email: "Ana@exemplo.com", Reason: "é a minha casa"}, // asks again
		{CNPJ: first, Email: "rui@exemplo.com"},
	} {
		if err := s.Request(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	given := cmp.Options{
		cmpopts.IgnoreFields(contacts.Request{}, "ID", "CreatedAt"), cmpopts.IgnoreFields(contacts.Hidden{}, "HiddenAt"),
	}
	ofFirst := []contacts.Request{
		{CNPJ: first, Email: "ana@exemplo.com", Reason: "é a minha casa"}, {CNPJ: first, Email: "rui@exemplo.com"},
	}
	ofSecond := contacts.Request{CNPJ: second, Email: "ana@exemplo.com", Reason: "moro aqui"}
	open, err := s.Requests(ctx)
	if diff := cmp.Diff([]contacts.Request{ofFirst[0], ofSecond, ofFirst[1]}, open, given); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	for _, r := range []struct {
		contacts.Request
		want bool
	}{
		{contacts.Request{CNPJ: first, Email: "ANA@exemplo.com", Reason: "é a minha casa"}, true},
		{contacts.Request{CNPJ: first, Email: "ana@exemplo.com"}, false},
		{contacts.Request{CNPJ: first, Email: "eva@exemplo.com", Reason: "é a minha casa"}, false},
		{contacts.Request{CNPJ: second, Email: "rui@exemplo.com"}, false},
	} {
		if stored, err := s.Requested(ctx, r.Request); err != nil || stored != r.want {
			t.Errorf("%+v is stored: %t, %v", r.Request, stored, err)
		}
	}
	answered, err := s.Hide(ctx, first, "confirmed by mail")
	if diff := cmp.Diff(ofFirst, answered, given); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if answered, err := s.Hide(ctx, first, "confirmed"); err != nil || len(answered) > 0 {
		t.Errorf("hiding again: %v, %v", answered, err)
	}
	hidden, err := s.Hidden(ctx)
	if diff := cmp.Diff([]contacts.Hidden{{CNPJ: first, Reason: "confirmed"}}, hidden, given); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := s.Dismiss(ctx, open[1].ID); err != nil {
		t.Error(err)
	}
	if open, err := s.Requests(ctx); err != nil || len(open) > 0 {
		t.Errorf("left: %v, %v", open, err)
	}
	if err := s.Dismiss(ctx, open[1].ID); !errors.Is(err, contacts.ErrNoRequest) {
		t.Errorf("dismissing again: %v", err)
	}
	if err := s.Show(ctx, second); !errors.Is(err, contacts.ErrNotHidden) {
		t.Errorf("showing what is not hidden: %v", err)
	}
}
