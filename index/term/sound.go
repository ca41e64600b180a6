package term

import (
	"slices"
	"strings"
)

// Sounds returns the ways in which Brazilians read a folded word aloud, nearly always one. Spellings
// of one pronunciation share a reading: luiz and luis, walter and valter, christina and kristina,
// otel and hotel. A word may be given with its cedillas ("assunção" as "assunçao"), which folding
// removes and names are published without: lostCedilla restores the common ones.
//
// Readings are in capitals, which folded words never have, and spelled as Portuguese most often spells
// their sounds, so that few words differ from their reading: see Written. A word of fewer than three
// letters, without a vowel (initials) or with anything beyond a–z is its own only reading.
//
// Vowels are not merged, as a rule: felipe and filipe, or carlos and carla, are two names.
func Sounds(word string) []string { return readings(word, false) }

// ByEar returns the readings of the words that somebody may mean who typed word by ear: beside its
// own, those of words whose S or R is doubled and theirs is not, or the other way round, and whose
// cedilla was left out. Ask for them last: written so, some words are others (casa is caça).
func ByEar(word string) []string { return readings(word, true) }

// rule is one way in which Brazilian names are spelled: how letters in a context are read.
type rule struct {
	// pattern is before(letters)after. Capitals in the context are classes: V a vowel, E one that
	// softens a C or G before it, C a consonant; ^ is the beginning of the word, $ its end. The
	// letters are lower case, and a letter that is written twice counts once: see fuse.
	pattern string
	sounds  string // readings, separated by blanks, - for none: S and Z as heard, K, J for the soft G, X for CH
	slips   string // further readings for Meant
	// examples have pairs of alike words, a=b, and of a typed word and the one meant by it, a>b.
	examples string

	before, letters, after string // the parts of pattern
	heard, meant           []string
}

// rules are tried in their order; the first that matches reads its letters. Letters without one are
// read as they are written.
var rules = [...]rule{
	// H is silent but in digraphs.
	{pattern: "(h)", sounds: "-", examples: "hotel=otel helena=elena thiago=tiago matheus=mateus deborah=debora jhonatan=jonatan dhiego=diego"},
	{pattern: "(ph)", sounds: "F", examples: "raphael=rafael pharmacia=farmacia"},
	{pattern: "(th)$", sounds: "TE", examples: "judith=judite elizabeth=elisabete"},
	{pattern: "V(t)$", sounds: "TE", examples: "elisabet=elizabeth"},

	// Y is I, W is V or the U of English.
	{pattern: "(y)", sounds: "I", examples: "yara=iara ruy=rui cynthia=cintia"},
	{pattern: "^(wa)sh", sounds: "VA UO", examples: "washington=uoxinton washington=vaxinton"},
	{pattern: "V(w)V", sounds: "V U", examples: "ewerton=everton kawan=cauan"},
	{pattern: "V(w)", sounds: "U", examples: "newton=neuton show=chou"},
	{pattern: "(wh)V", sounds: "V U", examples: "whinderson=uinderson"},
	{pattern: "(w)V", sounds: "V U", examples: "walter=valter wilson=uilson wilson=vilson edwiges=edviges"},
	{pattern: "(w)", sounds: "V", examples: "wladimir=vladimir"},

	// C, Ç, K, QU.
	{pattern: "(cch)", sounds: "K", examples: "zucchi=zuqui bacchi=baki"},
	{pattern: "^(ch)ia", sounds: "X K", examples: "chiara=quiara"},
	{pattern: "^(ch)V", sounds: "X", examples: "chaves=xaves"},
	{pattern: "(ch)ae", sounds: "X K", examples: "michael=mikael"},
	{pattern: "(ch)E", sounds: "X K", examples: "rachel=raquel bianchi=bianqui michele=mixele"},
	{pattern: "(ch)V", sounds: "X", examples: "machado=maxado"},
	{pattern: "V(ch)$", sounds: "KE", examples: "tech=teque"},
	{pattern: "(ch)", sounds: "K", examples: "christina=cristina"},
	{pattern: "(ç)", sounds: "S", slips: "K", examples: "assunçao=assunsao iguaçu=iguassu mondaça>mondaca"},
	{pattern: "(c)E", sounds: "S", examples: "celso=selso alice=alisse"},
	{pattern: "V(c)t", sounds: "-", examples: "victor=vitor"},
	{pattern: "V(c)$", sounds: "KE", examples: "isac=isaque eric=erique"},
	{pattern: "V(ck)$", sounds: "KE", examples: "erick=erique"},
	{pattern: "V(k)$", sounds: "KE", examples: "erik=eric"},
	{pattern: "(c)V", sounds: "K", slips: "S", examples: "carla=karla catia=katia acuncao>assuncao"},
	{pattern: "(c)", sounds: "K", examples: "jackson=jakson cleber=kleber"},
	{pattern: "(qu)E", sounds: "K", examples: "queli=kelly henrique=henrike"},
	{pattern: "(q)", sounds: "K", examples: "quaresma=cuaresma"},

	// G, J.
	{pattern: "n(g)t", sounds: "-", examples: "wellington=uelinton"},
	{pattern: "^i(g)n", sounds: "-", examples: "ignacio=inacio ignez=inez"},
	{pattern: "^(gi)ov", sounds: "JE", examples: "giovana=jeovana"},
	{pattern: "^(ji)ov", sounds: "JE", examples: "jiovana=geovana"},
	{pattern: "(gu)E", sounds: "G", examples: "guedes=ghedes"},
	{pattern: "(g)E", sounds: "J", examples: "geferson=jefferson"},

	// M before a consonant or at the end is N.
	{pattern: "(m)V", sounds: "M", examples: "emma=ema"},
	{pattern: "(m)n", sounds: "M", examples: "amneris=amnerys"},
	{pattern: "(mh)", sounds: "M", examples: "mhirela=mirella"},
	{pattern: "(m)", sounds: "N", examples: "campos=canpos bambu=banbu ailtom=ailton carmem=karmen"},
	{pattern: "(lh)V", sounds: "LH", examples: "carvalho=karvalho"},
	{pattern: "(nh)V", sounds: "NH", examples: "cunha=kunha"},

	// P is silent before T in old spellings.
	{pattern: "V(p)t", sounds: "-", examples: "baptista=batista"},
	{pattern: "m(p)t", sounds: "-", examples: "assumpta=assunta"},
	{pattern: "m(p)ç", sounds: "-", examples: "assumpçao=assunçao"},
	{pattern: "gar(d)$", sounds: "-", examples: "edgard=edgar"},

	// R and S between vowels differ from those written twice.
	{pattern: "V(rr)V", sounds: "RR", slips: "R", examples: "ferraz=pherraz marria>maria"},
	{pattern: "V(r)V", sounds: "R", slips: "RR", examples: "maria=mahria feraz>ferraz"},
	{pattern: "V(ss)E", sounds: "S", slips: "Z", examples: "messias=mecias rosse>rose"},
	{pattern: "V(ss)V", sounds: "S", slips: "Z K", examples: "assuncao=açunçao rossa>rosa mondassa>mondaca"},
	{pattern: "^(sch)i", sounds: "X ESK", examples: "schiavon=skiavon schiling=chiling"},
	{pattern: "(sch)i", sounds: "X SK", examples: "boschi=bosqui"},
	{pattern: "(sch)", sounds: "X", examples: "schmidt=shmidt"},
	{pattern: "(sh)", sounds: "X", examples: "sheila=cheila"},
	{pattern: "^(s)V", sounds: "S", examples: "silvia=cilvia"},
	{pattern: "^(sc)E", sounds: "S", examples: "sciani=siani"},
	{pattern: "^(s)", sounds: "ES", examples: "stela=estela"},
	{pattern: "^tran(s)V", sounds: "Z", examples: "transito=tranzito"},
	{pattern: "V(s)V", sounds: "Z", slips: "S", examples: "sousa=souza isabel=izabel asis>assis larisa>larissa"},
	{pattern: "(s)", sounds: "S", examples: "nascimento=nacimento"},

	// X and Z.
	{pattern: "^e(x)V", sounds: "Z", slips: "S", examples: "exemplo=ezemplo exelencia>excelencia"},
	{pattern: "(xs)V", sounds: "KS S", examples: "alexsandro=aleksandro alexsandro=alessandro"},
	{pattern: "(x)$", sounds: "KS", examples: "felix=feliks"},
	{pattern: "ai(x)V", sounds: "X", examples: "caixeta=caicheta"},
	{pattern: "ei(x)V", sounds: "X", examples: "teixeira=teicheira"},
	{pattern: "ou(x)V", sounds: "X", examples: "rouxinol=rouchinol"},
	{pattern: "^ma(x)i", sounds: "S KS", examples: "maximo=massimo maximiliano=maksimiliano"},
	{pattern: "^pro(x)i", sounds: "S", examples: "proximo=prossimo"},
	{pattern: "V(x)V", sounds: "X KS", slips: "S", examples: "alexandre=aleksandre alexandre=alechandre pexanha>pessanha"},
	{pattern: "(x)V", sounds: "X", examples: "xavier=chavier"},
	{pattern: "(x)w", sounds: "KS S", examples: "maxwell=macsuel"},
	{pattern: "(x)", sounds: "S", examples: "extra=estra"},
	{pattern: "C(tz)$", sounds: "S", examples: "schultz=schulz"},
	{pattern: "(z)V", sounds: "Z", examples: "cezar=cesar"},
	{pattern: "(z)", sounds: "S", examples: "luiz=luis thaiz=tais"},

	// Vowels that names write in two ways.
	{pattern: "man(o)el", sounds: "U", examples: "manoel=manuel emanoela=emanuela"},
	{pattern: "l(ou)rd", sounds: "U", examples: "lourdes=lurdes"},
	{pattern: "r(ae)s$", sounds: "AI", examples: "moraes=morais"},
	{pattern: "v(ae)s$", sounds: "AI", examples: "novaes=novais"},
	{pattern: "^ar(ea)$", sounds: "EA", examples: "area=area"},
	{pattern: "r(ea)$", sounds: "EIA", examples: "correa=correia andrea=andreia"},
	{pattern: "v(ea)$", sounds: "EIA", examples: "gouvea=gouveia"},
	{pattern: "(aa)$", sounds: "AA", examples: "canaa=kanaa"},
	{pattern: "(oo)$", sounds: "OO", examples: "voo=woo"},
}

// rulesOf are the rules by the first byte of their letters.
var rulesOf = sortRules()

func sortRules() (by [256][]*rule) {
	for i := range rules {
		r := &rules[i]
		before, rest, _ := strings.Cut(r.pattern, "(")
		letters, after, _ := strings.Cut(rest, ")")
		r.before, r.letters, r.after = before, bytesOf(letters), bytesOf(after)
		r.heard = strings.Fields(strings.ReplaceAll(r.sounds, "-", "")) // none for a silent letter
		r.meant = append(slices.Clip(r.heard), strings.Fields(r.slips)...)
		by[r.letters[0]] = append(by[r.letters[0]], r)
	}
	return by
}

// cedillaByte stands for Ç while a word is read, so that each letter is a byte.
const cedillaByte = 0xE7

func bytesOf(word string) string { return strings.ReplaceAll(word, "ç", string([]byte{cedillaByte})) }

// matches reports whether the rule reads the letters of a word at i.
func (r *rule) matches(word []byte, i int) bool {
	end := i + len(r.letters)
	if end > len(word) || string(word[i:end]) != r.letters {
		return false
	}
	for n := range len(r.before) {
		if !isOf(r.before[len(r.before)-1-n], word, i-1-n) {
			return false
		}
	}
	for n := range len(r.after) {
		if !isOf(r.after[n], word, end+n) {
			return false
		}
	}
	return true
}

// isOf reports whether the letter of a word at i is the one of a pattern, or of its class.
func isOf(class byte, word []byte, i int) bool {
	outside := i < 0 || i >= len(word)
	switch {
	case class == '^' || class == '$':
		return outside
	case outside:
		return false
	case class == 'V':
		return isVowel(word[i])
	case class == 'E':
		return isFront(word[i])
	case class == 'C':
		return !isVowel(word[i])
	}
	return word[i] == class
}

// maxReadings bounds the readings of a word: where they would be more, a letter is read in the first way.
const maxReadings = 8

// readings applies the rules to a word.
func readings(word string, slips bool) []string {
	if !isSpoken(word) {
		return []string{word}
	}
	var rawLetters, rawReading, rawSpelling [2 * maxTokenBytes]byte
	var rawSounds [maxTokenBytes][]string
	letters, sounds, n := fuse(rawLetters[:0], restoreCedilla(word)), rawSounds[:0], 1
	for i := 0; i < len(letters); {
		one, length := capitals[letters[i]], 1
		for _, r := range rulesOf[letters[i]] {
			if r.matches(letters, i) {
				if one, length = r.heard, len(r.letters); slips {
					one = r.meant
				}
				break
			}
		}
		if i += length; len(one) == 0 {
			continue
		}
		if n*len(one) > maxReadings {
			one = one[:1]
		}
		sounds, n = append(sounds, one), n*len(one)
	}
	all := make([]string, n)
	for i := range all {
		reading, choice := rawReading[:0], i
		for _, one := range sounds {
			reading = speak(reading, one[choice%len(one)])
			choice /= len(one)
		}
		all[i] = string(spell(rawSpelling[:0], reading))
	}
	return all
}

// spell appends a reading, which is in sounds, as Portuguese most often writes these: a word that is
// written so needs no reading in the index. Different readings stay different.
func spell(dst, sounds []byte) []byte {
	at := func(i int) byte {
		if i < 0 || i >= len(sounds) {
			return 0
		}
		return sounds[i] | 0x20 // lower case
	}
	for i, sound := range sounds {
		before, after := at(i-1), at(i+1)
		switch {
		case sound == 'K' && after == 's':
			continue // written with the S
		case sound == 'K' && isFront(after):
			dst = append(dst, "QU"...)
		case sound == 'K':
			dst = append(dst, 'C')
		case sound == 'S' && before == 'k':
			dst = append(dst, 'X')
		case sound == 'S' && i > 0 && isFront(after):
			dst = append(dst, 'C')
		case sound == 'S' && isVowel(before) && isVowel(after):
			dst = append(dst, "Ç"...)
		case sound == 'Z' && isVowel(before) && isVowel(after):
			dst = append(dst, 'S')
		case sound == 'J' && isFront(after):
			dst = append(dst, 'G')
		case sound == 'G' && isFront(after):
			dst = append(dst, "GU"...)
		case sound == 'X':
			dst = append(dst, "CH"...)
		case sound == 'N' && (after == 'p' || after == 'b'):
			dst = append(dst, 'M')
		default:
			dst = append(dst, sound)
		}
	}
	return dst
}

// Written returns the folded word that is written as a reading is.
func Written(reading string) string { return strings.ReplaceAll(strings.ToLower(reading), "ç", "c") }

// speak appends a sound to a reading. Two of the same, as C and K in jackson, are one.
func speak(reading []byte, sound string) []byte {
	if n := len(reading); n > 0 && reading[n-1] == sound[0] {
		sound = sound[1:]
	}
	return append(reading, sound...)
}

// capitals are the readings of the letters that are read as they are written.
var capitals = func() (out [256][]string) {
	for c := byte('a'); c <= 'z'; c++ {
		out[c] = []string{string(rune(c - 'a' + 'A'))}
	}
	return out
}()

// isSpoken reports whether a word can be pronounced: more than two letters a–z or ç, at least one of
// them a vowel.
func isSpoken(word string) bool {
	vowel, letters := false, 0
	for _, r := range word {
		if (r < 'a' || r > 'z') && r != 'ç' {
			return false
		}
		vowel = vowel || r < 'z' && isVowel(byte(r))
		letters++
	}
	return vowel && letters > 2
}

// fuse appends the letters of a word to dst, those in a row as one, but for two that the rules tell
// from one: R and S between vowels, C before H, vowels at the end (canaã).
func fuse(dst, word []byte) []byte {
	for i := 0; i < len(word); {
		c, end := word[i], i+1
		for end < len(word) && word[end] == c {
			end++
		}
		dst = append(dst, c)
		inside := i > 0 && end < len(word) && isVowel(word[i-1]) && isVowel(word[end])
		switch {
		case end == i+1:
		case (c == 'r' || c == 's') && inside, c == 'c' && end < len(word) && word[end] == 'h', (c == 'a' || c == 'o') && end == len(word):
			dst = append(dst, c)
		}
		i = end
	}
	return dst
}

func isVowel(c byte) bool { return c == 'a' || c == 'o' || c == 'u' || isFront(c) }

// isFront reports whether a vowel softens a C or G before it.
func isFront(c byte) bool { return c == 'e' || c == 'i' || c == 'y' }

// restoreCedilla returns the letters of a word, the C of a lost cedilla replaced.
func restoreCedilla(word string) []byte {
	letters := []byte(bytesOf(word))
	if i := lostCedilla(word); i > 0 {
		letters[i] = cedillaByte
	}
	return letters
}

// lostCedilla returns the index of the C that is a Ç in the accented spelling of a folded word, -1 for
// none. Names are published without accents, so this is a dictionary of common words (singular and
// plural) plus the endings -ção, -ções and -uaçu.
func lostCedilla(word string) int {
	if strings.LastIndexByte(word, 'c') < 1 || strings.Contains(word, "ç") {
		return -1
	}
	for _, form := range [...]string{word, strings.TrimSuffix(word, "s")} {
		if i, ok := withCedilla[form]; ok {
			return i
		}
	}
	for _, ending := range [...]string{"cao", "coes", "uacu", "peca", "pecas"} { // construção, construções, iguaçu, motopeça
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
	cabaça cabeça caça caçador caçamba caçapava cachaça caçula calça calçada calçadão calçado calçadista camaçari carroça cobrança
	colaço confiança criança cupuaçu dança doença eça esperança espaço endereço fogaça finança força frança fumaça garça gonçalo
	gonçalves graça herança juçara lança lançamento laço licença liderança linguiça lourenço maçonaria maçônica marçal melaço mendonça
	moça moçambique mudança munhoça onça ouriço paçoca palhaço peça peçanha pescoço poço praça preço presença proença raça roça
	roçadeira segurança serviço suíça suíço terraço traço valença vizinhança
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
