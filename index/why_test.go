package index

import (
	"slices"
	"testing"
)

func TestEveryReasonHasItsWord(t *testing.T) {
	t.Parallel()
	words := Reasons()
	for why := WhyCNPJ; why <= WhyListed; why++ {
		if word := why.Word(); word == "" || slices.Index(words, word) != int(why) || (why.Text() == "") != (why == WhyListed) {
			t.Errorf("reason %d: %q, %q", why, word, why.Text())
		}
	}
	if len(words) != int(WhyListed)+1 {
		t.Errorf("%d words", len(words))
	}
}
