package sample

// addressFields appends tipo_logradouro to municipio.
func (g *generator) addressFields(r *row, e *establishment, d *dice) {
	if e.trap == noStreetType {
		r.empty(1)
	} else {
		r.field(streetType(d))
	}
	r.next()
	r.b = g.appendStreet(r.b, e, d)
	r.next()
	r.b = appendNumber(r.b, e, d)
	r.next()
	r.b = appendComplement(r.b, e, d)
	r.next()
	if e.trap != noDistrict {
		r.b = append(r.b, g.districts.pick(d).in(d.permille(4))...)
	}
	r.next()
	if e.company.abroad > 0 {
		r.field(abroadUF)
		r.field(abroadCode)
		return
	}
	city := &g.cities[e.city]
	r.b = appendCEP(r.b, city, e.trap, d)
	r.field(city.uf)
	r.field(city.code)
}

func streetType(d *dice) string {
	switch u := d.n(1000); {
	case u < 640:
		return "RUA"
	case u < 840:
		return "AVENIDA"
	case u < 880:
		return "TRAVESSA"
	case u < 905:
		return "RODOVIA"
	case u < 930:
		return "ESTRADA"
	case u < 950:
		return "PRACA"
	case u < 970:
		return "ALAMEDA"
	case u < 985:
		return "QUADRA"
	}
	return oneOf(d, "SITIO", "FAZENDA", "10A RUA", "VILA", "LARGO", "OUTROS")
}

func (g *generator) appendStreet(b []byte, e *establishment, d *dice) []byte {
	accents := d.permille(5)
	switch e.trap {
	case blankStreet:
		b = append(b, "  "...)
	case nulStreet:
		b = append(b, "DOS\x00 "...)
	}
	if d.permille(550) {
		b = append(b, g.streets.pick(d).in(accents)...)
	} else {
		b = append(b, g.firstName(d).in(accents)...)
		b = append(b, ' ')
		if e.trap == blankStreet {
			b = append(b, ' ')
		}
		b = append(b, g.surnames.pick(d).in(accents)...)
	}
	return b
}

func appendNumber(b []byte, e *establishment, d *dice) []byte {
	if e.trap == backslashNumber {
		return append(b, `S\N`...)
	}
	switch u := d.n(1000); {
	case u < 100:
		return append(b, "S/N"...)
	case u < 120:
		return append(b, "SN"...)
	case u < 125:
		return append(b, "S N"...)
	case u < 130:
		return append(b, "000000"...)
	}
	return appendInt(b, 1+d.n(1+d.n(4000)), 1)
}

// appendComplement appends complemento, empty on half the rows; one row in twenty has a semicolon.
func appendComplement(b []byte, e *establishment, d *dice) []byte {
	switch e.trap {
	case quotedComplement:
		return append(b, `EDIF ""BELA VISTA"" SALA 3`...)
	case brokenComplement:
		return append(b, "SALA 12\nFUNDOS"...)
	case backslashComplement:
		return append(b, `ANDAR 2\`...)
	}
	u := d.n(100)
	if u < 50 {
		return b
	}
	n := 1 + d.n(1+d.n(1500))
	switch {
	case u < 55:
		b = append(b, "QUADRA"...)
		b = appendInt(b, n%90+1, 1)
		b = append(b, ";LOTE "...)
		return appendInt(b, n%40+1, 2)
	case u < 65:
		b = append(b, "SALA "...)
	case u < 75:
		b = append(b, "APT  "...)
	case u < 80:
		b = append(b, "LOJA "...)
	case u < 85:
		b = append(b, "BLOCO "...)
		b = append(b, 'A'+byte(d.n(6)))
		b = append(b, "  APT  "...)
	case u < 92:
		return append(b, oneOf(d, "CASA", "FUNDOS", "TERREO", "LETRA A", "SOBRELOJA", "GALPAO", "ANEXO B")...)
	case u < 96:
		b = append(b, "ANDAR "...)
		b = appendInt(b, n%30+1, 1)
		b = append(b, " CONJ "...)
	default:
		b = append(b, "KM "...)
	}
	return appendInt(b, n, 1)
}

func appendCEP(b []byte, city *city, trap trap, d *dice) []byte {
	prefix := city.prefix + d.n(city.prefixes)
	suffix := 0
	if city.prefixes > 2 || d.permille(200) {
		suffix = d.n(900)
	}
	switch trap {
	case shortCEP:
		return appendInt(b, (prefix%9000+1000)*1000+suffix, 7)
	case zeroCEP:
		return append(b, '0')
	case blankZeroCEP:
		return append(b, "       0"...)
	case noCEP:
		return b
	}
	return appendInt(b, prefix*1000+suffix, 8)
}

// contactFields appends ddd_1 to correio_eletronico.
func (g *generator) contactFields(r *row, e *establishment, d *dice) {
	ddd := g.cities[e.city].ddd
	if e.company.abroad > 0 {
		r.empty(7)
		return
	}
	g.phoneFields(r, e.trap, ddd, d)
	for _, share := range [...]int{130, 60} { // the second phone, the fax
		if !d.permille(share) {
			r.empty(2)
			continue
		}
		r.field(ddd)
		r.next()
		r.b = appendPhone(r.b, d)
	}
	r.next()
	if e.trap == oddEmail || d.permille(680) {
		r.b = g.appendEmail(r.b, e, d)
	}
}

func (g *generator) phoneFields(r *row, trap trap, ddd string, d *dice) {
	switch trap {
	case zeroDDD:
		r.field("0")
	case zerosDDD:
		r.field("0000")
	case longDDD:
		r.field("0")
		r.b = append(r.b, ddd...)
	case zeroPhone:
		r.field(ddd)
		r.field("0")
		return
	case zerosPhone:
		r.field(ddd)
		r.field("00000000")
		return
	case ninesPhone:
		r.field(ddd)
		r.field("99999999")
		return
	default:
		if !d.permille(820) {
			r.empty(2)
			return
		}
		r.field(ddd)
	}
	r.next()
	r.b = appendPhone(r.b, d)
}

// appendPhone appends a number that rings nowhere: no subscriber's number begins with 1.
func appendPhone(b []byte, d *dice) []byte {
	if d.permille(60) {
		return appendInt(b, 100_000+d.n(100_000), 6)
	}
	return appendInt(b, 10_000_000+d.n(10_000_000), 8)
}

// appendEmail appends an address at a domain kept for examples.
func (g *generator) appendEmail(b []byte, e *establishment, d *dice) []byte {
	start := len(b)
	switch d.n(3) {
	case 0:
		b = append(b, oneOf(d, "CONTATO", "FINANCEIRO", "FISCAL", "CONTABIL", "ATENDIMENTO")...)
	case 1:
		b = append(b, g.firstName(d).plain...)
		b = append(b, '.')
		b = append(b, g.surnames.pick(d).plain...)
	default:
		b = append(b, g.brandOf(e.company)...)
		b = appendInt(b, d.n(1000), 1)
	}
	if e.trap == oddEmail {
		b = append(b, 0x8F)
	}
	b = append(b, oneOf(d, "@EXEMPLO.COM.BR", "@EXEMPLO.COM.BR", "@EXEMPLO.COM.BR", "@EXAMPLE.COM", "@EXAMPLE.ORG")...)
	if d.permille(160) {
		lower(b[start:])
	}
	return b
}

// lower turns ASCII letters to lower case.
func lower(b []byte) {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
}
