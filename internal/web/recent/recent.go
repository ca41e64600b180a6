// Package recent is a bounded cache with two generations, an approximation of LRU. Reads and writes
// cost one or two map operations; there is no recency list and nothing is evicted one by one.
package recent

// Map holds at most a fixed number of keys. Writes go to the younger generation. When that is full
// it becomes the older one, and the former older one is dropped as a whole. Reading a key of the
// older generation copies it into the younger, so keys in use survive. A Map is not safe for
// concurrent use, not even Get.
type Map[K comparable, V any] struct {
	half           int // capacity of either generation
	younger, older map[K]V
}

// New returns an empty Map for up to size keys. The size/2 keys read or written last are always
// among them.
func New[K comparable, V any](size int) *Map[K, V] {
	return &Map[K, V]{half: size / 2, younger: map[K]V{}}
}

// Get returns the value of a key, and whether it is remembered. It counts as a use of the key.
func (m *Map[K, V]) Get(key K) (V, bool) {
	if v, ok := m.younger[key]; ok {
		return v, true
	}
	v, ok := m.older[key]
	if ok {
		m.Put(key, v)
	}
	return v, ok
}

// Put sets the value of a key and counts as a use of it.
func (m *Map[K, V]) Put(key K, v V) {
	if _, ok := m.younger[key]; !ok && len(m.younger) >= m.half {
		m.older, m.younger = m.younger, map[K]V{}
	}
	m.younger[key] = v
}

// Delete forgets a key.
func (m *Map[K, V]) Delete(key K) {
	delete(m.younger, key)
	delete(m.older, key)
}

// Len returns the number of entries. A key that is in both generations counts twice.
func (m *Map[K, V]) Len() int { return len(m.younger) + len(m.older) }
