package sample

// row appends the fields of one record: all in double quotes, parted by semicolons, closed by a line feed.
type row struct{ b []byte }

// next closes a field and opens the following one.
func (r *row) next() { r.b = append(r.b, `";"`...) }

func (r *row) begin() { r.b = append(r.b, '"') }

func (r *row) end() { r.b = append(r.b, "\"\n"...) }

// field appends a following field whose text needs no quoting.
func (r *row) field(s string) {
	r.next()
	r.b = append(r.b, s...)
}

// date appends a following field; noDay is written as none.
func (r *row) date(c *calendar, d day, none string) {
	r.next()
	if d == noDay {
		r.b = append(r.b, none...)
		return
	}
	r.b = c.append(r.b, d)
}

// empty appends n following empty fields.
func (r *row) empty(n int) {
	for range n {
		r.next()
	}
}
