package receita

import (
	"errors"
	"io"

	"razao/internal/cnpj"
)

// SampleRoots returns roots from the beginning of every record file, so that the records can be parted into ranges of
// about equal size before they are read.
func (rel *Release) SampleRoots() ([]cnpj.Root, error) {
	const share = 256 << 10 // bytes of each file
	var roots []cnpj.Root
	for i := range rel.Files {
		f := &rel.Files[i]
		if f.Table.isDomain() {
			continue
		}
		data, err := beginning(f, rel.Month, share)
		if err != nil {
			return nil, err
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
	return roots, nil
}

// beginning returns up to n bytes from the start of a file's CSV.
func beginning(f *File, month string, n int) ([]byte, error) {
	s, err := openSource(f, month)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.close() }()
	r, err := s.open()
	if err != nil {
		return nil, readError(f, err)
	}
	defer func() { _ = r.Close() }()
	data, _, err := fill(r, make([]byte, 0, n))
	if err != nil {
		return nil, readError(f, err)
	}
	return data, nil
}

// Bytes returns the size of the CSV of all record files.
func (rel *Release) Bytes() (int64, error) {
	var size int64
	sources, err := rel.openAll()
	if err != nil {
		return 0, err
	}
	for _, s := range sources {
		if !s.file.Table.isDomain() {
			size += s.size
		}
		_ = s.close()
	}
	return size, nil
}
