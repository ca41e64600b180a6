package sample

// kind is a legal nature with what depends on it.
type kind struct {
	code        string // natureza_juridica
	share       int    // companies in 10,000
	responsible string // qualificacao_responsavel
	style       style
	activity    string // "" when any trade will do
	partner     string // qualification of the first partner, "" when the kind has no partner rows
	others      string // qualification of the other partners
	partners    int    // at most
	branches    bool
	abroad      bool
	capital     int // companies in a thousand that declare a capital
	simples     int // companies in a thousand with a row in Simples
}

// style is the way in which the companies of a kind are named.
type style int

const (
	personal style = iota
	commercial
	professional
	stock
	civic
	religious
	building
	candidate
	public
	foreign
	farm
)

// Positions in kinds that other code refers to.
const (
	individual = iota
	limited
	soleLimited
	corporation
)

var kinds = [...]kind{
	individual:  {code: "2135", share: 4500, responsible: "50", style: personal, capital: 820, simples: 970},
	limited:     {code: "2062", share: 3600, responsible: "49", style: commercial, partner: "49", others: "22", partners: 4, branches: true, capital: 970, simples: 650},
	soleLimited: {code: "2305", share: 500, responsible: "65", style: commercial, partner: "65", others: "65", partners: 1, branches: true, capital: 980, simples: 700},
	corporation: {code: "2054", share: 42, responsible: "16", style: stock, partner: "16", others: "10", partners: 7, branches: true, capital: 970},
	{code: "2046", share: 3, responsible: "10", style: stock, partner: "16", others: "08", partners: 9, branches: true, capital: 1000},
	{code: "2240", share: 120, responsible: "49", style: professional, partner: "49", others: "22", partners: 4, branches: true, capital: 950, simples: 500},
	{code: "2232", share: 60, responsible: "49", style: professional, partner: "49", others: "22", partners: 3, capital: 900, simples: 300},
	{code: "2321", share: 40, responsible: "65", style: professional, activity: "6911701", partner: "65", others: "65", partners: 1, capital: 950, simples: 600},
	{code: "2127", share: 25, responsible: "31", style: commercial, partner: "31", others: "22", partners: 2, capital: 500},
	{code: "2143", share: 25, responsible: "16", style: civic, partner: "16", others: "10", partners: 5, branches: true, capital: 600},
	{code: "2216", share: 20, responsible: "17", style: foreign, activity: "6463800", abroad: true, capital: 50},
	{code: "3999", share: 330, responsible: "16", style: civic, activity: "9430800", partner: "16", others: "10", partners: 3, branches: true},
	{code: "3220", share: 170, responsible: "16", style: religious, activity: "9491000", partner: "16", others: "10", partners: 2, branches: true},
	{code: "3085", share: 170, responsible: "19", style: building, activity: "8112500"},
	{code: "3131", share: 20, responsible: "16", style: civic, activity: "9420100", partner: "16", others: "10", partners: 3},
	{code: "3069", share: 10, responsible: "16", style: civic, activity: "9430800", partner: "16", others: "10", partners: 3},
	{code: "4120", share: 160, responsible: "59", style: farm, activity: "0151201", branches: true},
	{code: "4090", share: 150, responsible: "51", style: candidate, activity: "9492800"},
	{code: "1244", share: 10, responsible: "05", style: public, activity: "8411600"},
	{code: "1120", share: 8, responsible: "05", style: public, activity: "8411600"},
	{code: "1333", share: 12, responsible: "05", style: public, activity: "8411600"},
	{code: "1015", share: 5, responsible: "05", style: public, activity: "8411600", branches: true},
	{code: "8885", share: 20, responsible: "05", style: commercial},
}
