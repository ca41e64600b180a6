package text

import "strings"

// Sound returns how a folded word sounds when a Brazilian reads it aloud, so that spellings that are heard alike are equal:
// luiz and luis, walter and valter, christina and kristina, otel and hotel. The form is written in capitals, which no
// folded word has: a form is its own form. Words of fewer than three letters or without a vowel (initials), and whatever is
// not of a–z alone (numbers, other scripts), are returned unchanged.
//
// Each letter or digraph becomes the letter of its sound: S and Z as heard (S in caça, Z in casa), K for the hard C and
// QU, J for the soft G, X for CH and SH. RR, LH and NH are sounds of their own; other doubled letters count once, but for
// vowels at the end (canaã). Vowels are never taken for each other. A folded word has lost its cedilla: see cedilla.
func Sound(word string) string {
	if !isSpoken(word) {
		return word
	}
	var raw [maxTokenBytes + 8]byte // a first S gains an E, X at the end is KS
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

// heard is a letter, doubled ones as one, and what is around it.
type heard struct {
	head                        string // the letters before it
	before, letter, after, then byte   // 0 outside of the word
	doubled                     bool
}

// hear returns what is at i, and where it ends.
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

// capitals are sliced for the letters that sound as they are written.
const capitals = "AABBCCDDEEFFGGHHIIJJKKLLMMNNOOPPQQRRSSTTUUVVWWXXYYZZ"

// sound returns the sound of a letter, and whether the letter after it is a part of it.
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

// isMute says whether a C or P is one of the old spelling before T: victor, baptista.
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
	return "N", false // M before other consonants and at the end as well
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
	return "S", false // Z and X as well, before a consonant
}

func isVowel(c byte) bool { return c == 'a' || c == 'o' || c == 'u' || isFront(c) }

// isFront says whether a C or G before the letter is soft.
func isFront(c byte) bool { return c == 'e' || c == 'i' || c == 'y' }

// cedilla returns where a folded word has a Ç that was written with its cedilla, -1 when nowhere. The tax authority
// publishes names without accents, so only common words tell: those of withCedilla, in singular and plural, and endings.
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

// hardC are the words in -cao that are spelled without a cedilla: facão, macacão.
var hardC = map[string]bool{"facao": true, "facoes": true, "macacao": true, "macacoes": true, "picao": true, "marcao": true, "sacao": true}

// withCedilla holds where the Ç is in common words of names.
var withCedilla = readCedillas(`
	aço açougue açougueiro açúcar açaí açaiteria açores açucareira aliança almoço autopeça avanço balança bagaço braço bragança
	cabeça caça caçador caçamba calça calçada calçadão calçado calçadista carroça cobrança colaço confiança criança cupuaçu dança
	doença esperança espaço endereço finança força frança fumaça gonçalo gonçalves graça herança lança lançamento laço licença
	liderança linguiça lourenço maçonaria maçônica marçal melaço mendonça moça moçambique mudança onça paçoca palhaço peça
	pescoço poço praça preço presença raça roça roçadeira segurança serviço suíça suíço terraço traço vizinhança
`)

func readCedillas(list string) map[string]int {
	out := make(map[string]int)
	for _, word := range strings.Fields(list) {
		before, _, _ := strings.Cut(word, "ç")
		out[Fold(word)] = len(Fold(before))
	}
	return out
}
