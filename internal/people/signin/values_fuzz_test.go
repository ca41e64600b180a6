package signin

import "testing"

// FuzzDecodeValues checks that no stored data make decodeValues fail.
func FuzzDecodeValues(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{3, 4, 0, 2, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		if decodeValues(data) == nil {
			t.Error("nil")
		}
	})
}
