package profile

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"razao/internal/data/cnpj"
)

// LongText is the length in bytes under which all longer texts are counted.
const LongText = 96

// Bounds of what a meter keeps.
const (
	wholly       = 1 << 15 // lines of each file are measured, of the others one in
	every        = 8
	window       = 1 << 14 // values after which the rare ones are forgotten (lossy counting, Manku and Motwani 2002)
	keptValues   = 64      // of a column
	sharedBy     = 20      // rows at least have a text that is kept as a hash,
	shared       = 500     // and one in so many
	shapesKept   = 256     // of a column
	examplesKept = 3       // of a shape
	exampleBytes = 60
	firstYear    = 1800
	years        = 400
	mostDigits   = 20
	perOctave    = 8 // buckets of numbers: quantiles are within 5 %
	octaves      = 70
)

// Meter measures a table, for one goroutine.
type Meter struct {
	name    string
	latin1  bool
	rows    int64
	columns []meter
}

// NewMeter returns a meter of a table. latin1 says that values are in ISO-8859-1; otherwise they are in UTF-8.
func NewMeter(name string, columns []Declaration, latin1 bool) *Meter {
	m := &Meter{name: name, latin1: latin1, columns: make([]meter, len(columns))}
	for i := range columns {
		m.columns[i] = meter{Declaration: columns[i], shapes: map[shape]*shapeCount{}, values: map[uint64]int64{}, texts: map[uint64]string{}, common: map[uint64]examples{}, ofClass: map[string]examples{}}
	}
	return m
}

// Wants reports whether the row of a line of a file is measured. If it is, Add is called for each of its columns.
func (m *Meter) Wants(line int64) bool {
	if line > wholly && line%every != 0 {
		return false
	}
	m.rows++
	return true
}

// Add measures the value of a column of a row that Wants has asked for. key names the row in examples: its root.
// Nothing is kept of either.
func (m *Meter) Add(column int, key, value string) { m.columns[column].add(key, value, m.latin1) }

// meter measures a column.
type meter struct {
	Declaration
	filled   int64
	lengths  [LongText + 1]int64
	shapes   map[shape]*shapeCount
	values   map[uint64]int64    // by hash
	texts    map[uint64]string   // of codes, by hash
	common   map[uint64]examples // of values that many rows have, by hash
	pruned   int64               // value count at which the rare ones were forgotten last
	classes  []int64             // of days: months; of numbers: buckets; nil: none yet
	ofClass  map[string]examples // of years and numbers of digits
	ofLength [LongText + 1]examples
	digits   [mostDigits + 2]int64
	broken   int64 // days and numbers that are none
	empty    shapeCount
	sketch   [1 << sketchBits]uint8 // HyperLogLog
}

type shapeCount struct {
	n int64
	examples
}

// examples are rows for an operator: the key of each, and its value, of a column with personal data what characters it has.
type examples []string

// note keeps a row, if there are too few yet.
func (e *examples) note(d *Declaration, key, value string) {
	if len(*e) < examplesKept {
		*e = append(*e, strings.Clone(key)+": "+Example(value, d.Personal))
	}
}

func (e *examples) merge(o examples) {
	*e = append(*e, o...)
	*e = (*e)[:min(len(*e), examplesKept)]
}

// add counts a value.
func (c *meter) add(key, value string, latin1 bool) {
	value = strings.Trim(value, " ")
	if value == "" || c.Kind == Day && strings.Trim(value, "0") == "" || value == "null" {
		c.empty.count(&c.Declaration, key, "")
		return
	}
	c.filled++
	length := min(len(value), LongText)
	c.lengths[length]++
	c.ofLength[length].note(&c.Declaration, key, value)
	of := shapeOf(value, latin1)
	if c.Kind == ID && of&upper != 0 {
		of = of&^upper | digit
	}
	c.shape(of).count(&c.Declaration, key, value)
	hash := xxhash.Sum64String(value)
	c.observe(hash)
	class := ""
	switch c.Kind {
	case Day, Year:
		class = c.day(value)
	case Number:
		class = c.number(value)
	}
	if class != "" {
		if e := c.ofClass[class]; len(e) < examplesKept {
			e.note(&c.Declaration, key, value)
			c.ofClass[class] = e
		}
	}
	if c.Kind != ID {
		c.value(hash, key, value)
	}
}

// shape returns the count of a shape; of one too many, that of all such.
func (c *meter) shape(of shape) *shapeCount {
	if c.shapes[of] == nil && len(c.shapes) >= shapesKept {
		of = 0
	}
	if c.shapes[of] == nil {
		c.shapes[of] = &shapeCount{}
	}
	return c.shapes[of]
}

// count counts a value of a shape.
func (s *shapeCount) count(d *Declaration, key, value string) {
	s.n++
	s.note(d, key, value)
}

// Example returns the beginning of a value for operators, quoted: of personal data only what characters it has.
func Example(value string, personal bool) string {
	value = readable(cnpj.MaskCPFs(value)) // masked before it is cut: half a CPF would not be recognised
	if personal {
		value = hidden(value)
	}
	return strconv.Quote(value)
}

// hidden replaces letters by A or a and digits by 9.
func hidden(value string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9':
			return '9'
		case r >= 'a' && r <= 'z':
			return 'a'
		case r >= 'A' && r <= 'Z' || r >= 0x80:
			return 'A'
		}
		return r
	}, value)
}

// value counts a text by its hash.
func (c *meter) value(hash uint64, key, value string) {
	c.values[hash]++
	if n := c.values[hash]; n > sharedBy-examplesKept && n <= sharedBy && (c.Kind == Text || c.Kind == Code) {
		e := c.common[hash]
		e.note(&c.Declaration, key, value)
		c.common[hash] = e
	}
	if c.Kind == Code && c.texts[hash] == "" {
		c.texts[hash] = strings.Clone(readable(value)) // the row is reused
	}
	if c.filled-c.pruned >= window && len(c.values) > window/2 {
		c.pruned = c.filled
		for hash, n := range c.values {
			if n == 1 {
				delete(c.values, hash)
				delete(c.texts, hash)
				delete(c.common, hash)
			} else {
				c.values[hash] = n - 1
			}
		}
	}
}

// readable returns the beginning of a value, as JSON and PostgreSQL can hold it: what is no UTF-8 is ISO-8859-1.
func readable(value string) string {
	text := value[:min(len(value), exampleBytes)]
	if !utf8.ValidString(value) {
		runes := make([]rune, len(text))
		for i := range len(text) {
			runes[i] = rune(text[i])
		}
		text = string(runes)
	}
	text = strings.ToValidUTF8(text, "\ufffd") // cut in the middle of a character
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\ufffd'
		}
		return r
	}, text)
}

// day counts a day, as AAAAMMDD, DD/MM/AAAA or AAAA-MM-DD, by its month, and a year; it returns the year, "?" if it is none.
func (c *meter) day(value string) string {
	value = strings.Trim(value, `"`)
	var year, month string
	switch {
	case len(value) == 4 && c.Kind == Year:
		year, month = value, "1"
	case len(value) == 8:
		year, month = value[:4], value[4:6]
	case len(value) >= 10 && value[2] == '/':
		year, month = value[6:10], value[3:5]
	case len(value) >= 10 && value[4] == '-':
		year, month = value[:4], value[5:7]
	}
	y, err := strconv.Atoi(year)
	m, err2 := strconv.Atoi(month)
	if err != nil || err2 != nil || y < firstYear || y >= firstYear+years || m < 1 || m > 12 {
		c.broken++
		return "?"
	}
	if c.classes == nil {
		c.classes = make([]int64, years*12)
	}
	c.classes[(y-firstYear)*12+m-1]++
	return year
}

// number counts an amount by its digits before the decimals, which it returns, and by its size; "?" if it is none.
func (c *meter) number(value string) string {
	whole, fraction, comma := strings.Cut(strings.TrimPrefix(value, "-"), ",")
	if !comma && strings.Count(whole, ".") == 1 {
		whole, fraction, _ = strings.Cut(whole, ".")
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(whole, ".", "")+"."+fraction, 64)
	if err != nil || n < 0 || strings.ContainsAny(value, "eE") {
		c.broken++
		return "?"
	}
	size := 0
	if n >= 1 {
		size = min(int(math.Log10(n))+1, mostDigits)
	}
	c.digits[size]++
	if c.classes == nil {
		c.classes = make([]int64, octaves*perOctave)
	}
	at := 0
	if n > 0 {
		at = max(0, min(int(perOctave*(math.Log2(n)+7))+1, len(c.classes)-1)) // from a hundredth on
	}
	c.classes[at]++
	return strconv.Itoa(size)
}

const sketchBits = 12

// observe adds a hash to the sketch of distinct values (HyperLogLog, Flajolet and others 2007).
func (c *meter) observe(hash uint64) {
	rank := uint8(bits.LeadingZeros64(hash<<sketchBits|1<<(sketchBits-1))) + 1
	if at := hash >> (64 - sketchBits); c.sketch[at] < rank {
		c.sketch[at] = rank
	}
}

// distinct returns the estimate of the sketch.
func (c *meter) distinct() int64 {
	sum, zeros := 0.0, 0
	for _, rank := range c.sketch {
		sum += math.Exp2(-float64(rank))
		if rank == 0 {
			zeros++
		}
	}
	m := float64(len(c.sketch))
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate < 2.5*m && zeros > 0 { // linear counting
		estimate = m * math.Log(m/float64(zeros))
	}
	return int64(math.Round(estimate))
}

// Merge adds what another meter of the same table has measured.
func (m *Meter) Merge(o *Meter) {
	m.rows += o.rows
	for i := range m.columns {
		m.columns[i].merge(&o.columns[i])
	}
}

func (c *meter) merge(o *meter) {
	c.filled += o.filled
	c.broken += o.broken
	for i, n := range o.lengths {
		c.lengths[i] += n
	}
	for i, n := range o.digits {
		c.digits[i] += n
	}
	for of, s := range o.shapes {
		if mine := c.shapes[of]; mine != nil {
			mine.merge(s)
		} else {
			c.shapes[of] = s
		}
	}
	c.empty.merge(&o.empty)
	for hash, n := range o.values {
		c.values[hash] += n
	}
	maps.Copy(c.texts, o.texts)
	for i := range o.ofLength {
		c.ofLength[i].merge(o.ofLength[i])
	}
	for hash, e := range o.common {
		mine := c.common[hash]
		mine.merge(e)
		c.common[hash] = mine
	}
	for class, e := range o.ofClass {
		mine := c.ofClass[class]
		mine.merge(e)
		c.ofClass[class] = mine
	}
	if c.classes == nil {
		c.classes = o.classes
	} else {
		for i, n := range o.classes {
			c.classes[i] += n
		}
	}
	for i, rank := range o.sketch {
		c.sketch[i] = max(c.sketch[i], rank)
	}
}

func (s *shapeCount) merge(o *shapeCount) {
	s.n += o.n
	s.examples.merge(o.examples)
}

// Table returns what was measured. known reports whether a code is in its table; nil: nobody knows.
func (m *Meter) Table(known func(column *Declaration, code string) bool) Table {
	t := Table{Name: m.name, Rows: m.rows}
	for i := range m.columns {
		t.Columns = append(t.Columns, m.columns[i].column(known))
	}
	return t
}

func (c *meter) column(known func(*Declaration, string) bool) Column {
	col := Column{
		Name: c.Name, Filled: c.filled, Distinct: min(c.distinct(), c.filled), Lengths: map[int]int64{}, Shapes: map[string]int64{},
		examples: map[Figure]map[string]examples{Filled: {"": c.empty.examples}, Lengths: {}, Shapes: {}, Values: c.ofClass, Unknown: {}},
	}
	for i, n := range c.lengths {
		if n > 0 {
			col.Lengths[i] = n
			col.examples[Lengths][strconv.Itoa(i)] = c.ofLength[i]
		}
	}
	for of, s := range c.shapes {
		col.Shapes[of.String()] += s.n
		col.examples[Shapes][of.String()] = s.examples
	}
	switch c.Kind {
	case Text, Code:
		c.commonest(&col, known)
	case Day:
		col.Values, col.Quantile = c.ofYears(), c.quantiles(monthAt)
	case Year:
		col.Values, col.Quantile = c.ofYears(), c.quantiles(yearAt)
	case Number:
		col.Values, col.Quantile = c.ofDigits(), c.quantiles(numberAt)
	}
	for _, n := range c.values {
		col.Largest = max(col.Largest, n)
	}
	return col
}

// commonest sets the commonest values, and how many codes are unknown.
func (c *meter) commonest(col *Column, known func(*Declaration, string) bool) {
	type one struct {
		name    string
		n       int64
		unknown string // a code that its table lacks
	}
	var all []one
	for hash, n := range c.values {
		name, unknown := c.texts[hash], ""
		if c.Kind == Text && (n < sharedBy || n*shared < c.filled) {
			continue
		}
		if c.Domain != "" && known != nil && !known(&c.Declaration, name) {
			col.Unknown, unknown = col.Unknown+n, name
		}
		if !c.names(name) {
			name = hashed + strconv.FormatUint(hash>>32, 16)
		}
		all = append(all, one{name, n, unknown})
		col.examples[Values][name] = c.common[hash]
	}
	slices.SortFunc(all, func(a, b one) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	var unknown examples
	for _, v := range all {
		if v.unknown != "" {
			unknown.note(&c.Declaration, strconv.FormatInt(v.n, 10)+" rows", v.unknown)
		}
	}
	col.examples[Unknown][""] = unknown
	col.Values = map[string]int64{}
	for _, v := range all[:min(len(all), keptValues)] {
		if c.Personal && c.Kind == Code && v.n < sharedBy {
			continue
		}
		col.Values[v.name] += v.n
	}
}

// ofYears counts days by year.
func (c *meter) ofYears() map[string]int64 {
	of := map[string]int64{}
	for i, n := range c.classes {
		if n > 0 {
			of[strconv.Itoa(firstYear+i/12)] += n
		}
	}
	if c.broken > 0 {
		of["?"] = c.broken
	}
	return of
}

// ofDigits counts numbers by how many digits they have before the decimals.
func (c *meter) ofDigits() map[string]int64 {
	of := map[string]int64{}
	for i, n := range c.digits {
		if n > 0 {
			of[strconv.Itoa(i)] = n
		}
	}
	if c.broken > 0 {
		of["?"] = c.broken
	}
	return of
}

// quantiles returns where the quantiles of the classes lie.
func (c *meter) quantiles(at func(class int) string) (all []string) {
	var total int64
	for _, n := range c.classes {
		total += n
	}
	if total == 0 {
		return nil
	}
	var sum int64
	class := 0
	for _, q := range []float64{0.01, 0.25, 0.5, 0.75, 0.99} {
		for sum+c.classes[class] < int64(math.Ceil(q*float64(total))) {
			sum += c.classes[class]
			class++
		}
		all = append(all, at(class))
	}
	return all
}

func monthAt(class int) string {
	month := strconv.Itoa(class%12 + 101)
	return strconv.Itoa(firstYear+class/12) + "-" + month[1:]
}

func yearAt(class int) string { return strconv.Itoa(firstYear + class/12) }

// numberAt returns a number in the middle of its bucket, with two digits.
func numberAt(class int) string {
	if class == 0 {
		return "0"
	}
	n := math.Exp2((float64(class)-0.5)/perOctave - 7)
	unit := math.Pow(10, math.Floor(math.Log10(n))-1)
	return strconv.FormatFloat(math.Round(n/unit)*unit, 'f', max(0, -int(math.Floor(math.Log10(unit)))), 64)
}
