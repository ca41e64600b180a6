// Package recent remembers a bounded number of keys: a two-generation cache, which costs one map look-up and no list of who
// was used when.
package recent

// Map holds at most a fixed number of keys. When the younger generation is full it becomes the older one, and what was left of
// that is forgotten; a key that is read moves to the younger, so what is in use stays. It is not safe for concurrent use.
type Map[K comparable, V any] struct {
	half           int // keys in either generation
	younger, older map[K]V
}

// New returns an empty map for up to size keys. At least half as many are remembered, the last ones read or written.
func New[K comparable, V any](size int) *Map[K, V] {
	return &Map[K, V]{half: size / 2, younger: map[K]V{}}
}

// Get returns the value of a key, and whether it is remembered.
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

// Put remembers the value of a key.
func (m *Map[K, V]) Put(key K, v V) {
	if len(m.younger) >= m.half {
		m.older, m.younger = m.younger, map[K]V{}
	}
	m.younger[key] = v
}

// Delete forgets a key.
func (m *Map[K, V]) Delete(key K) {
	delete(m.younger, key)
	delete(m.older, key)
}

// Len returns how many keys are remembered. One that is in both generations counts twice.
func (m *Map[K, V]) Len() int { return len(m.younger) + len(m.older) }
