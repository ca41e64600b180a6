package people

import (
	"net/url"
	"regexp"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/site/page"
)

const callsPerPage = 50

// usage is what an account, or one of its keys, was used for.
type usage struct {
	Key     account.KeyID // 0: all keys
	Limit   int           // calls in a minute
	Days    []account.Day
	Calls   int64 // let in, in all days
	Blocked int64
	Columns page.ColumnChart // of the calls that were let in
	Recent  []recentCall
	Older   bool   // these are not the latest
	Latest  string // address of the latest
	Next    string // address of those before; "" when there are none
}

// First returns the day with which the chart begins.
func (u *usage) First() account.Day { return u.Days[0] }

// Last returns the day with which it ends.
func (u *usage) Last() account.Day { return u.Days[len(u.Days)-1] }

// recentCall is a call with the name of its key.
type recentCall struct {
	account.Call
	KeyName string // "" for a call without a key
}

// routeParameter is a parameter of a route as the router writes it.
var routeParameter = regexp.MustCompile(`:(\w+)`)

// Address returns the route of the call as the documentation writes it.
func (c recentCall) Address() string { return routeParameter.ReplaceAllString(c.Endpoint, "{$1}") }

// usage reads what the address asks for: the calls of one key, before one call.
func (rm *Room) usage(c *gin.Context, id account.ID, keys []account.Key) (usage, error) {
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
	if u.Days, err = rm.Accounts.Days(ctx, id, u.Key); err != nil {
		return usage{}, err
	}
	u.draw()
	calls, err := rm.Accounts.Calls(ctx, id, u.Key, account.CallID(before), callsPerPage+1)
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

// address leads to the calls of the same key before one of them; 0 stands for the latest.
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

// draw adds up the days and makes their chart.
func (u *usage) draw() {
	var all []page.Bar
	for _, day := range u.Days {
		u.Calls += day.Calls
		u.Blocked += day.Blocked
		all = append(all, page.Bar{Text: day.Date.Format("02/01/2006"), Count: day.Calls})
	}
	u.Columns = page.NewColumnChart(page.Bars(all))
}

// idParameter reads the number of something; absent and empty mean 0.
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
