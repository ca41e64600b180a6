package browser

import (
	"testing"

	"razao/lab/internal/built"
)

func TestMain(m *testing.M) { built.Main(m) }

// TestWebsite opens the website once for all that is tested on it.
func TestWebsite(t *testing.T) {
	w := open(t)
	for name, test := range map[string]func(*testing.T){
		"Combobox":        w.combobox,
		"ComboboxNothing": w.comboboxNothing,
		"ComboboxStale":   w.comboboxStale,
		"ComboboxFails":   w.comboboxFails,
		"Back":            w.back,
		"BackToKept":      w.backToKept,
		"PhoneByKeyboard": w.phoneByKeyboard,
		"Browse":          w.browse,
		"Pasted":          w.pasted,
		"Paging":          w.paging,
		"Filters":         w.filters,
		"Orders":          w.orders,
		"Key":             w.key,
		"Sessions":        w.sessions,
		"Links":           w.links,
		"ByOIDC":          w.byOIDC,
		"Assistant":       w.assistant,
		"Reference":       w.reference,
		"History":         w.history,
		"HistoryWithout":  w.historyWithoutStorage,
		"Downloads":       w.downloads,
		"TaskOwes":        w.owes,
		"FirstScreen":     w.firstScreen,
		"TaskName":        w.findsByName,
		"TaskBakeries":    w.listsBakeries,
		"TaskSource":      w.followsASource,
		"TaskFirstCall":   w.callsFirst,
		"TaskContact":     w.hidesAContact,
		"TaskCities":      w.ranksCities,
		"TaskCompare":     w.comparesCities,
		"TaskDescribe":    w.describesACompany,
		"FieldsForm":      w.completesTheForm,
		"FieldsFacet":     w.completesAFacet,
		"TaskChanges":     w.seesWhatChanged,
		"TaskAssistant":   w.connectsAnAssistant,
		"Measures":        w.measures,
		"Spoken":          w.isSpoken,
		"FirstResults":    w.firstResults,
		"Printed":         w.printed,
		"Cites":           w.cites,
		"WithoutScript":   w.withoutScript,
		"Pages":           w.pages,
	} {
		t.Run(name, test)
	}
}
