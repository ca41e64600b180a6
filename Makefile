# Two commands do everything: make run, make test. See README.md.
SHELL := /bin/sh
# The version is the tag's, if there is one, otherwise Release of api/v2.go.
VERSION := $(shell git describe --tags --dirty 2>/dev/null)
ROOTS ?= 1000000
PACKAGES := ./...

export CGO_ENABLED ?= 0
# The same flags everywhere, so that the program, the tests and the programs that tests build share one build cache. nomsgpack leaves out
# a codec that gin would read request bodies with; nothing here does. Without DWARF, which only debuggers read, compiling takes a tenth less.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath -tags=nomsgpack -gcflags=all=-dwarf=false)

# The compiler, the linker and the analysers live for seconds: without garbage collection, unless they grow, they take a quarter less of the
# processors.
LAX := GOGC=off GOMEMLIMIT=1GiB

.PHONY: run test quick check templates audit bench compare months nightly build postgres chromium programs screens fuzz deb deb-test release test-arm64 tools size clean

run: postgres build
	./bin/razao up

build:
	$(LAX) go build -ldflags '-s -w$(if $(VERSION), -X main.version=$(VERSION))' -o bin/razao ./cmd/razao

# TESTS is the environment of tests: PostgreSQL is required, and temporary files go where they are fastest.
TESTS := REQUIRE_POSTGRES=1 TMPDIR=$$($(CURDIR)/.ci/tmp)

# test runs the tests of both modules, and fails if one that the documents name as proof did not run. RACE=1, which needs a C compiler, runs
# those of the product whose code runs at once under the race detector, where they cost four times as much, and the others without it: each
# test runs once. Under it are all tests of CONCURRENT, the packages that start goroutines or share state, but for ANSWERS, whose tests
# compare answers one after the other or start the program: of these, those that start a goroutine (lab/atonce finds them, whatever they
# are called), and PARALLEL, in which it is the product that does. The laboratory drives processes, which the detector does not see. With
# RACE=1, which .ci/run sets after `make check`, go test vets nothing once more, and compiles with LAX, which the tests do not see; go test
# caches no results then.
# -count=1: go test does not notice that the program has changed which the laboratory starts. -parallel 4, -p 3: tests that start programs
# or wait for something compute less than two processors can. The questions of docs/analysis.md need DuckDB and a C++ compiler, and are
# compiled while the laboratory waits. The browser's tests come last and alone: they measure what moves while pages load.
ANSWERS := razao/(api|cmd/razao|index(/(build|flags))?|ingest(/(receita|rows))?|internal/assist/(assistant|mcp)|internal/sample|internal/store/(networks|proof|snapshot)|internal/testing/relevance|migrations|site(/[a-z]+)?)
PARALLEL := TestEverythingAtOnce,TestTheLimitHoldsBack,TestLongCountsAreFinished,TestFlagsEqualAScan,TestResultDoesNotDependOnWorkers,TestCancelAtAnyStage,TestRequestsFinishOnTheirSnapshot,TestIndexBuildsDoNotPileUp,TestRequestsFinishBesideRelinking,TestReadSplitsBetweenRecords,TestTableManyBlocks,TestSameOptionsSameBytes,TestATruncatedFileIsTakenOutOfService,TestAChangedFileIsNoticedWithoutAQuery,TestGroupFigures
STARTS_OR_SHARES := (^|[^a-z])go (func|[a-z]+[.(])|\.Go\(|"sync["/]
CONCURRENT = $$(grep -rlE --include='*.go' --exclude-dir=lab --exclude-dir=bin '$(STARTS_OR_SHARES)' . | sed 's,^\.,razao,; s,/[^/]*$$,,' | sort -u | grep -vxE '$(ANSWERS)')
RESULTS := $(CURDIR)/bin/results
gotestsum = $(TESTS) $(if $(RACE),$(LAX)) $(CURDIR)/bin/tools/gotestsum --format pkgname --format-hide-empty-pkg --hide-summary skipped --jsonfile $(RESULTS)/$(1).json \
	-- $(if $(RACE),-exec "env -u GOGC -u GOMEMLIMIT") -timeout 30m -parallel 4
laboratory = cd lab && RAZAO_BINARY=$(CURDIR)/bin/razao $(call gotestsum,$(1)) -count=1 $(if $(RACE),-vet=off)
test: programs tools build
	@rm -rf $(RESULTS) && mkdir -p $(RESULTS)
ifdef RACE
	CGO_ENABLED=1 $(call gotestsum,race) -p 3 -race -vet=off $$(go list $(PACKAGES) | grep -xF "$(CONCURRENT)")
	others=$$(go list ./... | grep -vxF "$(CONCURRENT)") && $(LAX) go -C lab run ./atonce -also $(PARALLEL) .. $$others >$(RESULTS)/atonce
	{ read -r tests; read -r packages; } <$(RESULTS)/atonce && (export CGO_ENABLED=1; $(call gotestsum,race-at-once) -p 3 -race -vet=off -run "$$tests" $$packages)
	read -r tests <$(RESULTS)/atonce && $(call gotestsum,answers) -p 3 -vet=off -skip "$$tests" $$(go list $(PACKAGES) | grep -vxF "$(CONCURRENT)")
else
	$(call gotestsum,product) $(PACKAGES)
endif
ifeq ($(PACKAGES),./...)
	(export CGO_ENABLED=1; $(call laboratory,analysis) ./analysis) & analysis=$$!; \
	($(call laboratory,lab) $$(go list ./... | grep -vE '/(browser|nightly)$$')); status=$$?; \
	wait $$analysis && exit $$status
	$(call laboratory,browser) ./browser
endif
	go -C lab run ./proofs $(if $(filter ./...,$(PACKAGES)),-all) .. $(RESULTS)/*.json

# quick is for a day's work: vet, and the tests that need neither PostgreSQL nor a browser, nor start the program.
quick:
	go vet ./...
	go -C lab vet ./...
	TMPDIR=$$(./.ci/tmp) go test -short -vet=off ./...
	TMPDIR=$$(./.ci/tmp) go -C lab test -short -vet=off ./...

# templates writes the Go code of all .templ files; commit it with them.
templates: tools
	bin/tools/templ fmt api site
	bin/tools/templ generate -path api
	bin/tools/templ generate -path site

# check runs what needs no test: format, vet and static analysis, also of the GitHub workflows, a lint of the OpenAPI documents, and
# whether the code of the pages is what their templates say.
check: tools
	@unformatted="$$(bin/tools/gofumpt -l $$(git ls-files --cached --others --exclude-standard '*.go' ':!*_templ.go'))"; \
	if [ -n "$$unformatted" ]; then echo "gofumpt would change:"; echo "$$unformatted"; exit 1; fi
	$(LAX) go vet $(PACKAGES)
	$(LAX) go -C lab vet ./...
	$(LAX) bin/tools/staticcheck $(PACKAGES)
	cd lab && $(LAX) ../bin/tools/staticcheck ./...
	$(LAX) go -C lab test -run TestLint ./openapi
	bin/tools/actionlint
	bin/tools/templ fmt -fail api site
	bin/tools/templ generate -check -path api
	bin/tools/templ generate -check -path site

# audit looks for known vulnerabilities in dependencies and the standard library; it needs the network.
audit:
	@./.ci/audit

# bench measures loads, and what answers cost, on ROOTS invented companies: medians and spread. ONLY is a list of parts (go run ./bench -h in
# lab has them). With BEFORE=/elsewhere/bin/razao each measurement alternates between that build and this one, and the ratios are shown. The part
# sources loads DEBTS rows of pgfn. The part peer compares look-ups with those of another registry, whose address is RAZAO_BENCH_PEER (a CNPJ is
# appended to it) and whose processes are RAZAO_BENCH_PEER_PIDS, or with a gin server that says hello.
bench: postgres build
	cd lab && go run ./bench -roots $(ROOTS) $(if $(BEFORE),-before $(abspath $(BEFORE))) $(if $(ONLY),-only $(ONLY)) $(if $(DEBTS),-debts $(DEBTS)) $(BENCHFLAGS)

# compare asks the build BEFORE and this one the same QUESTIONS, and writes every answer that differs to the file differences.txt.
QUESTIONS ?= 20000
compare: postgres build
	cd lab && go run ./compare -before $(abspath $(BEFORE)) -questions $(QUESTIONS) -out ../differences.txt

# months loads MONTHS invented months of ROOTS companies one after the other into one data folder, and checks the reported changes
# and the disk usage after each (TestMonths).
MONTHS ?= 12
months: ROOTS := 20000
months: postgres
	$(TESTS) RAZAO_MONTHS=$(MONTHS) RAZAO_MONTHS_ROOTS=$(ROOTS) go -C lab test -count=1 -timeout 12h -v -run '^TestMonths$$' ./months

# nightly runs the campaigns that take minutes, or those of ONLY: FAULTS faults below a server with load, seeded by SEED, or those whose names
# contain FAULT; three servers on a pair of PostgreSQL servers (TestFailover); NODES servers over ROUND_TRIPS of milliseconds (TestNodes); the files
# of deploy/. Some need root. docs/reliability.md and docs/scale.md have results.
FAULTS ?= 100
SEED ?= $(shell date +%Y%j)
nightly: tools build
	@.ci/programs postgres pgbouncer varnishd prometheus faketime patroni etcd haproxy
	@mkdir -p $(RESULTS)
	cd lab && $(TESTS) RAZAO_BINARY=$(CURDIR)/bin/razao RAZAO_FAULTS=$(FAULTS) RAZAO_SEED=$(SEED) RAZAO_FAULT="$(FAULT)" RAZAO_NODES=$(NODES) \
		RAZAO_ROUND_TRIPS=$(ROUND_TRIPS) ../bin/tools/gotestsum --format standard-verbose --jsonfile $(RESULTS)/nightly.json \
		-- -count=1 -timeout 4h $(if $(ONLY),-run '$(ONLY)') ./nightly
	$(if $(ONLY),,go -C lab run ./proofs .. $(RESULTS)/nightly.json)

# fuzz runs every fuzz test, or those of PACKAGES, for FUZZTIME each, and prints how many executions each got.
FUZZTIME ?= 30s
fuzz: postgres
	@$(TESTS) .ci/fuzz $(FUZZTIME) $(PACKAGES)

# screens takes screenshots of every page, wide and narrow, into the ignored folder screens; the README's three are in docs/images.
screens: postgres chromium
	rm -rf screens
	mkdir screens
	REQUIRE_POSTGRES=1 RAZAO_SCREENS=$(CURDIR)/screens go -C lab test -count=1 -run TestWebsite/Pages ./browser

# deb builds a Debian package into dist; deb-test, as root, installs, upgrades, removes and purges it in a bare Debian.
deb: build
	deploy/debian/build dist

deb-test: build
	rm -rf dist
	deploy/debian/build dist
	.ci/deb dist/*.deb

# release builds the archives, SBOMs and checksums of a release into dist, twice, and compares the two (reproducible builds).
release:
	.ci/release --twice

# test-arm64 runs the tests of packages without outside dependencies as linux/arm64, under QEMU on other processors.
EMULATED := $(filter-out aarch64 arm64,$(shell uname -m))
PURE := ./index/column ./index/extsort ./index/filter ./index/folder ./index/term ./internal/data/... ./internal/people/seal \
	./internal/store/registry/pack ./internal/store/render ./internal/store/sitemap
test-arm64:
	$(if $(EMULATED),@./.ci/programs qemu-aarch64)
	GOARCH=arm64 go test $(if $(EMULATED),-exec qemu-aarch64) -vet=off -timeout 20m $(PURE)

# tools builds the tools of check, test and templates, as lab/go.mod pins them; the others run by go tool.
tools:
	@cd lab && $(LAX) GOBIN=$(CURDIR)/bin/tools go install github.com/a-h/templ/cmd/templ github.com/rhysd/actionlint/cmd/actionlint \
		gotest.tools/gotestsum honnef.co/go/tools/cmd/staticcheck mvdan.cc/gofumpt

# programs are those that make test starts. npm installs a generator of clients for TypeScript, which a lock file of lab/clients pins.
programs:
	@.ci/programs postgres chromium curl g++ python3 node npm

postgres chromium:
	@.ci/programs $@

size:
	@.ci/size

clean:
	rm -rf bin dist
