package site

// What tests in package site_test, which serve the whole website, see of this package.
type (
	RemoteServer = remoteServer
	Conversation = conversation
	ChatMessage  = chatMessage
)

const (
	InventedSitemap   = inventedSitemap
	SitemapsPerMinute = sitemapsPerMinute
)

var (
	ExamplePrograms = examplePrograms
	ListPrograms    = listPrograms
	ReadExample     = readExample
	ProgramFile     = programFile
	Conversations   = readConversations[conversation]
	ChatMessages    = readConversations[chatMessage]
)
