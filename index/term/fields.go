package term

// Fields of a document in the index. The letters sort as the names of the fields do in Bleve, the
// order that a zap segment requires of its fields.
const (
	FieldID      = '_' // 8 bytes, big endian: cnpj.Full
	FieldFilter  = 'f' // filter terms: a kind and a code
	FieldName    = 'n' // words of both names, with their abbreviations: see AlsoIndexed
	FieldPrefix  = 'p' // first one to MaxPrefixRunes letters of the words of n, active establishments only
	FieldSound   = 'q' // readings of the words of n that differ from the spelling: see Sounds
	FieldPartner = 's' // words of the partners' names, and their readings, which are in capitals

	NumFields = 's' - FieldID + 1 // size of an array indexed by letter - FieldID
)

// MaxPrefixRunes is the length in runes of the longest term of FieldPrefix. Longer prefixes
// enumerate the terms of FieldName.
const MaxPrefixRunes = 5

// Kinds of filter terms. A term of FieldFilter is its kind followed by a code; a kind without a
// code ("omei", "osimples", "t") is a flag.
const (
	MainCNAE          = "c" // activity: one term each for section, division, group, class and subclass
	SecondaryCNAE     = "a" // the same for every secondary activity
	UF                = "u"
	UFSituacao        = "us" // UF and situação, the most frequent listings
	Municipio         = "m"
	MunicipioSituacao = "ms"
	Pais              = "i"
	Situacao          = "s"
	Motivo            = "k" // reason (motivo) of the situação
	Porte             = "p"
	Natureza          = "n"
	MEI               = "omei"
	Simples           = "osimples"
	HeadOffice        = "t"  // flag of head offices
	PartnerDigits     = "d"  // the six digits that a masked CPF leaves visible
	PartnerCNPJ       = "j"  // 14 positions
	PartnerKind       = "qt" // identificador of a partner, one digit
	PartnerRole       = "qq" // qualificação of a partner, two digits
	PartnerAge        = "qf" // age band of a partner, one digit
)

// Kinds of filter terms about the contact of an establishment, which may be hidden on request: see
// IsContact. Natural persons in business have none of them.
const (
	Bairro    = "b" // folded words, separated by blanks
	CEPArea   = "E" // the first three digits, and the first five
	CEPEnd    = "e" // the last three digits: whole CEPs would be a million terms
	DDD       = "g"
	Telephone = "otel"
	Email     = "omail"
	Domain    = "h" // of the e-mail address
	// Codes of package term: see PhoneCode, EmailCode, StreetCode and HouseNumberCode.
	PhoneNumber  = "y" // one term each for both telephones
	EmailAddress = "l" // the whole address: mailboxes are in no other term
	Street       = "r"
	HouseNumber  = "z"
)

// MaxBairro is the number of bytes at which the folded name of a bairro is cut, in terms and in
// queries alike.
const MaxBairro = 100

// IsContact reports whether a term of FieldFilter reveals a contact that an establishment may have
// hidden on request. It panics on an empty text.
func IsContact(text string) bool {
	switch text[:1] {
	case Bairro, CEPArea, CEPEnd, DDD, Domain, PhoneNumber, EmailAddress, Street, HouseNumber:
		return true
	}
	return text == Telephone || text == Email
}

// Kinds of filter terms whose code is a Hash of words. They are consecutive letters: see HashSlot.
const (
	// PartnerWord is a significant word of a partner's name together with the slot of that partner:
	// see PartnerHash.
	PartnerWord = 'v'
	// NamePair is two adjacent significant words of a name, so that a phrase is a conjunction of
	// pairs.
	NamePair = 'w'
	// WholeName is all significant words of one name, in order. Legal and trade name share a field,
	// so a document that has all words of a query need not have them in one name.
	WholeName = 'x'
)

// NameOfField returns the name that a field has in Bleve.
func NameOfField(letter byte) string {
	if letter == FieldID {
		return "_id"
	}
	return string(letter)
}
