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

	"razao/internal/recovery"
)

// Bounds of the sender. All tries of one message take at most maxTries × sendTimeout plus the
// backoffs of 1, 4 and 16 s.
const (
	sendWorkers   = 4                // concurrent answers
	maxQueued     = 256              // beyond it deliveries get a 503 (backpressure)
	sendTimeout   = 10 * time.Second // of one try
	maxTries      = 4
	firstBackoff  = time.Second      // after the first failed try
	backoffFactor = 4                // ratio of consecutive backoffs
	drainTimeout  = 15 * time.Second // for queued answers at shutdown; less than web gives requests in flight
)

// errRefused means that WhatsApp refuses a message for good: retrying is useless.
var errRefused = errors.New("WhatsApp refuses the message")

// outgoing is a queued message: a question to be answered or a ready answer.
type outgoing struct {
	to     string // WhatsApp id of the recipient
	text   string // the question
	answer string // "" means to be made from text
}

// sender sends answers over the WhatsApp Cloud API: a bounded queue, sendWorkers workers, retries
// with exponential backoff, and a drain at shutdown.
type sender struct {
	url, token string
	client     *http.Client
	reply      func(ctx context.Context, text string) string // answers a question
	failed     func(err error)                               // logs an answer that was not sent
	backoff    time.Duration                                 // firstBackoff, except in tests
	drain      time.Duration                                 // drainTimeout, except in tests
	stopping   chan struct{}                                 // closed at shutdown

	mu     sync.RWMutex
	closed bool // queue is closed
	queue  chan outgoing
}

// newSender returns a sender that is not running yet: messages can be queued before run is called.
func newSender(w *WhatsApp, reply func(ctx context.Context, text string) string, failed func(err error)) *sender {
	return &sender{
		url: w.URL + "/" + w.PhoneID + "/messages", token: w.Token, reply: reply, failed: failed, backoff: firstBackoff, drain: drainTimeout,
		client: &http.Client{
			Timeout:       sendTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // a redirect would forward the access token
		},
		stopping: make(chan struct{}),
		queue:    make(chan outgoing, maxQueued),
	}
}

// enqueue queues a message without blocking. It returns false if the queue is full or closed. The
// read lock keeps close from closing the channel during a send.
func (s *sender) enqueue(m outgoing) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return false
	}
	select {
	case s.queue <- m:
		return true
	default:
		return false
	}
}

// run works off the queue until ctx is done, then drains it for at most drainTimeout. A panic of a
// worker is logged and costs one message.
func (s *sender) run(ctx context.Context) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var workers sync.WaitGroup
	for range sendWorkers {
		workers.Go(func() {
			for m := range s.queue {
				err := recovery.Do(func() error {
					s.deliver(work, m)
					return nil
				})
				if err != nil {
					s.failed(err)
				}
			}
		})
	}
	<-ctx.Done()
	s.close()
	defer time.AfterFunc(s.drain, cancel).Stop()
	workers.Wait()
}

// close closes the queue and cuts backoffs short, which gives up their messages.
func (s *sender) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	close(s.queue)
	close(s.stopping)
}

// deliver answers a message, retrying transient failures up to maxTries times.
func (s *sender) deliver(ctx context.Context, m outgoing) {
	if m.answer == "" {
		m.answer = s.reply(ctx, m.text)
	}
	pause := s.backoff
	for try := 1; ; try++ {
		err := s.send(ctx, m)
		if err == nil {
			return
		}
		if errors.Is(err, errRefused) || try == maxTries || !s.wait(ctx, pause) {
			s.failed(fmt.Errorf("answer not sent after %d tries: %w", try, err))
			return
		}
		pause *= backoffFactor
	}
}

// wait returns true after a backoff, false at once when the sender is stopping or ctx is done.
func (s *sender) wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.stopping:
		return false
	case <-ctx.Done():
		return false
	}
}

// textMessage is the body of POST /{phone}/messages of the WhatsApp Cloud API.
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

// send tries once. Its error holds only the numeric codes of the platform's error, because the text
// may name the recipient.
func (s *sender) send(ctx context.Context, m outgoing) error {
	body, err := json.Marshal(textMessage{
		Product: "whatsapp", Recipient: "individual", To: m.to, Type: "text", Text: textBody{Body: m.answer},
	})
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("WhatsApp: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	return checkResponse(response)
}

// checkResponse returns nil for status 200, an error wrapping errRefused for a permanent failure,
// and another error for a transient one.
func checkResponse(response *http.Response) error {
	const maxBytes = 64 << 10
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxBytes)) // if it fails, the status alone decides
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
	if isTransient(response.StatusCode, answer.Error.Code) {
		return err
	}
	return fmt.Errorf("%w: %w", errRefused, err)
}

// isTransient reports whether a retry may succeed: by HTTP status, or by the platform's codes for
// rate limits and outages, which come with status 400.
func isTransient(status, code int) bool {
	switch code {
	case 2, 4, 80007, 130429, 131016, 131056:
		return true
	}
	return status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}
