package people

import (
	"strings"
)

// browserNames are looked for in this order, because most browsers also claim to be another one.
var browserNames = [...]struct{ mark, name string }{
	{"Edg", "Edge"},
	{"OPR/", "Opera"},
	{"SamsungBrowser/", "Samsung Internet"},
	{"Firefox/", "Firefox"},
	{"FxiOS/", "Firefox"},
	{"Chrome/", "Chrome"},
	{"CriOS/", "Chrome"},
	{"Safari/", "Safari"},
}

var systemNames = [...]struct{ mark, name string }{
	{"Android", "Android"},
	{"iPhone", "iPhone"},
	{"iPad", "iPad"},
	{"Windows", "Windows"},
	{"Mac OS X", "macOS"},
	{"Linux", "Linux"},
}

// browserName says which browser something claims to be, in the words of its owner.
func browserName(agent string) string {
	browser := "Navegador desconhecido"
	for _, b := range browserNames {
		if strings.Contains(agent, b.mark) {
			browser = b.name
			break
		}
	}
	for _, system := range systemNames {
		if strings.Contains(agent, system.mark) {
			return browser + " em " + system.name
		}
	}
	return browser
}
