package ptbr

import "razao/internal/data/cnpj"

// Phone formats (19) 3233-4455. Numbers without 8 or 9 digits stay as published; without number it
// returns "".
func Phone(ddd, number string) string {
	if number == "" {
		return ""
	}
	if n := len(number); n == 8 || n == 9 {
		number = number[:n-4] + "-" + number[n-4:]
	}
	if ddd == "" {
		return number
	}
	return "(" + ddd + ") " + number
}

// CEP formats 13024-100.
func CEP(cep string) string { return punctuate(cep, 8, "-", 5) }

// CNAE formats a subclass: 1091-1/02.
func CNAE(code string) string { return punctuate(punctuate(code, 7, "/", 5), 8, "-", 4) }

// Natureza formats a legal nature: 206-2.
func Natureza(code string) string { return punctuate(code, 4, "-", 3) }

// punctuate inserts sep at a byte offset into a code of the expected length.
func punctuate(code string, length int, sep string, at int) string {
	if len(code) != length {
		return code
	}
	return code[:at] + sep + code[at:]
}

// CNPJ formats a CNPJ of 14 positions or a root of 8 with punctuation. Check digits are not
// verified.
func CNPJ(number string) string {
	if typed, ok := cnpj.Read(number); ok {
		return typed.Masked()
	}
	return number
}

// Document formats a CNPJ with valid check digits. Anything else stays as published, such as a CPF,
// which the tax authority publishes masked.
func Document(document string) string {
	full, err := cnpj.ParseFull(document)
	if err != nil {
		return document
	}
	return full.Masked()
}
