package record

import "testing"

func TestImplausibleCapital(t *testing.T) {
	t.Parallel()
	for cents, want := range map[Cents]bool{
		NoCents: false, 0: false, 1: false,
		205_431_960_490_52:        false, // Petrobras
		999_999_999_99:            false, // nine nines: one of a thousand companies of a billion
		9_999_999_999_00:          true,
		9_999_999_999_99:          true,
		9_999_999_998_99:          false,
		10_000_000_000_00:         false,
		99_999_999_999_99:         true,
		499_999_999_999_99:        false,
		500_000_000_000_00:        true,
		999_999_999_999_00:        true,
		999_999_999_999_99:        true,
		1_000_000_000_000_00:      true,
		92_233_720_368_547_758_07: true,
	} {
		if got := ImplausibleCapital(cents); got != want {
			t.Errorf("ImplausibleCapital(%d) = %t, want %t", cents, got, want)
		}
	}
}
