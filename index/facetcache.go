package index

import "sync"

// maxRemembered is how many results are kept. Those of one query take about 6 kB, so this bounds
// the cache to some 12 MB.
const maxRemembered = 2000

// facetCache caches the facets of queries. Entries need no invalidation: an index never changes, and
// each set of loads has a facetCache of its own. When it is full, an entry is evicted at random. The
// zero value is empty. Safe for concurrent use; values are shared and must not be changed.
type facetCache[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]V
}

// get returns the value of a key and whether there is one.
func (m *facetCache[K, V]) get(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.kept[k]
	return v, ok
}

// put stores a value. Map iteration picks what to evict.
func (m *facetCache[K, V]) put(k K, v V) {
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
