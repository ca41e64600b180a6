package people

// ReadList returns the companies of a pasted list.
func ReadList(text string) []string {
	values, _ := readList(text)
	return values
}
