package people

import (
	"net/url"
	"regexp"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/site/chart"
	"razao/site/page"
)

const callsPerPage = 50 // of the call history

// usage is the usage of an account or of one of its keys: totals per day and a page of the history.
type usage struct {
	Key     account.KeyID // 0: all keys
	Limit   int           // calls per minute
	Days    []account.Day // oldest first, without gaps
	Calls   int64         // admitted calls on all Days
	Blocked int64         // calls over the limit on all Days
	Chart   chart.Columns // calls per day
	Recent  []recentCall  // newest first
	Older   bool          // Recent does not begin with the latest call
	Latest  string        // URL of the first page of the history
	Next    string        // URL of the next page, with older calls; "" if there is none
}

// First returns the first day of the chart.
func (u *usage) First() account.Day { return u.Days[0] }

// Last returns the last day of the chart.
func (u *usage) Last() account.Day { return u.Days[len(u.Days)-1] }

// recentCall is a call with the name of its key.
type recentCall struct {
	account.Call
	KeyName string // "" for a call without a key
}

// By says with what the call was made: a key, a session of this site, or the access token of an assistant.
func (c recentCall) By() string {
	switch {
	case c.KeyName != "":
		return c.KeyName
	case c.Version == "site":
		return "nenhuma: páginas deste site"
	}
	return "assistente"
}

// routeParameter matches a parameter in gin's route syntax, :name.
var routeParameter = regexp.MustCompile(`:(\w+)`)

// Address returns the route in OpenAPI syntax, {name}.
func (c recentCall) Address() string { return routeParameter.ReplaceAllString(c.Endpoint, "{$1}") }

// usage reads the usage that the URL asks for: "chave" limits it to a key, "antes" is the keyset
// cursor of the history (an id).
func (hs *Handlers) usage(c *gin.Context, id account.ID, keys []account.Key) (usage, error) {
	u := usage{Limit: account.CallsPerMinute}
	names := map[account.KeyID]string{}
	for _, k := range keys {
		names[k.ID] = k.Name
	}
	key, err := idParameter(c, "chave")
	if err != nil {
		return usage{}, err
	}
	u.Key = account.KeyID(key)
	if names[u.Key] == "" && key != 0 {
		return usage{}, page.UnknownValue("chave", c.Query("chave"), "Deve ser o número de uma chave desta conta.")
	}
	before, err := idParameter(c, "antes")
	if err != nil {
		return usage{}, err
	}
	ctx := c.Request.Context()
	if u.Days, err = hs.Accounts.Days(ctx, id, u.Key); err != nil {
		return usage{}, err
	}
	u.draw()
	calls, err := hs.Accounts.Calls(ctx, id, u.Key, account.CallID(before), callsPerPage+1)
	if err != nil {
		return usage{}, err
	}
	u.Older, u.Latest = before != 0, u.address(0)
	if len(calls) > callsPerPage {
		calls = calls[:callsPerPage]
		u.Next = u.address(calls[callsPerPage-1].ID)
	}
	for _, call := range calls {
		u.Recent = append(u.Recent, recentCall{call, names[call.Key]})
	}
	return u, nil
}

// address returns the URL of the history of the same key before a call; 0 means the latest calls.
func (u *usage) address(before account.CallID) string {
	v := url.Values{}
	if u.Key != 0 {
		v.Set("chave", strconv.FormatInt(int64(u.Key), 10))
	}
	if before != 0 {
		v.Set("antes", strconv.FormatInt(int64(before), 10))
	}
	return page.WithParameters("/conta", v) + "#uso"
}

// draw computes the totals and the chart from Days.
func (u *usage) draw() {
	u.Chart = chart.Columns{
		Title: "Chamadas admitidas e bloqueadas, por dia", Axis: "Dia", Wide: len("02/01"), Caption: "Chamadas por dia, no horário UTC, como o limite",
		Series: []chart.Series{
			{Name: "Admitidas", One: "admitida", Many: "admitidas"},
			{Name: "Bloqueadas", One: "bloqueada", Many: "bloqueadas"},
		},
	}
	for _, day := range u.Days {
		u.Calls += day.Calls
		u.Blocked += day.Blocked
		u.Chart.Points = append(u.Chart.Points, chart.Point{Text: day.Date.Format("02/01"), Row: day.Date.Format("02/01/2006"), Values: [2]int64{day.Calls, day.Blocked}})
	}
}

// idParameter reads a query parameter as an id from 1 on; absent and empty mean 0. The error is an
// *[page.InvalidParameter].
func idParameter(c *gin.Context, name string) (int64, error) {
	text := c.Query(name)
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return 0, &page.InvalidParameter{Loc: []string{"query", name}, Msg: "Deve ser um número inteiro.", Type: "int_parsing", Input: text}
	case id < 1:
		return 0, &page.InvalidParameter{
			Loc: []string{"query", name}, Msg: "Deve ser maior ou igual a 1.", Type: "greater_than_equal", Input: text,
			Ctx: map[string]int64{"ge": 1},
		}
	}
	return id, nil
}
