package record

import "testing"

func TestDate(t *testing.T) {
	t.Parallel()
	cases := []struct {
		year, month, day int
		want             string
	}{
		{1800, 1, 1, "1800-01-01"},
		{2024, 2, 29, "2024-02-29"},
		{2000, 2, 29, "2000-02-29"},
		{9999, 12, 31, "9999-12-31"},
		{2023, 2, 29, ""},
		{1900, 2, 29, ""},
		{2023, 4, 31, ""},
		{2023, 13, 1, ""},
		{2023, 0, 1, ""},
		{2023, 1, 0, ""},
		{2023, 1, 32, ""},
		{1799, 12, 31, ""},
		{10000, 1, 1, ""},
	}
	for _, c := range cases {
		d := MakeDate(c.year, c.month, c.day)
		if d.String() != c.want {
			t.Errorf("MakeDate(%d, %d, %d) = %q, want %q", c.year, c.month, c.day, d, c.want)
		}
		if c.want != "" && d.Time().Format("2006-01-02") != c.want {
			t.Errorf("%s.Time() = %s", c.want, d.Time())
		}
	}
	if a, b := MakeDate(2023, 12, 31), MakeDate(2024, 1, 1); a >= b {
		t.Error("dates do not sort")
	}
}
