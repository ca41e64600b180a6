// Package browser tests the website as people meet it: the built program, loaded with invented
// companies, in front of a real Chromium, with a mail server and an OpenID provider on loopback.
// Its tests carry out the tasks of visitors, and examine every page and state with axe-core in
// light and dark, wide and narrow. No page may write an error to the console, violate the content
// security policy or contact another host.
//
//	go -C lab test ./browser -v -run TestWebsite/Pages      also prints the weight of every page
//	go -C lab test ./browser -v -run TestWebsite/Task       the clicks and seconds of tasks
//	go -C lab test ./browser -v -run TestWebsite/Measures   heights, weights and layout shifts of twelve pages
//	go -C lab test ./browser -v -run TestWebsite/Spoken     what a screen reader is told of results and companies
//	make screens                                            pictures of every page, into ./screens
//
// RAZAO_CHROMIUM names a Chromium to use instead of the installed one. testdata/axe.min.js is
// axe-core 4.14.1, used by these tests alone, under the licence beside it.
package browser
