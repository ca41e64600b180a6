//go:build !linux

package machine

import "time"

// ThreadCPU returns 0: only Linux has a clock for each thread here.
func ThreadCPU() time.Duration { return 0 }
