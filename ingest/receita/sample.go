package receita

import (
	"errors"
	"io"

	"razao/ingest/rows"
	"razao/internal/data/cnpj"
)

// SampleRoots returns the roots in the first 256 KiB of every file of records, in no order and with
// repetitions, and the total size of these files in bytes of CSV. Quantiles of the sample divide
// the release into ranges of about equal size before it is read.
func (rel *Release) SampleRoots() (roots []cnpj.Root, size int64, err error) {
	const share = 256 << 10 // bytes of each file
	in, files, err := rel.openAll(1)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = in.Close() }()
	for _, f := range files {
		if f.Table.isDomain() {
			continue
		}
		size += f.rows.Size
		data, err := beginning(f.rows, share)
		if err != nil {
			return nil, 0, err
		}
		s := newScanner(layouts()[f.Table].columns)
		s.reset(data)
		for {
			fields, _, _, err := s.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				continue
			}
			if root, err := cnpj.ParseRoot(string(fields[0])); err == nil {
				roots = append(roots, root)
			}
		}
	}
	return roots, size, nil
}

// beginning returns up to n bytes from the start of a file.
func beginning(f *rows.File, n int64) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(io.LimitReader(r, n))
}
