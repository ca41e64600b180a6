package cnpj

// MaskCPFTail hides a natural person's number that ends a name, as the names of older individual entrepreneurs do:
// a run of exactly 11 digits (or the punctuated form) with valid CPF check digits becomes ***456789**, the form
// that the tax authority itself publishes. Other names are returned as they are.
func MaskCPFTail(name string) string {
	digits, start := trailingCPF(name)
	if start < 0 {
		return name
	}
	return name[:start] + "***" + string(digits[3:9]) + "**"
}

// trailingCPF returns the digits of a valid CPF at the end of s and where it starts, or -1.
func trailingCPF(s string) (digits [11]byte, start int) {
	if n := len(s); n >= 14 && s[n-3] == '-' && s[n-7] == '.' && s[n-11] == '.' {
		compact := s[n-14:n-11] + s[n-10:n-7] + s[n-6:n-3] + s[n-2:]
		if !endsInDigit(s[:n-14]) && validCPF(compact) {
			copy(digits[:], compact)
			return digits, n - 14
		}
	}
	n := len(s)
	if n < 11 || endsInDigit(s[:n-11]) || !validCPF(s[n-11:]) {
		return digits, -1
	}
	copy(digits[:], s[n-11:])
	return digits, n - 11
}

func endsInDigit(s string) bool {
	return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}

// validCPF says whether 11 bytes are digits with right check digits.
func validCPF(s string) bool {
	if len(s) != 11 {
		return false
	}
	var sum1, sum2 int
	for i := 0; i < 11; i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		v := int(s[i] - '0')
		if i < 9 {
			sum1 += v * (10 - i)
		}
		if i < 10 {
			sum2 += v * (11 - i)
		}
	}
	return checkDigit(sum1) == s[9] && checkDigit(sum2) == s[10]
}
