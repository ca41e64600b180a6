package deploy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/chaos"
)

const rulesDir = "../../deploy/prometheus"

// ofPrometheus returns a program of Prometheus.
func ofPrometheus(t *testing.T, name string) string {
	t.Helper()
	return installed(t, name, os.Getenv("RAZAO_PROMETHEUS"))
}

func TestAlertRules(t *testing.T) {
	t.Parallel()
	tool := ofPrometheus(t, "promtool")
	for _, arguments := range [][]string{{"check", "config", "prometheus.yml"}, {"test", "rules", "rules_test.yml"}} {
		cmd := exec.Command(tool, arguments...)
		cmd.Dir = rulesDir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
	}
	// Every alert has a test in which it fires, and a line in the documentation that says what to do.
	rules, tests, manual := readFile(t, rulesDir+"/rules.yml"), readFile(t, rulesDir+"/rules_test.yml"), readFile(t, "../../docs/serving.md")
	for _, m := range regexp.MustCompile(`(?m)- alert: (\w+)$`).FindAllStringSubmatch(rules, -1) {
		if !regexp.MustCompile(`alertname: ` + m[1] + `\n +exp_alerts:`).MatchString(tests) {
			t.Errorf("%s: no test in which it fires", m[1])
		}
		if !strings.Contains(manual, "| `"+m[1]+"` |") {
			t.Errorf("%s: docs/serving.md does not say what to do", m[1])
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// observed is a server of the built program that serves a small release on a PostgreSQL of its own, with a private address.
func observed(t *testing.T) (p *program.Program, private string) {
	t.Helper()
	private = program.Address(t)
	p = built.New(t, "RAZAO_PRIVATE_ADDR="+private)
	p.Must("migrate")
	dir := t.TempDir()
	p.Must("sample", "--out", dir, "--roots", "300") // of the last month
	p.Must("ingest", "receita", "--from", filepath.Join(dir, "receita"))
	p.Start("serve")
	return p, private
}

func scraped(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", url, resp.StatusCode, body, err)
	}
	return string(body)
}

// TestWhatIsWatchedExists scrapes the program and looks for every metric that a dashboard or a rule names.
func TestWhatIsWatchedExists(t *testing.T) {
	t.Parallel()
	tool := ofPrometheus(t, "promtool")
	p, private := observed(t)
	key := p.NewKey("ana@exemplo.com.br", "chave")
	number := p.Suggestions()[0]
	for _, path := range []string{"/", "/busca?q=ltda", "/v2/empresas/" + number[:8] + "/full", "/v1/cnpj/" + number} {
		if status, _ := p.Get(path, key); status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
	}
	if ready := scraped(t, "http://"+private+"/health/ready"); !strings.Contains(ready, `"ok"`) {
		t.Errorf("ready: %s", ready)
	}
	scrape := scraped(t, "http://"+private+"/metrics")
	labels := regexp.MustCompile(`(?m) \S+$`).ReplaceAllString(scrape, "") // values have digits of our own
	if strings.Contains(labels, number[:8]) {
		t.Error("the scrape has a CNPJ")
	}
	there := map[string]bool{"up": true} // Prometheus makes that
	for _, m := range regexp.MustCompile(`(?m)^(\w+)`).FindAllStringSubmatch(scrape, -1) {
		there[m[1]] = true
	}
	name := regexp.MustCompile(`\b(?:razao|go|process)_\w+`)
	expr := regexp.MustCompile(`"(?:expr|query)": "((?:[^"\\]|\\.)*)"`)
	files, err := filepath.Glob("../../deploy/grafana/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("dashboards %v, %v", files, err)
	}
	watched := map[string]string{}
	for _, file := range files {
		text := readFile(t, file)
		if !json.Valid([]byte(text)) {
			t.Errorf("%s is not JSON", file)
		}
		for _, m := range expr.FindAllStringSubmatch(text, -1) {
			for _, n := range name.FindAllString(m[1], -1) {
				watched[n] = file
			}
		}
	}
	for _, n := range name.FindAllString(readFile(t, rulesDir+"/rules.yml"), -1) {
		watched[n] = "rules.yml"
	}
	if len(watched) < 30 {
		t.Errorf("only %d metrics are watched: %v", len(watched), watched)
	}
	for _, n := range slices.Sorted(maps.Keys(watched)) {
		if !there[n] {
			t.Errorf("%s: there is no %s", watched[n], n)
		}
	}
	check := exec.Command(tool, "check", "metrics")
	check.Stdin = strings.NewReader(scrape)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

// eventually waits for what Prometheus finds out at its own pace.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	again := time.NewTicker(250 * time.Millisecond)
	defer again.Stop()
	for !done() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("waited three minutes for %s", what)
		}
	}
}

// prometheus is a running Prometheus.
type prometheus struct{ base string }

// startPrometheus lets Prometheus evaluate the rules over a server, with everything that takes minutes in seconds. It is stopped with the
// test.
func startPrometheus(t *testing.T, target string) *prometheus {
	t.Helper()
	program, dir, addr := ofPrometheus(t, "prometheus"), t.TempDir(), program.Address(t)
	rules := readFile(t, rulesDir+"/rules.yml")
	rules = regexp.MustCompile(`for: \w+`).ReplaceAllString(rules, "for: 4s")
	rules = regexp.MustCompile(`\[\w+\]`).ReplaceAllString(rules, "[15s]")
	rules = strings.Replace(rules, "< 10e9", "< 1", 1) // the disk of this machine is not what is tested
	config := readFile(t, rulesDir+"/prometheus.yml")
	config = regexp.MustCompile(`_interval: \w+`).ReplaceAllString(config, "_interval: 3s") // a scrape may take two
	config = strings.Replace(config, "127.0.0.1:9090", target, 1)
	writeFile(t, filepath.Join(dir, "rules.yml"), rules)
	writeFile(t, filepath.Join(dir, "prometheus.yml"), config)
	daemon(t, os.Kill, exec.Command(program, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+addr))
	p := &prometheus{"http://" + addr}
	eventually(t, "Prometheus to have scraped the server", func() bool {
		return p.value(t, `razao_records_served`) == "1"
	})
	return p
}

// value returns the value of a query's first result, "" when there is none, or no Prometheus yet.
func (p *prometheus) value(t *testing.T, query string) string {
	t.Helper()
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	p.ask(t, "/api/v1/query?query="+query, &answer)
	if len(answer.Data.Result) == 0 {
		return ""
	}
	return fmt.Sprint(answer.Data.Result[0].Value[1])
}

// alerts returns the names of the alerts that fire, and of those that are about to.
func (p *prometheus) alerts(t *testing.T) (firing, pending []string) {
	t.Helper()
	var answer struct {
		Data struct {
			Alerts []struct {
				State  string
				Labels map[string]string
			}
		}
	}
	p.ask(t, "/api/v1/alerts", &answer)
	for _, a := range answer.Data.Alerts {
		if a.State == "firing" {
			firing = append(firing, a.Labels["alertname"])
		} else {
			pending = append(pending, a.Labels["alertname"])
		}
	}
	return firing, pending
}

func (p *prometheus) ask(t *testing.T, path string, answer any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return // it starts
	}
	defer func() { _ = resp.Body.Close() }()
	_ = json.NewDecoder(resp.Body).Decode(answer)
}

// settle waits until the rules were evaluated some times more.
func (p *prometheus) settle(t *testing.T) {
	t.Helper()
	rounds := func() int {
		m := regexp.MustCompile(`(?m)^prometheus_rule_group_iterations_total\{.*\} (\d+)$`).FindStringSubmatch(scraped(t, p.base+"/metrics"))
		if m == nil {
			return 0
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	until := rounds() + 5
	eventually(t, "the rules to be evaluated", func() bool { return rounds() >= until })
}

// TestAlertsFireWhenTheyShould lets a real Prometheus watch a real server, freezes its PostgreSQL, and lets it go on.
func TestAlertsFireWhenTheyShould(t *testing.T) {
	t.Parallel()
	p, private := observed(t)
	watch := startPrometheus(t, private)
	healthy := func() {
		t.Helper()
		watch.settle(t)
		if firing, pending := watch.alerts(t); len(firing)+len(pending) > 0 {
			t.Errorf("while all is well: %v fire, %v are about to", firing, pending)
		}
	}
	healthy()

	server := p.Postmaster()
	frozen := chaos.Freeze(t, server, syscall.SIGCONT)
	eventually(t, "an alert to fire", func() bool {
		firing, _ := watch.alerts(t)
		return len(firing) > 0
	})
	watch.settle(t) // the others have had time to fire, too
	if firing, pending := watch.alerts(t); !slices.Equal(firing, []string{"RazaoNotReady"}) || len(pending) > 0 {
		t.Errorf("without PostgreSQL %v fire, %v are about to", firing, pending)
	}

	for _, pid := range frozen {
		_ = syscall.Kill(pid, syscall.SIGCONT) // one may have ended
	}
	eventually(t, "the alert to end", func() bool {
		firing, pending := watch.alerts(t)
		return len(firing)+len(pending) == 0
	})
	healthy()
}
