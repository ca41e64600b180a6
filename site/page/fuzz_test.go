package page

import (
	"errors"
	"testing"
)

func FuzzParsePageNumber(f *testing.F) {
	f.Add("1")
	f.Add("-99999999999999999999")
	f.Add("２")
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParsePageNumber("query", "pagina", text)
		var refused *InvalidParameter
		if err != nil && (!errors.As(err, &refused) || refused.Msg == "") || err == nil && n < 1 {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	})
}
