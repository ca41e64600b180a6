package messenger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	couriers    = 4 // answers that are made and sent at a time
	mostWaiting = 256
	sendTime    = 10 * time.Second // for one try
	mostTries   = 4
	firstPause  = time.Second      // after the first try that fails
	longer      = 4                // times as long is each pause as the one before
	drainTime   = 15 * time.Second // for the answers that wait when the program stops; less than requests in flight get
)

// errRefused means that WhatsApp will not take a message, now or later.
var errRefused = errors.New("WhatsApp refuses the message")

// question waits for its answer.
type question struct {
	to     string // who asked
	text   string
	answer string // when it is known already; text is then not looked at
}

// courier answers questions by messages of their own, several at a time, and waits for those when it stops.
type courier struct {
	url, token string
	client     *http.Client
	reply      func(ctx context.Context, text string) string
	failed     func(err error)
	pause      time.Duration // firstPause, but in tests
	drain      time.Duration // drainTime, but in tests
	stopping   chan struct{}

	mu      sync.RWMutex
	closed  bool // waiting is closed
	waiting chan question
}

func newCourier(w *WhatsApp, reply func(ctx context.Context, text string) string, failed func(err error)) *courier {
	return &courier{
		url: w.URL + "/" + w.PhoneID + "/messages", token: w.Token, reply: reply, failed: failed, pause: firstPause, drain: drainTime,
		client: &http.Client{
			Timeout:       sendTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the token stays here
		},
		stopping: make(chan struct{}),
		waiting:  make(chan question, mostWaiting),
	}
}

// offer puts a question into the queue. It returns false when the queue is full or the courier has stopped.
func (c *courier) offer(q question) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return false
	}
	select {
	case c.waiting <- q:
		return true
	default:
		return false
	}
}

// run answers questions until ctx ends, and then those that wait.
func (c *courier) run(ctx context.Context) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var workers sync.WaitGroup
	for range couriers {
		workers.Go(func() {
			for q := range c.waiting {
				c.deliver(work, q)
			}
		})
	}
	<-ctx.Done()
	c.close()
	defer time.AfterFunc(c.drain, cancel).Stop()
	workers.Wait()
}

// close lets the queue run dry and ends the pauses between tries.
func (c *courier) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	close(c.waiting)
	close(c.stopping)
}

// deliver answers one question.
func (c *courier) deliver(ctx context.Context, q question) {
	if q.answer == "" {
		q.answer = c.reply(ctx, q.text)
	}
	pause := c.pause
	for try := 1; ; try++ {
		err := c.send(ctx, q)
		if err == nil {
			return
		}
		if errors.Is(err, errRefused) || try == mostTries || !c.wait(ctx, pause) {
			c.failed(fmt.Errorf("answer not sent after %d tries: %w", try, err))
			return
		}
		pause *= longer
	}
}

// wait returns true after a pause, and false when the program stops.
func (c *courier) wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.stopping:
		return false
	case <-ctx.Done():
		return false
	}
}

// textMessage is a call of the WhatsApp Cloud API.
type textMessage struct {
	Product   string   `json:"messaging_product"`
	Recipient string   `json:"recipient_type"`
	To        string   `json:"to"`
	Type      string   `json:"type"`
	Text      textBody `json:"text"`
}

type textBody struct {
	PreviewURL bool   `json:"preview_url"`
	Body       string `json:"body"`
}

// send tries once. What the platform says about a failure is left out of the error but for its number, because it may name
// the recipient.
func (c *courier) send(ctx context.Context, q question) error {
	body, err := json.Marshal(textMessage{
		Product: "whatsapp", Recipient: "individual", To: q.to, Type: "text", Text: textBody{Body: q.answer},
	})
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return fmt.Errorf("WhatsApp: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	return judge(response)
}

// judge turns an answer of the platform into an error, or nil.
func judge(response *http.Response) error {
	const enough = 64 << 10
	body, _ := io.ReadAll(io.LimitReader(response.Body, enough)) // without it the status has to do
	if response.StatusCode == http.StatusOK {
		return nil
	}
	var answer struct {
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &answer)
	err := fmt.Errorf("WhatsApp: status %d, code %d", response.StatusCode, answer.Error.Code)
	if isPassing(response.StatusCode, answer.Error.Code) {
		return err
	}
	return fmt.Errorf("%w: %w", errRefused, err)
}

// isPassing reports whether the same message may be taken later: by the status or, where that says only that the request is
// bad, by the platform's own codes for what is too much or out of order at the moment.
func isPassing(status, code int) bool {
	switch code {
	case 2, 4, 80007, 130429, 131016, 131056:
		return true
	}
	return status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}
