package facet

import "sync"

// maxRemembered is how many facets are kept. Those of one query take about 6 kB.
const maxRemembered = 2000

// Memory keeps the facets of queries, which never change with the same loads. The zero value is empty. Safe for concurrent use.
type Memory[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]V
}

// Get returns what was kept, false for nothing.
func (m *Memory[K, V]) Get(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.kept[k]
	return v, ok
}

// Put keeps facets; when there are too many, others are evicted at random.
func (m *Memory[K, V]) Put(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = make(map[K]V)
	}
	for other := range m.kept {
		if len(m.kept) < maxRemembered {
			break
		}
		delete(m.kept, other)
	}
	m.kept[k] = v
}
