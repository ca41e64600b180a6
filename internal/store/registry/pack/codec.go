// Package pack is the codec of the record store: it packs the records of a company, and the records
// that a public-record source has of it, into rows (root, seq, doc) of PostgreSQL, and reads them
// back. It knows no SQL.
//
// Writing appends rows in PostgreSQL's binary COPY format: [AppendRows] for the company registry,
// [AppendItemRows] for a source. Row 0 of a root is its head and holds the first chunk; further
// chunks are rows of their own, so a page reads the head and at most the chunks it shows. The
// formats are described at [Version] (company registry) and in item.go (sources). Both begin with a version
// byte.
//
// Reading copies nothing: texts share memory with the row, which must not be changed while they are
// used, and cursors decode one record at a time. The same input always gives the same rows, because
// loads are compared byte by byte.
//
// Rows may be damaged. Every length and number is checked against the bytes that are left, so
// decoding ends with [ErrCorrupt] and neither panics nor allocates by a number from the row; fuzz
// tests hold that.
package pack

import (
	"encoding/binary"
	"errors"
	"slices"
	"unsafe"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// The packed form of the company registry. Integers are unsigned varints (LEB128). A text is its length in
// bytes, then its UTF-8 bytes. Cents are stored as the amount plus one, 0 for absent; a Date as its
// number.
//
//	company       texts razao_social, natureza_juridica, qualificacao_responsavel, porte_empresa,
//	              ente_federativo_responsavel; capital_social
//	simples       one byte: simples flag, MEI flag << 2; four dates
//	partner       length of the rest; data_entrada_sociedade; nine texts
//	establishment length of the rest; order; three dates; 24 texts
//
//	head (seq 0)  version byte; presence byte (1 company, 2 simples); number of establishments;
//	              number of partners; company; simples; length in bytes of the partners that follow;
//	              the first ChunkItems partners; first order of every further establishment chunk;
//	              the first ChunkItems establishments
//	chunk         version byte; up to ChunkItems items of one kind
//
// Establishment chunks have seq 1, 2, …, partner chunks -1, -2, …. Establishments are in CNPJ
// order, so the first orders in the head tell which chunk holds one.
const (
	// Version is the version of the packed form, the first byte of every row. DecodeHead refuses
	// others.
	Version = 1
	// ChunkItems is the number of establishments, or partners, in a full chunk.
	ChunkItems = 50

	hasCompany = 1
	hasSimples = 2
)

// ErrCorrupt means that a stored row does not decode: it is damaged or of another version.
var ErrCorrupt = errors.New("stored record does not decode")

func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// AppendCompany appends the packed form of c to dst.
func AppendCompany(dst []byte, c *record.Company) []byte {
	dst = appendText(dst, c.RazaoSocial)
	dst = appendText(dst, c.NaturezaJuridica)
	dst = appendText(dst, c.QualificacaoResponsavel)
	dst = appendText(dst, c.PorteEmpresa)
	dst = appendText(dst, c.EnteFederativoResponsavel)
	return binary.AppendUvarint(dst, uint64(c.CapitalSocial+1))
}

// AppendSimples appends the packed form of s to dst.
func AppendSimples(dst []byte, s *record.Simples) []byte {
	dst = append(dst, byte(s.OpcaoPeloSimples)|byte(s.OpcaoPeloMEI)<<2)
	dst = binary.AppendUvarint(dst, uint64(s.DataOpcaoPeloSimples))
	dst = binary.AppendUvarint(dst, uint64(s.DataExclusaoSimples))
	dst = binary.AppendUvarint(dst, uint64(s.DataOpcaoPeloMEI))
	return binary.AppendUvarint(dst, uint64(s.DataExclusaoMEI))
}

// AppendPartner appends the packed form of p to dst.
func AppendPartner(dst []byte, p *record.Partner) []byte {
	dst, start := openItem(dst)
	dst = binary.AppendUvarint(dst, uint64(p.DataEntradaSociedade))
	for _, s := range partnerTexts(p) {
		dst = appendText(dst, *s)
	}
	return closeItem(dst, start)
}

// AppendEstablishment appends the packed form of e to dst, without the root of its CNPJ, which is
// that of the row.
func AppendEstablishment(dst []byte, e *record.Establishment) []byte {
	dst, start := openItem(dst)
	dst = binary.AppendUvarint(dst, uint64(e.CNPJ.Order()))
	dst = binary.AppendUvarint(dst, uint64(e.DataSituacaoCadastral))
	dst = binary.AppendUvarint(dst, uint64(e.DataInicioAtividade))
	dst = binary.AppendUvarint(dst, uint64(e.DataSituacaoEspecial))
	for _, s := range establishmentTexts(e) {
		dst = appendText(dst, *s)
	}
	return closeItem(dst, start)
}

// partnerTexts returns the texts of a partner in packed order. Packing and reading both use it.
func partnerTexts(p *record.Partner) [9]*string {
	return [9]*string{
		&p.IdentificadorSocio, &p.NomeSocio, &p.CNPJCPFSocio, &p.QualificacaoSocio, &p.Pais, &p.RepresentanteLegal,
		&p.NomeRepresentante, &p.QualificacaoRepresentanteLegal, &p.FaixaEtaria,
	}
}

// establishmentTexts returns the texts of an establishment in packed order. Packing and reading
// both use it.
func establishmentTexts(e *record.Establishment) [24]*string {
	return [24]*string{
		&e.IdentificadorMatrizFilial, &e.NomeFantasia, &e.SituacaoCadastral, &e.MotivoSituacaoCadastral,
		&e.NomeCidadeExterior, &e.Pais, &e.CNAEFiscalPrincipal, &e.CNAEFiscalSecundaria, &e.TipoLogradouro,
		&e.Logradouro, &e.Numero, &e.Complemento, &e.Bairro, &e.CEP, &e.UF, &e.Municipio, &e.DDD1, &e.Telefone1,
		&e.DDD2, &e.Telefone2, &e.DDDFax, &e.Fax, &e.CorreioEletronico, &e.SituacaoEspecial,
	}
}

// openItem reserves room for the length of an item, the longest varint of 32 bits.
func openItem(dst []byte) (_ []byte, start int) {
	start = len(dst)
	return append(dst, 0, 0, 0, 0, 0), start
}

// closeItem writes the length of the item that openItem began and moves the item up against it.
func closeItem(dst []byte, start int) []byte {
	const room = 5
	size := len(dst) - start - room
	n := binary.PutUvarint(dst[start:start+room], uint64(size))
	copy(dst[start+n:], dst[start+room:])
	return dst[:start+n+size]
}

// reader walks packed bytes. After a fault bad is set and nothing is left, so every further read
// returns zero and callers check bad once, at the end.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) fail() {
	r.rest, r.bad = nil, true
}

// uvarint reads a varint. Most are one byte, which takes the short path.
func (r *reader) uvarint() uint64 {
	if len(r.rest) > 0 && r.rest[0] < 0x80 {
		v := r.rest[0]
		r.rest = r.rest[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.fail()
		return 0
	}
	v := r.rest[0]
	r.rest = r.rest[1:]
	return v
}

// bytes returns the next n bytes, without copying them.
func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	v := r.rest[:n]
	r.rest = r.rest[n:]
	return v
}

// text returns the next text without copying it. The string shares memory with the row, which
// nobody changes.
func (r *reader) text() string {
	b := r.bytes(r.uvarint())
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// skipTexts skips the next n texts. Most are shorter than 128 bytes, which takes the short path.
func (r *reader) skipTexts(n int) {
	rest := r.rest
	for ; n > 0; n-- {
		if len(rest) > 0 && int(rest[0]) < min(len(rest), 0x80) {
			rest = rest[1+int(rest[0]):]
			continue
		}
		r.rest = rest
		r.bytes(r.uvarint())
		rest = r.rest
	}
	r.rest = rest
}

func (r *reader) date() record.Date { return record.Date(r.uvarint()) }

func (r *reader) company(c *record.Company) {
	c.RazaoSocial = r.text()
	c.NaturezaJuridica = r.text()
	c.QualificacaoResponsavel = r.text()
	c.PorteEmpresa = r.text()
	c.EnteFederativoResponsavel = r.text()
	c.CapitalSocial = record.Cents(r.uvarint()) - 1
}

func (r *reader) simples(s *record.Simples) {
	flags := r.byte()
	s.OpcaoPeloSimples, s.OpcaoPeloMEI = record.Flag(flags&3), record.Flag(flags>>2&3)
	s.DataOpcaoPeloSimples = r.date()
	s.DataExclusaoSimples = r.date()
	s.DataOpcaoPeloMEI = r.date()
	s.DataExclusaoMEI = r.date()
}

func (r *reader) partner(p *record.Partner) {
	item := reader{rest: r.bytes(r.uvarint())}
	p.DataEntradaSociedade = item.date()
	for _, s := range partnerTexts(p) {
		*s = item.text()
	}
	if item.bad || len(item.rest) > 0 {
		r.fail()
	}
}

func (r *reader) establishment(root cnpj.Root, e *record.Establishment) {
	item := reader{rest: r.bytes(r.uvarint())}
	order := item.uvarint()
	if order >= cnpj.Orders { // it would spill into another root
		r.fail()
		return
	}
	e.CNPJ = cnpj.Join(root, cnpj.Order(order))
	e.DataSituacaoCadastral = item.date()
	e.DataInicioAtividade = item.date()
	e.DataSituacaoEspecial = item.date()
	for _, s := range establishmentTexts(e) {
		*s = item.text()
	}
	if item.bad || len(item.rest) > 0 {
		r.fail()
	}
}

// Positions of facets among the texts of an establishment, ascending.
var situacaoAt, ufAt, municipioAt = func() (situacao, uf, municipio int) {
	var e record.Establishment
	texts := establishmentTexts(&e)
	at := func(s *string) int { return slices.Index(texts[:], s) }
	return at(&e.SituacaoCadastral), at(&e.UF), at(&e.Municipio)
}()

// facets reads an establishment, but only its facets. What comes behind them is not checked.
func (r *reader) facets(f *Facets) {
	item := reader{rest: r.bytes(r.uvarint())}
	for range 4 { // the order and three dates
		item.uvarint()
	}
	item.skipTexts(situacaoAt)
	f.SituacaoCadastral = item.text()
	item.skipTexts(ufAt - situacaoAt - 1)
	f.UF = item.text()
	item.skipTexts(municipioAt - ufAt - 1)
	f.Municipio = item.text()
	if item.bad {
		r.fail()
	}
}

// DecodeCompany fills c from its packed form; its texts share memory with packed. The error is
// ErrCorrupt, also if bytes are left over.
func DecodeCompany(packed []byte, c *record.Company) error {
	r := reader{rest: packed}
	r.company(c)
	return r.done()
}

// DecodeSimples fills s from its packed form. The error is ErrCorrupt.
func DecodeSimples(packed []byte, s *record.Simples) error {
	r := reader{rest: packed}
	r.simples(s)
	return r.done()
}

// DecodePartner fills p from its packed form; its texts share memory with packed. The error is
// ErrCorrupt.
func DecodePartner(packed []byte, p *record.Partner) error {
	r := reader{rest: packed}
	r.partner(p)
	return r.done()
}

// DecodeEstablishment fills e, an establishment of root, from its packed form; its texts share
// memory with packed. The error is ErrCorrupt.
func DecodeEstablishment(packed []byte, root cnpj.Root, e *record.Establishment) error {
	r := reader{rest: packed}
	r.establishment(root, e)
	return r.done()
}

// done returns ErrCorrupt after a fault or if bytes are left.
func (r *reader) done() error {
	if r.bad || len(r.rest) > 0 {
		return ErrCorrupt
	}
	return nil
}
