package reference

import (
	"testing"

	"razao/internal/data/profile"
)

func TestValueMoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind        profile.Kind
		class, want string
	}{
		{profile.Day, "2026", "do ano 2026"},
		{profile.Year, "2026", "do ano 2026"},
		{profile.Day, "?", "com o valor que não se lê"},
		{profile.Number, "3", "com 3 algarismos"},
		{profile.Number, "0", "com valor menor que 1"},
	} {
		if got := valueMoved(&profile.Declaration{Kind: c.kind}, c.class, nil); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.kind, c.class, got, c.want)
		}
	}
}
