package cnpj

// Typed is a text of the form of a CNPJ: without its mask it has 8 positions (company) or 14
// (establishment), all letters or digits. A word can have that form too: see MeansNumber.
type Typed struct {
	Text   string // without mask, upper case
	Digits int    // number of positions that are digits
}

// Read reads what a person typed as a CNPJ; ok is false if the text does not have the form of one.
// It does not check the check digits: ParseRoot and ParseFull do.
func Read(text string) (t Typed, ok bool) {
	t.Text = Unmask(text)
	for i := range len(t.Text) {
		switch c := t.Text[i]; {
		case c >= '0' && c <= '9':
			t.Digits++
		case c < 'A' || c > 'Z':
			return Typed{}, false
		}
	}
	return t, t.IsRoot() || t.IsFull()
}

// IsRoot reports whether the text has the 8 positions of a company.
func (t Typed) IsRoot() bool { return len(t.Text) == 8 }

// IsFull reports whether the text has the 14 positions of an establishment.
func (t Typed) IsFull() bool { return len(t.Text) == 14 }

// MeansNumber reports whether a number was probably meant and not a name: at least half of the
// positions are digits.
func (t Typed) MeansNumber() bool { return t.Digits >= len(t.Text)/2 }

// Masked returns the text as people write it, 12.345.678 or 12.345.678/0001-95, whether or not its
// check digits are right.
func (t Typed) Masked() string {
	s := t.Text
	if t.IsRoot() {
		return s[:2] + "." + s[2:5] + "." + s[5:]
	}
	return s[:2] + "." + s[2:5] + "." + s[5:8] + "/" + s[8:12] + "-" + s[12:]
}

// Mistyped reports whether a text is meant as the CNPJ of an establishment but has wrong check
// digits.
func Mistyped(text string) bool {
	typed, ok := Read(text)
	if !ok || !typed.IsFull() || !typed.MeansNumber() {
		return false
	}
	_, err := ParseFull(typed.Text)
	return err != nil
}
