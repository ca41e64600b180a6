package people

import (
	"testing"

	"razao/internal/people/account"
)

// TestCallsSayWithWhatTheyWereMade: pages of this site are no assistant's.
func TestCallsSayWithWhatTheyWereMade(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, version, want string }{
		{"ERP", "v2", "ERP"}, {"", "mcp", "assistente"}, {"", "site", "nenhuma: páginas deste site"},
	} {
		if got := (recentCall{account.Call{Version: c.version}, c.key}).By(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
