package people

import "strings"

// browserNames are searched in order: most browsers also claim to be another one.
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

// browserName returns browser and operating system of a User-Agent, for the list of sessions.
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
