package country

// Kind is a legal nature and what depends on it.
type Kind struct {
	Code        string // natureza_juridica
	share       int    // companies in 10,000
	Responsible string // qualificacao_responsavel
	Style       Style
	activity    string // CNAE subclass of all its companies, "" for any
	Partner     string // qualificacao_socio of the first partner, "" for no partners
	Others      string // qualificacao_socio of the other partners
	Partners    int    // most partners at the start
	Branches    bool   // may have branches
	Capital     int    // companies in a thousand that declare a capital
	Simples     int    // companies in a thousand with a row in Simples
}

// Style groups the kinds by how their companies are named and behave.
type Style int

// The styles.
const (
	Personal     Style = iota // individual entrepreneurs
	Commercial                // limited companies
	Professional              // partnerships of professionals
	Stock                     // corporations
	Civic                     // associations, cooperatives, unions, foundations
	Religious
	Building  // condominiums
	Candidate // candidates in elections
	Public    // public bodies
	Foreign   // companies domiciled abroad
	Farm      // rural producers
)

// Positions in kinds that other code refers to.
const (
	individual = iota
	limited
	soleLimited
	corporation
)

// Codes of legal natures that other code refers to.
const (
	Cooperative = "2143"
	Federal     = "1015"

	simpleLimited = "2240"
	union         = "3131"
	foundation    = "3069"
)

// kinds holds the legal natures that occur, with their real proportions; rare ones are left out.
// Those that other code refers to come first.
var kinds = [...]Kind{
	individual:  {Code: "2135", share: 4500, Responsible: "50", Style: Personal, Capital: 820, Simples: 970},
	limited:     {Code: "2062", share: 3600, Responsible: "49", Style: Commercial, Partner: "49", Others: "22", Partners: 4, Branches: true, Capital: 970, Simples: 650},
	soleLimited: {Code: "2305", share: 500, Responsible: "65", Style: Commercial, Partner: "65", Others: "65", Partners: 1, Branches: true, Capital: 980, Simples: 700},
	corporation: {Code: "2054", share: 42, Responsible: "16", Style: Stock, Partner: "16", Others: "10", Partners: 7, Branches: true, Capital: 970},
	{Code: "2046", share: 3, Responsible: "10", Style: Stock, Partner: "16", Others: "08", Partners: 9, Branches: true, Capital: 1000},
	{Code: simpleLimited, share: 120, Responsible: "49", Style: Professional, Partner: "49", Others: "22", Partners: 4, Branches: true, Capital: 950, Simples: 500},
	{Code: "2232", share: 60, Responsible: "49", Style: Professional, Partner: "49", Others: "22", Partners: 3, Capital: 900, Simples: 300},
	{Code: "2321", share: 40, Responsible: "65", Style: Professional, activity: "6911701", Partner: "65", Others: "65", Partners: 1, Capital: 950, Simples: 600},
	{Code: "2127", share: 25, Responsible: "31", Style: Commercial, Partner: "31", Others: "22", Partners: 2, Capital: 500},
	{Code: Cooperative, share: 25, Responsible: "16", Style: Civic, Partner: "16", Others: "10", Partners: 5, Branches: true, Capital: 600},
	{Code: "2216", share: 20, Responsible: "17", Style: Foreign, activity: "6463800", Capital: 50},
	{Code: "3999", share: 330, Responsible: "16", Style: Civic, activity: "9430800", Partner: "16", Others: "10", Partners: 3, Branches: true},
	{Code: "3220", share: 170, Responsible: "16", Style: Religious, activity: "9491000", Partner: "16", Others: "10", Partners: 2, Branches: true},
	{Code: "3085", share: 170, Responsible: "19", Style: Building, activity: "8112500"},
	{Code: union, share: 20, Responsible: "16", Style: Civic, activity: "9420100", Partner: "16", Others: "10", Partners: 3},
	{Code: foundation, share: 10, Responsible: "16", Style: Civic, activity: "9430800", Partner: "16", Others: "10", Partners: 3},
	{Code: "4120", share: 160, Responsible: "59", Style: Farm, activity: "0151201", Branches: true},
	{Code: "4090", share: 150, Responsible: "51", Style: Candidate, activity: "9492800"},
	{Code: "1244", share: 10, Responsible: "05", Style: Public, activity: "8411600"},
	{Code: "1120", share: 8, Responsible: "05", Style: Public, activity: "8411600"},
	{Code: "1333", share: 12, Responsible: "05", Style: Public, activity: "8411600"},
	{Code: Federal, share: 5, Responsible: "05", Style: Public, activity: "8411600", Branches: true},
	{Code: "8885", share: 20, Responsible: "05", Style: Commercial},
}
