package cadastre

import "razao/internal/sample/world"

// oddities holds the traps that replace the value of one column. The other traps are handled where
// they change more.
var oddities = map[world.Trap]struct{ column, text string }{
	world.UnknownQualification: {"qualificacao_responsavel", "36"},
	world.CapitalSentinel:      {"capital_social", "999999999999,00"},

	world.DateZero:            {"data_situacao_cadastral", "0"},
	world.DateZeros:           {"data_situacao_cadastral", "00000000"},
	world.DateSeven:           {"data_situacao_cadastral", "2021221"},
	world.UnknownReason:       {"motivo_situacao_cadastral", "32"},
	world.ZeroCountry:         {"pais", "0"},
	world.ShortCountry:        {"pais", "63"}, // 063, Argentina
	world.Brazil:              {"pais", "105"},
	world.DateMedieval:        {"data_inicio_atividade", "11940512"},
	world.NoActivity:          {"cnae_fiscal_principal", world.NotInformed},
	world.NoStreetType:        {"tipo_logradouro", ""},
	world.BackslashNumber:     {"numero", `S\N`},
	world.QuotedComplement:    {"complemento", `EDIF "BELA VISTA" SALA 3`},
	world.BrokenComplement:    {"complemento", "SALA 12\nFUNDOS"},
	world.BackslashComplement: {"complemento", `ANDAR 2\`},
	world.NoDistrict:          {"bairro", ""},
	world.ZeroCEP:             {"cep", "0"},
	world.BlankZeroCEP:        {"cep", "       0"},
	world.NoCEP:               {"cep", ""},
	world.ZeroDDD:             {"ddd_1", "0"},
	world.ZerosDDD:            {"ddd_1", "0000"},
	world.ZeroPhone:           {"telefone_1", "0"},
	world.ZerosPhone:          {"telefone_1", "00000000"},
	world.NinesPhone:          {"telefone_1", "99999999"},
}

// odd returns the text that a trap puts into a column, and whether it puts one there.
func odd(t world.Trap, column string) (string, bool) {
	if t == world.NoTrap {
		return "", false
	}
	o, ok := oddities[t]
	return o.text, ok && o.column == column
}

// oddOr returns the text that a trap puts into a column, else usual.
func oddOr(t world.Trap, column, usual string) string {
	if text, ok := odd(t, column); ok {
		return text
	}
	return usual
}
