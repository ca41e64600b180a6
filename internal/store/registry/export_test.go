package registry

// TogetherDeadline is how long all sources together may take.
const TogetherDeadline = togetherDeadline
