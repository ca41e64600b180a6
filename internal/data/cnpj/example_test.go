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
