package ptbr

// Lacking says what a month that was read without some of its files does not know; "" if it has all of them.
func Lacking(period, files string) string {
	if files == "" {
		return ""
	}
	return "A publicação de " + Period(period) + " foi lida sem " + files + ": o que não aparece pode existir, e as contagens são mínimas."
}
