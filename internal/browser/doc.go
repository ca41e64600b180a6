// Package browser tests the website as people meet it: the whole program, built and loaded with invented companies, in
// front of a real Chromium, with a mail server and a provider of identities on loopback. Its tests follow what visitors
// do, and open every page and state in light and dark, wide and narrow, to look for barriers with axe-core. None may
// write an error on the console, break the content security policy or ask another host for anything.
//
//	go test ./internal/browser -v -run TestWebsite/Pages    also the table of the pages with what they weigh
//	make screens                                            pictures of every page, into ./screens
//
// RAZAO_CHROMIUM names a Chromium to use instead of the one that is installed. testdata/axe.min.js is axe-core 4.14.1,
// used by these tests alone, under the licence beside it.
package browser
