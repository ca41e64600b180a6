package operators

import (
	"regexp"
	"strings"
	"testing"
)

// TestAlertsAreExplained: every alert has a test in which it fires, which lab/nightly lets Prometheus run, and a line in the
// documentation that says what to do.
func TestAlertsAreExplained(t *testing.T) {
	t.Parallel()
	const dir = "../../deploy/prometheus/"
	rules, tests, manual := readFile(t, dir+"rules.yml"), readFile(t, dir+"rules_test.yml"), readFile(t, "../../docs/serving.md")
	alerts := regexp.MustCompile(`(?m)- alert: (\w+)$`).FindAllStringSubmatch(rules, -1)
	if len(alerts) == 0 {
		t.Error("no alerts")
	}
	for _, m := range alerts {
		if !regexp.MustCompile(`alertname: ` + m[1] + `\n +exp_alerts:`).MatchString(tests) {
			t.Errorf("%s: no test in which it fires", m[1])
		}
		if !strings.Contains(manual, "| `"+m[1]+"` |") {
			t.Errorf("%s: docs/serving.md does not say what to do", m[1])
		}
	}
}
