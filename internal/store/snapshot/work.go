package snapshot

import "context"

// CallWork is the work that a call pays for, in steps: one takes about a microsecond of a processor at the size of the country.
const CallWork = 50_000

// What networks and partnerships take, in steps. Telling the members is in the price of a call: they are bounded.
const (
	namingSteps   = 10 // finding the companies that name an actor
	companySteps  = 10 // reading a company
	rowSteps      = 1  // unpacking a row of its partners and comparing it
	evidenceSteps = 3  // keeping one that names somebody who is looked for
	tellSteps     = 40 // telling it
	nameSteps     = 3  // unpacking a row and comparing the words of its name

	reserveSteps = 10_000 // for telling what was found when the search for more ends
)

// Budget is the work that an answer may take. It is counted and not timed, so that the same question ends at the same point on every
// machine. It is not safe for concurrent use. A nil Budget of a question stands for that of one call.
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

// orOneCall returns the budget, or that of one call if there is none.
func (b *Budget) orOneCall() *Budget {
	if b == nil {
		return NewBudget(1, 0, nil)
	}
	return b
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

// tell is Take for telling what was found, which there is a reserve for.
func (b *Budget) tell(ctx context.Context, steps int) (ok bool, err error) {
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
