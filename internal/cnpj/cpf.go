package cnpj

// MaskCPFTail masks a CPF at the end of a name, where older individual entrepreneurs have one: a
// run of exactly 11 digits, or the form 123.456.789-09, with valid check digits becomes
// ***456789**, as the tax authority itself publishes CPF. Other names are returned unchanged.
func MaskCPFTail(name string) string {
	digits, start := trailingCPF(name)
	if start < 0 {
		return name
	}
	return name[:start] + "***" + string(digits[3:9]) + "**"
}

// trailingCPF returns the digits of a valid CPF at the end of s and the position where its text
// starts, or -1. A digit before it means that it is the end of a longer number.
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

// validCPF reports whether s is 11 digits with valid check digits (mod 11).
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
