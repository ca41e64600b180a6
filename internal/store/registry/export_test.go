package registry

// TogetherDeadline is how long all sources together may take.
const TogetherDeadline = togetherDeadline

// BlockBytes is the size of a block of the row cache.
const BlockBytes = blockBytes
