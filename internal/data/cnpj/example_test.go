package cnpj_test

import (
	"errors"
	"fmt"

	"razao/internal/data/cnpj"
)

// Typed text is unmasked first; check digits are computed, not stored.
func ExampleParseFull() {
	full, err := cnpj.ParseFull(cnpj.Unmask("12.abc.345/01de-35"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(full, full.Masked())
	fmt.Println("company", full.Root(), "establishment", full.Order(), "check digits", full.CheckDigits())

	_, err = cnpj.ParseFull("12ABC34501DE36")
	fmt.Println(errors.Is(err, cnpj.ErrInvalid))
	// Output:
	// 12ABC34501DE35 12.ABC.345/01DE-35
	// company 12ABC345 establishment 01DE check digits 35
	// true
}

// A root and an order make a Full; head offices mostly have the order 0001.
func ExampleJoin() {
	root, err := cnpj.ParseRoot("12345678")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"0001", "00A4"} {
		order, err := cnpj.ParseOrder(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(cnpj.Join(root, order).Masked())
	}
	// Output:
	// 12.345.678/0001-95
	// 12.345.678/00A4-79
}

func ExampleRead() {
	for _, text := range []string{"12.345.678/0001-95", "12345678", "padarias", "padaria 8"} {
		typed, ok := cnpj.Read(text)
		fmt.Println(text, ok, ok && typed.MeansNumber())
	}
	// Output:
	// 12.345.678/0001-95 true true
	// 12345678 true true
	// padarias true false
	// padaria 8 true false
}
