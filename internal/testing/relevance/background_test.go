package relevance

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"

	"razao/index/build"
)

// backgroundFile holds the establishments among which the judged ones are to be found: 28,144 of 25,000 invented companies, a
// build.Doc in each line. It is a file, and not what package sample invents today, so that figures of different years compare.
const backgroundFile = "testdata/background.jsonl.gz"

// readBackground returns the documents of backgroundFile, grouped by company.
func readBackground() (docs []build.Doc, err error) {
	f, err := os.Open(backgroundFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for lines := json.NewDecoder(text); ; {
		var d build.Doc
		switch err := lines.Decode(&d); {
		case errors.Is(err, io.EOF):
			return docs, nil
		case err != nil:
			return nil, err
		}
		docs = append(docs, d)
	}
}
