//go:build !linux

package machine

import "time"

// ThreadCPU is not known here.
func ThreadCPU() time.Duration { return 0 }
