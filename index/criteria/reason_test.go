package criteria

import (
	"slices"
	"testing"

	"razao/index"
)

func TestEveryReasonHasItsWord(t *testing.T) {
	t.Parallel()
	words := Reasons()
	for why := index.WhyCNPJ; why <= index.WhyListed; why++ {
		if word := Reason(why); word == "" || slices.Index(words, word) != int(why) || (ReasonText(why) == "") != (why == index.WhyListed) {
			t.Errorf("reason %d: %q, %q", why, word, ReasonText(why))
		}
	}
	if len(words) != int(index.WhyListed)+1 {
		t.Errorf("%d words", len(words))
	}
}
