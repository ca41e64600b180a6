package term

import "strings"

// Sound returns a phonetic form of a folded word as read aloud in Brazil, so that spellings of one
// pronunciation are equal: luiz and luis, walter and valter, christina and kristina, otel and
// hotel. The form is in capitals, which folded words never have, so Sound is idempotent. A word of
// fewer than three letters, without a vowel (initials) or with anything beyond a–z is returned
// unchanged.
//
// Letters and digraphs map to the letter of their sound: S or Z as heard (S in caça, Z in casa), K
// for the hard C and QU, J for the soft G, X for CH and SH. RR, LH and NH are sounds of their own.
// Other doubled letters count once, except vowels at the end (canaã). Vowels are never merged.
// Folding has removed cedillas: the function cedilla restores the common ones.
func Sound(word string) string {
	if !isSpoken(word) {
		return word
	}
	var raw [maxTokenBytes + 8]byte // a leading S gains an E, and a final X is KS
	out := raw[:0]
	soft := cedilla(word)
	for i := 0; i < len(word); {
		h, end := hear(word, i)
		sound, digraph := h.sound()
		if end-1 == soft {
			sound = "S"
		}
		for j := range len(sound) {
			if n := len(out); n == 0 || out[n-1] != sound[j] || j > 0 {
				out = append(out, sound[j])
			}
		}
		i = end
		if digraph {
			i++
		}
	}
	return string(out)
}

// isSpoken reports whether a word can be pronounced: more than two letters a–z, at least one of
// them a vowel.
func isSpoken(word string) bool {
	vowel := false
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
		vowel = vowel || isVowel(word[i])
	}
	return vowel && len(word) > 2
}

// heard is a letter (a doubled one counts as one) in its context.
type heard struct {
	head                        string // letters before it
	before, letter, after, then byte   // 0 outside the word
	doubled                     bool
}

// hear returns the letter at i with its context, and the end of the letter.
func hear(word string, i int) (h heard, end int) {
	end = i + 1
	for end < len(word) && word[end] == word[i] {
		end++
	}
	h = heard{head: word[:i], letter: word[i], doubled: end > i+1}
	if i > 0 {
		h.before = word[i-1]
	}
	if end < len(word) {
		h.after = word[end]
	}
	if end+1 < len(word) {
		h.then = word[end+1]
	}
	return h, end
}

// capitals maps the letters that sound as they are written; doubled, so that a slice of one or two
// needs no allocation.
const capitals = "AABBCCDDEEFFGGHHIIJJKKLLMMNNOOPPQQRRSSTTUUVVWWXXYYZZ"

// sound returns the sound of a letter, and whether the next letter is part of it.
func (h heard) sound() (sound string, digraph bool) {
	switch h.letter {
	case 'h':
		return "", false
	case 'y':
		return "I", false
	case 'w':
		if isVowel(h.before) && !isVowel(h.after) {
			return "U", false // show, newton
		}
		return "V", false
	case 'r':
		if h.doubled && isVowel(h.before) && isVowel(h.after) {
			return "RR", false
		}
	case 'c':
		return h.soundOfC()
	case 'q':
		return "K", h.after == 'u' && isFront(h.then)
	case 'g':
		if isFront(h.after) {
			return "J", false
		}
		return "G", h.after == 'u' && isFront(h.then)
	case 'l', 'm', 'n':
		return h.soundOfNasalOrL()
	case 'p':
		switch {
		case h.after == 'h':
			return "F", true
		case h.isMute():
			return "", false
		}
	case 's', 'x', 'z':
		return h.soundOfSibilant()
	}
	i := 2 * (h.letter - 'a')
	if h.doubled && h.after == 0 && isVowel(h.letter) { // canaã, voo
		return capitals[i : i+2], false
	}
	return capitals[i : i+1], false
}

func (h heard) soundOfC() (sound string, digraph bool) {
	switch {
	case h.after == 'h' && isVowel(h.then) && !h.doubled:
		return "X", true
	case h.after == 'h': // christina, tech, zucchi
		return "K", true
	case isFront(h.after):
		return "S", false
	case h.isMute():
		return "", false
	}
	return "K", false
}

// isMute reports whether a C or P is silent, as in pre-reform spellings before T: victor, baptista.
func (h heard) isMute() bool { return h.after == 't' && isVowel(h.before) }

func (h heard) soundOfNasalOrL() (sound string, digraph bool) {
	palatal := h.after == 'h' && isVowel(h.then)
	switch {
	case h.letter == 'l' && palatal:
		return "LH", true
	case h.letter == 'l':
		return "L", false
	case h.letter == 'n' && palatal:
		return "NH", true
	case h.letter == 'm' && (isVowel(h.after) || h.after == 'n' || h.after == 'h'):
		return "M", false
	}
	return "N", false // also M before other consonants and at the end
}

func (h heard) soundOfSibilant() (sound string, digraph bool) {
	between := isVowel(h.before) && isVowel(h.after)
	switch {
	case h.letter == 's' && h.after == 'h':
		return "X", true
	case h.letter == 's' && h.after == 'c' && h.then == 'h': // schmidt
		return "X", false
	case h.letter == 's' && h.before == 0 && !isVowel(h.after) && !(h.after == 'c' && isFront(h.then)):
		return "ES", false // stilo
	case h.letter == 's' && between && !h.doubled,
		h.letter == 's' && isVowel(h.after) && h.head == "tran", // transito
		h.letter == 'x' && isVowel(h.after) && h.head == "e",    // exemplo
		h.letter == 'z' && isVowel(h.after):
		return "Z", false
	case h.letter == 'x' && h.after == 0:
		return "KS", false
	case h.letter == 'x' && isVowel(h.after):
		return "X", false
	}
	return "S", false // also Z and X before a consonant
}

func isVowel(c byte) bool { return c == 'a' || c == 'o' || c == 'u' || isFront(c) }

// isFront reports whether a vowel softens a C or G before it.
func isFront(c byte) bool { return c == 'e' || c == 'i' || c == 'y' }

// cedilla returns the index of the C that is a Ç in the accented spelling of a folded word, -1 for
// none. Names are published without accents, so this is a dictionary of common words (singular and
// plural) plus the endings -ção, -ções and -uaçu.
func cedilla(word string) int {
	if strings.LastIndexByte(word, 'c') < 1 {
		return -1
	}
	for _, form := range [...]string{word, strings.TrimSuffix(word, "s")} {
		if i, ok := withCedilla[form]; ok {
			return i
		}
	}
	for _, ending := range [...]string{"cao", "coes", "uacu"} { // construção, construções, iguaçu
		at := len(word) - len(ending)
		if at > 0 && strings.HasSuffix(word, ending) && word[at-1] != 'l' && !hardC[word] { // balcão, falcão
			return strings.LastIndexByte(word, 'c')
		}
	}
	return -1
}

// hardC lists words in -cao and -coes that have no cedilla: facão, macacão.
var hardC = map[string]bool{"facao": true, "facoes": true, "macacao": true, "macacoes": true, "picao": true, "marcao": true, "sacao": true}

// withCedilla maps common words of names to the byte index of their Ç.
var withCedilla = readCedillas(`
	aço açougue açougueiro açúcar açaí açaiteria açores açucareira aliança almoço autopeça avanço balança bagaço braço bragança
	cabeça caça caçador caçamba calça calçada calçadão calçado calçadista carroça cobrança colaço confiança criança cupuaçu dança
	doença esperança espaço endereço finança força frança fumaça gonçalo gonçalves graça herança lança lançamento laço licença
	liderança linguiça lourenço maçonaria maçônica marçal melaço mendonça moça moçambique mudança onça paçoca palhaço peça
	pescoço poço praça preço presença raça roça roçadeira segurança serviço suíça suíço terraço traço vizinhança
`)

// readCedillas folds a list of accented words.
func readCedillas(list string) map[string]int {
	out := make(map[string]int)
	for _, word := range strings.Fields(list) {
		before, _, _ := strings.Cut(word, "ç")
		out[Fold(word)] = len(Fold(before))
	}
	return out
}
