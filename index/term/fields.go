package term

// Fields of a document in the index. A posting's key is the field's letter followed by the term; the letters sort as
// the names of the fields do, which is the order they must have in a segment.
const (
	FieldID      = '_' // 8 bytes, big endian: cnpj.Full
	FieldFilter  = 'f' // filter terms, see filterTerms
	FieldName    = 'n' // words of legal and trade name, and those they are short or long for
	FieldPrefix  = 'p' // first one to five letters of the words of n, active establishments only
	FieldPartner = 's' // words of the partners' names

	NumFields = 's' - FieldID + 1 // fields are told apart by their distance from the first
)

// MaxPrefixRunes is how many letters the longest term of fieldPrefix has.
const MaxPrefixRunes = 5

// NameOfField returns a field's name in Bleve.
func NameOfField(letter byte) string {
	if letter == FieldID {
		return "_id"
	}
	return string(letter)
}
