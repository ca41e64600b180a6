package nightly

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

const rulesDir = "../../deploy/prometheus"

// promtool runs Prometheus's tool in the folder of the rules.
func promtool(t *testing.T, input string, arguments ...string) {
	t.Helper()
	cmd := exec.Command(built.Installed(t, "promtool", os.Getenv("RAZAO_PROMETHEUS")), arguments...)
	cmd.Dir, cmd.Stdin = rulesDir, strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
}

// TestAlertRules has Prometheus read its settings and run the tests of the rules.
func TestAlertRules(t *testing.T) {
	t.Parallel()
	promtool(t, "", "check", "config", "prometheus.yml")
	promtool(t, "", "test", "rules", "rules_test.yml")
}

// TestWhatIsWatchedExists scrapes the program and looks for every metric that a dashboard or a rule names.
func TestWhatIsWatchedExists(t *testing.T) {
	t.Parallel()
	private := program.Address(t)
	p := built.New(t, "RAZAO_PRIVATE_ADDR="+private)
	p.Must("migrate")
	dir := t.TempDir()
	p.Must("sample", "--out", dir, "--roots", "300") // of the last month
	p.Must("ingest", "receita", "--from", filepath.Join(dir, "receita"))
	p.Start("serve")
	key := p.NewKey("ana@exemplo.com.br", "chave")
	number := p.Suggestions()[0]
	watch := p.Beside()
	watch.Addr = private
	for _, path := range []string{"/", "/busca?q=ltda", "/v2/empresas/" + number[:8] + "/full", "/v1/cnpj/" + number} {
		if status, _ := p.Get(path, key); status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
	}
	if status, ready := watch.Get("/health/ready", ""); status != http.StatusOK || !strings.Contains(ready, `"ok"`) {
		t.Errorf("ready: %d %s", status, ready)
	}
	_, scrape := watch.Get("/metrics", "")
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
	promtool(t, scrape, "check", "metrics")
}
