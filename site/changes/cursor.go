package changes

import (
	"fmt"
	"math"
	"regexp"
	"strconv"

	"razao/internal/store/registry/history"
)

// cursorForm is a position as addresses have it: the number in the journal, the place of the company
// in the load, and the number of its event. It needs no signature: every position may be read.
var cursorForm = regexp.MustCompile(`^([1-9][0-9]{0,17})\.([0-9a-f]{16})\.([0-9]{1,9})$`)

func writeCursor(p history.Position) string {
	return fmt.Sprintf("%d.%016x.%d", p.Seq, p.Hash, p.Event)
}

func readCursor(text string) (p history.Position, ok bool) {
	parts := cursorForm.FindStringSubmatch(text)
	if parts == nil {
		return p, false
	}
	p.Seq, _ = strconv.ParseInt(parts[1], 10, 64) // the form leaves no other numbers
	p.Hash, _ = strconv.ParseUint(parts[2], 16, 64)
	event, _ := strconv.ParseInt(parts[3], 10, 64)
	p.Event = int(event)
	return p, event <= math.MaxInt32 && writeCursor(p) == text
}
