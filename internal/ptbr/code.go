package ptbr

import "razao/internal/cnpj"

// Phone writes (19) 3233-4455; numbers of an unusual length stay as published.
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

// CEP writes 13024-100.
func CEP(cep string) string { return punctuate(cep, 8, "-", 5) }

// CNAE writes 1091-1/02.
func CNAE(code string) string { return punctuate(punctuate(code, 7, "/", 5), 8, "-", 4) }

// Natureza writes 206-2.
func Natureza(code string) string { return punctuate(code, 4, "-", 3) }

// punctuate puts sep at position at of a code with the expected length; others stay as published.
func punctuate(code string, length int, sep string, at int) string {
	if len(code) != length {
		return code
	}
	return code[:at] + sep + code[at:]
}

// CNPJ masks the 14 positions of an establishment or the 8 of a company; other texts stay as they are.
func CNPJ(number string) string {
	if typed, ok := cnpj.Read(number); ok {
		return typed.Masked()
	}
	return number
}

// Document masks a CNPJ; what is none, such as a CPF that the tax authority has masked itself, stays as published.
func Document(document string) string {
	full, err := cnpj.ParseFull(document)
	if err != nil {
		return document
	}
	return full.Masked()
}
