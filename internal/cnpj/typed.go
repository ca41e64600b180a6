package cnpj

// CountDigits returns how many digits a text of letters and digits has, false when there is anything else in it.
func CountDigits(text string) (digits int, ok bool) {
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case (r < 'A' || r > 'Z') && (r < 'a' || r > 'z'):
			return 0, false
		}
	}
	return digits, true
}

// Punctuate punctuates what has the length of a CNPJ or of a root, right or wrong, so that it can be compared with a paper.
func Punctuate(text string) string {
	switch len(text) {
	case 14:
		return text[:2] + "." + text[2:5] + "." + text[5:8] + "/" + text[8:12] + "-" + text[12:]
	case 8:
		return text[:2] + "." + text[2:5] + "." + text[5:]
	}
	return text
}
