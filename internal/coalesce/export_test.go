package coalesce

// Waiting returns how many calls wait for the next statement.
func (g *Group[K, V]) Waiting() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.queue)
}

// Running returns how many statements run.
func (g *Group[K, V]) Running() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running
}
