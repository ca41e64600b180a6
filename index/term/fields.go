package term

// Fields of a document in the index. The letters sort as the names of the fields do in Bleve, which is the order they must
// have in a segment.
const (
	FieldID      = '_' // 8 bytes, big endian: cnpj.Full
	FieldFilter  = 'f' // filter terms, see filterTerms
	FieldName    = 'n' // words of legal and trade name, and those they are short or long for
	FieldPrefix  = 'p' // first one to five letters of the words of n, active establishments only
	FieldSound   = 'q' // how words of n sound, where that is not how they are written: see text.Sound
	FieldPartner = 's' // words of the partners' names

	NumFields = 's' - FieldID + 1 // fields are told apart by their distance from the first
)

// MaxPrefixRunes is how many letters the longest term of FieldPrefix has.
const MaxPrefixRunes = 5

// Kinds of filter terms. A term of FieldFilter is its kind and a code; one without a code says that something is so.
const (
	MainCNAE          = "c" // activity as section, division, group, class and subclass: one term for each
	SecondaryCNAE     = "a" // the same of each secondary activity
	UF                = "u"
	UFSituacao        = "us" // UF and situação, of which listings are made most often
	Municipio         = "m"
	MunicipioSituacao = "ms"
	Pais              = "i"
	Situacao          = "s"
	Motivo            = "k" // of the situação
	Porte             = "p"
	Natureza          = "n"
	MEI               = "omei"
	Simples           = "osimples"
	HeadOffice        = "t"
	PartnerDigits     = "d"  // the six digits that a masked CPF shows
	PartnerCNPJ       = "j"  // fourteen positions
	PartnerKind       = "qt" // identificador of a partner
	PartnerRole       = "qq" // qualificação of a partner
	PartnerAge        = "qf" // age band of a partner
)

// Kinds of filter terms about how to reach an establishment: see IsContact. Individuals have none of them.
const (
	Bairro    = "b" // words as folded, a blank between
	CEPArea   = "E" // the first three digits, and the first five
	CEPEnd    = "e" // the last three: a term of all eight would be one of a million
	DDD       = "g"
	Telephone = "otel"
	Email     = "omail"
	Domain    = "h" // of the e-mail address
)

// MaxBairro is how many bytes of a bairro are told apart.
const MaxBairro = 100

// IsContact says whether a term of FieldFilter tells something that an establishment may have hidden on request.
func IsContact(text string) bool {
	switch text[:1] {
	case Bairro, CEPArea, CEPEnd, DDD, Domain:
		return true
	}
	return text == Telephone || text == Email
}

// Kinds of filter terms that are hashes of words: see Hash.
const (
	// PartnerWord is a word with weight of a partner's name, together with which of the partners that is: see PartnerHash.
	PartnerWord = 'v'
	// NamePair is two words with weight of a name that follow each other.
	NamePair = 'w'
	// WholeName is all words with weight of a name, in order. Legal and trade name share a field, so that all words of a query
	// being there does not make it one of the two names.
	WholeName = 'x'
)

// NameOfField returns a field's name in Bleve.
func NameOfField(letter byte) string {
	if letter == FieldID {
		return "_id"
	}
	return string(letter)
}
