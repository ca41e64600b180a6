package download

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"razao/internal/web/fetch"
)

// packed returns a zip of members of zeros, by size.
func packed(t testing.TB, sizes ...int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, size := range sizes {
		m, err := w.Create(fmt.Sprintf("%d.csv", i))
		if err == nil {
			_, err = io.CopyN(m, zeros{}, size)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

const endBytes = 22 // of the record that ends a zip without a comment

// directoryOf returns where the directory of a zip begins.
func directoryOf(archive []byte) int {
	return int(binary.LittleEndian.Uint32(archive[len(archive)-6:]))
}

// manyTimes returns a zip whose directory names its members n times.
func manyTimes(archive []byte, n int) []byte {
	from, end := directoryOf(archive), len(archive)-endBytes
	directory := bytes.Repeat(archive[from:end], n)
	last := bytes.Clone(archive[end:])
	members := binary.LittleEndian.Uint16(last[8:])
	binary.LittleEndian.PutUint16(last[8:], uint16(int(members)*n))
	binary.LittleEndian.PutUint16(last[10:], uint16(int(members)*n))
	binary.LittleEndian.PutUint32(last[12:], uint32(len(directory)))
	return bytes.Join([][]byte{archive[:from], directory, last}, nil)
}

// noting returns a zip whose members have a comment of so many bytes each in the directory.
func noting(archive []byte, comment int) []byte {
	from, end := directoryOf(archive), len(archive)-endBytes
	header := bytes.Clone(archive[from:end])
	binary.LittleEndian.PutUint16(header[32:], uint16(comment))
	header = append(header, make([]byte, comment)...)
	return bytes.Join([][]byte{archive[:from], header, archive[end:]}, nil)
}

// counting counts the bytes that are read of an archive.
type counting struct {
	io.ReaderAt
	read int64
}

// ReadAt implements io.ReaderAt.
func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.read += int64(n)
	return n, err
}

// TestZipBombs: none is unpacked, and of the directory no more is read than real archives have.
func TestZipBombs(t *testing.T) {
	t.Parallel()
	quoted := func() []byte { // the data of the first member hold the second one (overlapping files)
		inner := packed(t, 100)
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		m, err := w.CreateHeader(&zip.FileHeader{Name: "a.csv", Method: zip.Store})
		if err == nil {
			_, err = m.Write(inner[:directoryOf(inner)])
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		archive := b.Bytes()
		from, end := directoryOf(archive), len(archive)-endBytes
		second := bytes.Clone(inner[directoryOf(inner) : len(inner)-endBytes])
		binary.LittleEndian.PutUint32(second[42:], uint32(30+len("a.csv"))) // where it begins
		last := bytes.Clone(archive[end:])
		binary.LittleEndian.PutUint16(last[8:], 2)
		binary.LittleEndian.PutUint16(last[10:], 2)
		binary.LittleEndian.PutUint32(last[12:], uint32(end-from+len(second)))
		return bytes.Join([][]byte{archive[:end], second, last}, nil)
	}
	claims := func(size uint32) []byte { // what a member says that it unpacks to
		archive := packed(t, 10)
		binary.LittleEndian.PutUint32(archive[directoryOf(archive)+24:], size)
		return archive
	}
	for name, c := range map[string]struct {
		archive []byte
		says    string
	}{
		"5,000 members over one":          {manyTimes(packed(t, 50_000), 5000), "share data"},
		"5,000 members over one large":    {manyTimes(packed(t, 8<<20), 5000), "unpack to more than"},
		"one inside another":              {quoted(), "share data"},
		"300,000 empty members":           {manyTimes(packed(t, 0), 300_000), "more than 10000 members"},
		"members with long notes":         {manyTimes(noting(packed(t, 0), 65_000), 2000), "directory has more than"},
		"one member, unpacked a gigabyte": {claims(1 << 30), "unpack to more than"},
	} {
		r := &counting{ReaderAt: bytes.NewReader(c.archive)}
		_, err := OpenZip(r, int64(len(c.archive)))
		if !errors.Is(err, ErrBomb) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if most := int64(mostDirectory + 8<<20); r.read > most {
			t.Errorf("%s: %d bytes read", name, r.read)
		}
		r.read = 0
		var trouble *fetch.Trouble
		if err := checkZip(t.Context(), r, int64(len(c.archive)), nil); !errors.As(err, &trouble) || trouble.Again {
			t.Errorf("%s is fetched again: %v", name, err)
		}
	}
}

// TestZipsThatArePublished: what real archives have is far from the bounds.
func TestZipsThatArePublished(t *testing.T) {
	t.Parallel()
	few := make([]int64, 400)
	for i := range few {
		few[i] = 1000
	}
	for name, archive := range map[string][]byte{
		"one member": packed(t, 100), "no member": packed(t), "empty members": packed(t, 0, 0, 0), "400 members": packed(t, few...),
		"1,000 times its size": packed(t, 16<<20), "two that follow each other": packed(t, 1000, 0, 1000),
	} {
		var done, total int64
		if _, err := OpenZip(bytes.NewReader(archive), int64(len(archive))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		err := checkZip(t.Context(), bytes.NewReader(archive), int64(len(archive)), func(d, of int64) { done, total = d, of })
		if empty := name == "no member"; (err == nil) == empty || done != total {
			t.Errorf("%s: %v, %d of %d checked", name, err, done, total)
		}
	}
	const largest, unpacked = 1_340_000_000, 9_040_000_000 // of PGFN
	if MostUnpacked(largest) < 5*unpacked {
		t.Errorf("%d bytes may come of the largest", MostUnpacked(largest))
	}
}

// FuzzOpenZip: whatever is sent as a zip, no more comes of it than its size allows.
func FuzzOpenZip(f *testing.F) {
	f.Add(packed(f, 100, 0))
	f.Add(manyTimes(packed(f, 100), 20))
	f.Add(noting(packed(f, 3), 50))
	f.Fuzz(func(t *testing.T, archive []byte) {
		size := int64(len(archive))
		opened, err := OpenZip(bytes.NewReader(archive), size)
		if err != nil {
			return
		}
		var packed, unpacked int64
		for _, m := range opened.File {
			packed, unpacked = packed+int64(m.CompressedSize64), unpacked+int64(m.UncompressedSize64)
		}
		if len(opened.File) > mostMembers || unpacked > MostUnpacked(size) || unpacked < 0 {
			t.Errorf("%d members, %d bytes of %d", len(opened.File), unpacked, size)
		}
	})
}

// TestUnpackedIsBounded: a stream of unknown size, as of gzip, ends where a zip would.
func TestUnpackedIsBounded(t *testing.T) {
	t.Parallel()
	const size = 1000
	if n, err := io.Copy(io.Discard, Unpacked(io.LimitReader(zeros{}, MostUnpacked(size)), size)); err != nil || n != MostUnpacked(size) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := io.Copy(io.Discard, Unpacked(zeros{}, size)); !errors.Is(err, ErrBomb) {
		t.Errorf("without end: %v", err)
	}
}
