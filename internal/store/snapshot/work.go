package snapshot

import "context"

// CallWork is the work that a call pays for, in steps: one takes about a microsecond of a processor at the size of the country.
const CallWork = 50_000

const (
	CompanySteps = 10     // of reading a company
	reserveSteps = 10_000 // for writing what was found when the search for more ends
)

// Budget is the work that an answer may take. It is counted and not timed, so that the same query ends at the same point on every
// machine. It is not safe for concurrent use. A nil Budget of a query stands for that of one call.
type Budget struct {
	left    int // steps that are paid for
	calls   int // that have paid
	further int // calls that may still be asked for
	pay     func(context.Context) error
	spent   bool
	reserve int
}

// NewBudget returns the budget of so many calls that have been counted and, when their work is done, of further ones, each of which pay
// counts before its work begins. An error of pay is that of the answer.
func NewBudget(calls, further int, pay func(context.Context) error) *Budget {
	return &Budget{left: calls * CallWork, calls: calls, further: further, pay: pay, reserve: reserveSteps}
}

// Take takes steps of the budget. ok is false once they are more than what is left: the work ends, and so does all that would follow.
func (b *Budget) Take(ctx context.Context, steps int) (ok bool, err error) {
	for !b.spent && b.left < steps {
		if b.further == 0 {
			b.spent = true
			break
		}
		if err := b.pay(ctx); err != nil {
			return false, err
		}
		b.calls, b.further, b.left = b.calls+1, b.further-1, b.left+CallWork
	}
	if b.spent {
		return false, nil
	}
	b.left -= steps
	return true, nil
}

// TakeReserve is Take for writing what was found into an answer, which there is a reserve for.
func (b *Budget) TakeReserve(ctx context.Context, steps int) (ok bool, err error) {
	if ok, err = b.Take(ctx, steps); ok || err != nil || b.reserve < steps {
		return ok, err
	}
	b.reserve -= steps
	return true, nil
}

// Calls returns how many calls the work has been counted as.
func (b *Budget) Calls() int { return b.calls }

// Spent reports whether work was left undone.
func (b *Budget) Spent() bool { return b.spent }
