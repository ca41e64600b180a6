package term

import (
	"strconv"
	"strings"
)

// numberWords has numbers in words that no street is named after: tens, and the numbers of English names.
var numberWords = readShortForms(`
	1 um uma primeira 1a one first 1st
	2 duas two segundo segunda 2o 2a second 2nd
	3 three terceiro terceira 3o 3a third 3rd
	4 four
	5 five
	6 six
	7 seven
	8 eight
	9 nine
	10 ten
	11 eleven
	12 twelve
	20 vinte twenty
	30 trinta thirty
	40 quarenta forty
	50 cinquenta fifty
	60 sessenta sixty
	70 setenta seventy
	80 oitenta eighty
	90 noventa ninety
`)

// Number returns what a folded word is worth as a number: one in digits, a Roman numeral of several letters, a
// number in Portuguese or English words (três, 1º, third). Words of which it may be a part, as those of twenty-one, have
// their own.
func Number(word string) (n int, ok bool) {
	if word == "" {
		return 0, false
	}
	if IsDigits(word, len(word)) {
		n, err := strconv.Atoi(word)
		return n, err == nil
	}
	digits := numberWords[word]
	if form := nameForms[word]; form != "" && form[0] <= '9' {
		digits = form
	}
	if n, err := strconv.Atoi(digits); err == nil {
		return n, true
	}
	return roman(word)
}

// roman returns the value of a Roman numeral below forty. One letter is an initial.
func roman(word string) (n int, ok bool) {
	tens := len(word) - len(strings.TrimLeft(word, "x"))
	if len(word) < 2 || tens > 3 {
		return 0, false
	}
	for units, letters := range [...]string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"} {
		if word[tens:] == letters {
			return 10*tens + units, true
		}
	}
	return 0, false
}
