package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// visitTime ends a visit that hangs.
const visitTime = 5 * time.Minute

// The names under which Chromium is looked for, as in .ci/programs. The headless shell takes half
// as long but has no back/forward cache. Debian's wrapper of that name is not used: it does not
// exec, so killing it would leave the browser running.
var (
	chromiums = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	shells    = []string{"/usr/lib/chromium/chromium-headless-shell", "chrome-headless-shell"}
)

func findChromium(names ...string) (string, error) {
	if given := os.Getenv("RAZAO_CHROMIUM"); given != "" {
		return given, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("these tests need Chromium: `make test` installs it on Debian; elsewhere install it, or name it in RAZAO_CHROMIUM")
}

// startChromium starts a browser that visitors share. Without the back/forward cache, going back
// loads the page again, which a test can wait for.
func startChromium(t *testing.T, keepsPages bool) context.Context {
	t.Helper()
	names, without := chromiums, ""
	if !keepsPages {
		names, without = append(shells, chromiums...), "BackForwardCache,"
	}
	path, err := findChromium(names...)
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-features", without+"Translate,OptimizationHints,MediaRouter"),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser, end := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		end()
		stop()
	})
	if err := chromedp.Run(browser); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return browser
}

// visitor is a person with a fresh browser profile. Console errors, policy violations and failed
// requests in it fail the test at its end.
type visitor struct {
	*website
	t       *testing.T
	ctx     context.Context
	profile cdp.BrowserContextID

	mu       sync.Mutex
	trouble  []string
	failures map[string]string // what the console says of an address that could not be read
	expected []string          // such addresses that the test knows of
	load     load              // of the page that was opened last

	steps
}

// steps are what a visitor did since a task began.
type steps struct {
	begun        time.Time
	clicks, keys int // clicks have Enter and what is chosen from a list among them
}

// visit opens a browser for t. hosts are those that may be asked besides the website.
func (w *website) visit(t *testing.T, hosts ...string) *visitor {
	t.Helper()
	browser := cdp.WithExecutor(w.chromium, chromedp.FromContext(w.chromium).Browser)
	profile, err := target.CreateBrowserContext().Do(browser)
	if err != nil {
		t.Fatal(err)
	}
	window, err := target.CreateTarget("about:blank").WithBrowserContextID(profile).WithNewWindow(true).Do(browser)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := chromedp.NewContext(w.chromium, chromedp.WithTargetID(window))
	ctx, cancel := context.WithTimeout(ctx, visitTime)
	v := &visitor{website: w, t: t, ctx: ctx, profile: profile, failures: map[string]string{}, load: newLoad()}
	for _, address := range []string{w.base, w.empty} {
		hosts = append(hosts, strings.TrimPrefix(address, "http://"))
	}
	chromedp.ListenTarget(ctx, func(event any) { v.watch(event, hosts) })
	t.Cleanup(func() {
		v.check()
		cancel()
		end()
		if err := target.DisposeBrowserContext(profile).Do(browser); err != nil {
			t.Error(err)
		}
	})
	v.do(audits.Enable(), network.SetCacheDisabled(true), emulation.SetFocusEmulationEnabled(true))
	return v
}

// watch records errors of the browser.
func (v *visitor) watch(event any, hosts []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !allowed(e.Request.URL, hosts) {
			v.note("a request to another host: %s", e.Request.URL)
		}
	case *network.EventResponseReceived:
		v.load.answered(e)
	case *network.EventLoadingFinished:
		v.load.finished(e.RequestID, int(e.EncodedDataLength))
	case *network.EventLoadingFailed:
		v.load.finished(e.RequestID, 0)
	case *log.EventEntryAdded:
		switch {
		case e.Entry.Source == log.SourceNetwork && e.Entry.URL != "":
			v.failures[e.Entry.URL] = e.Entry.Text
		case e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning:
			v.note("the browser says: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning || e.Type == runtime.APITypeAssert {
			v.note("the console says: %s", arguments(e.Args))
		}
	case *runtime.EventExceptionThrown:
		v.note("a script failed: %v", e.ExceptionDetails)
	case *audits.EventIssueAdded:
		if e.Issue.Code == audits.InspectorIssueCodeGenericIssue {
			return // advice on what autofill likes, which fields of Swagger UI do not follow
		}
		v.note("the browser found a %s: %s", e.Issue.Code, issue(e.Issue))
	}
}

func (v *visitor) note(format string, args ...any) {
	v.trouble = append(v.trouble, fmt.Sprintf(format, args...))
}

func allowed(address string, hosts []string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	return u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" || u.Scheme == "http" && slices.Contains(hosts, u.Host)
}

func arguments(args []*runtime.RemoteObject) string {
	var texts []string
	for _, arg := range args {
		texts = append(texts, string(arg.Value)+arg.Description)
	}
	return strings.Join(texts, " ")
}

func issue(i *audits.InspectorIssue) string {
	text, err := json.Marshal(i.Details)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// check fails the test for recorded errors.
func (v *visitor) check() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, text := range v.trouble {
		v.t.Error(text)
	}
	for address, text := range v.failures {
		if !slices.Contains(v.expected, address) {
			v.t.Errorf("%s: %s", address, text)
		}
	}
}

// expect announces that a request to an address will fail.
func (v *visitor) expect(address string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.expected = append(v.expected, address)
}

// do performs actions, which must succeed.
func (v *visitor) do(actions ...chromedp.Action) {
	v.t.Helper()
	if err := chromedp.Run(v.ctx, actions...); err != nil {
		v.t.Fatal(err)
	}
}

// inPage is for single commands to the page, which return something.
func (v *visitor) inPage() context.Context {
	return cdp.WithExecutor(v.ctx, chromedp.FromContext(v.ctx).Target)
}

// follow performs actions that lead to another page, waits for it and checks its status.
func (v *visitor) follow(status int64, actions ...chromedp.Action) {
	v.t.Helper()
	v.mu.Lock()
	v.load = newLoad()
	v.mu.Unlock()
	resp, err := chromedp.RunResponse(v.ctx, actions...)
	if err != nil {
		v.t.Fatal(err)
	}
	if resp.Status != status {
		v.t.Errorf("%s answers %d, want %d", resp.URL, resp.Status, status)
	}
	if resp.Status >= 400 {
		v.expect(resp.URL)
	}
}

// open opens a page by its path, or by its whole address, which must exist.
func (v *visitor) open(path string) {
	v.t.Helper()
	v.openWith(200, path)
}

func (v *visitor) openWith(status int64, path string) {
	v.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = v.base + path
	}
	v.follow(status, chromedp.Navigate(path))
}

// begin opens the page from which a task begins.
func (v *visitor) begin(path string) {
	v.t.Helper()
	v.open(path)
	v.steps = steps{begun: time.Now()}
}

// took logs what the task took, and checks the clicks against what it has taken before.
func (v *visitor) took(most int) {
	v.t.Helper()
	v.t.Logf("%d clicks, %d keys, %.1f s", v.clicks, v.keys, time.Since(v.begun).Seconds())
	if v.clicks > most {
		v.t.Errorf("the task takes %d clicks, it took %d", v.clicks, most)
	}
}

// click clicks what leads to another page.
func (v *visitor) click(selector string) {
	v.t.Helper()
	v.clicks++
	v.follow(200, chromedp.Click(selector, chromedp.ByQuery))
}

// press clicks what changes the page itself.
func (v *visitor) press(selector string) {
	v.t.Helper()
	v.clicks++
	v.do(chromedp.Click(selector, chromedp.ByQuery))
}

// fill writes a value into a field, or chooses it from a list.
func (v *visitor) fill(selector, value string) {
	v.t.Helper()
	v.keys += utf8.RuneCountInString(value)
	v.do(chromedp.SetValue(selector, value, chromedp.ByQuery))
}

// send writes into a field and sends its form.
func (v *visitor) send(status int64, selector, text string) {
	v.t.Helper()
	v.clicks++
	v.keys += utf8.RuneCountInString(text)
	v.follow(status, chromedp.SendKeys(selector, text+"\r", chromedp.ByQuery))
}

// eval returns the value of an expression of JavaScript.
func eval[T any](v *visitor, expression string) T {
	v.t.Helper()
	var value T
	v.do(chromedp.Evaluate(expression, &value))
	return value
}

// until waits for an expression of JavaScript to become true.
func (v *visitor) until(expression string) {
	v.t.Helper()
	const longest = 20 * time.Second
	for begun := time.Now(); ; {
		err := chromedp.Run(v.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(longest)))
		if err == nil {
			return
		}
		// The page went away while it was asked: the next one is asked again.
		var replaced *cdproto.Error
		if !errors.As(err, &replaced) || replaced.Code != -32000 || time.Since(begun) > longest {
			v.t.Fatalf("waiting for %s: %v", expression, err)
		}
	}
}

// shows checks that the page contains the texts as they are rendered.
func (v *visitor) shows(texts ...string) {
	v.t.Helper()
	page := eval[string](v, `document.body.innerText.replace(/\s+/g, " ")`)
	for _, text := range texts {
		if !strings.Contains(page, text) {
			v.t.Errorf("%s lacks %q:\n%.2000s", v.path(), text, page)
		}
	}
}

// path returns the address of the page on the website.
func (v *visitor) path() string {
	v.t.Helper()
	return strings.TrimPrefix(eval[string](v, `location.href`), v.base)
}

// at checks which page is open.
func (v *visitor) at(want string) {
	v.t.Helper()
	if got := v.path(); got != want {
		v.t.Fatalf("at %s, want %s", got, want)
	}
}
