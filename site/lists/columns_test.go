package lists

import (
	"testing"

	"razao/internal/store/dossier"
	"razao/site/find"
)

// TestEveryColumnCanBeChosen: each column of a file of companies, and each subject, is in one group, or in every file.
func TestEveryColumnCanBeChosen(t *testing.T) {
	t.Parallel()
	fields, subjects := map[string]int{"cnpj": 1}, map[dossier.Subject]int{} // the number is the one that was looked up
	for _, name := range always {
		fields[name]++
	}
	for _, c := range choicesOf {
		for _, name := range c.fields {
			fields[name]++
		}
		subjects[c.subject]++
	}
	for _, column := range find.Columns() {
		if fields[column.Name] != 1 {
			t.Errorf("%s is in %d groups", column.Name, fields[column.Name])
		}
		delete(fields, column.Name)
	}
	for name := range fields {
		t.Errorf("%s is no column", name)
	}
	for _, subject := range dossier.Subjects() {
		if subjects[subject] != 1 {
			t.Errorf("%s is in %d groups", subject, subjects[subject])
		}
	}
}
