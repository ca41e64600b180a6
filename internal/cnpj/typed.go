package cnpj

// Typed is a text that has the form of a CNPJ once its mask is taken away: nothing but letters and digits, 8 of a company or
// 14 of an establishment. Words may have so many letters, too.
type Typed struct {
	Text   string // without mask, upper case
	Digits int    // of the positions
}

// Read returns what a person typed as it would be read as a CNPJ; ok is false when it has not the form of one. Whether the
// check digits are right is for ParseRoot and ParseFull.
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

// IsRoot reports whether there are the 8 positions of a company.
func (t Typed) IsRoot() bool { return len(t.Text) == 8 }

// IsFull reports whether there are the 14 positions of an establishment.
func (t Typed) IsFull() bool { return len(t.Text) == 14 }

// MeansNumber reports whether a number was meant rather than a name: half of the positions at least are digits.
func (t Typed) MeansNumber() bool { return t.Digits >= len(t.Text)/2 }

// Masked returns the positions as people write them, whatever their check digits: 12.345.678/0001-95.
func (t Typed) Masked() string {
	s := t.Text
	if t.IsRoot() {
		return s[:2] + "." + s[2:5] + "." + s[5:]
	}
	return s[:2] + "." + s[2:5] + "." + s[5:8] + "/" + s[8:12] + "-" + s[12:]
}

// Mistyped reports whether a text is a CNPJ of an establishment but for its check digits.
func Mistyped(text string) bool {
	typed, ok := Read(text)
	if !ok || !typed.IsFull() || !typed.MeansNumber() {
		return false
	}
	_, err := ParseFull(typed.Text)
	return err != nil
}
