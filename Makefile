# Two commands do everything: make run, make test. See README.md.
SHELL := /bin/sh
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo 2.0.0-dev)
ROOTS ?= 1000000
PACKAGES := ./...

export CGO_ENABLED ?= 0
# The program, the tests and what tests build share their parts when all are built with the same flags.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)

.PHONY: run test check audit bench bench-ingest bench-search bench-sources bench-pages bench-mcp months crash chaos build postgres pgbouncer varnish chromium prometheus screens fuzz deb deb-test release test-arm64 clean

run: postgres build
	./bin/razao up

build:
	go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/razao ./cmd/razao

# TESTS runs go test where it is fastest.
TESTS := REQUIRE_POSTGRES=1 TMPDIR=$$(./.ci/tmp)

# test runs all tests, and demands those that the documents name as proofs. RACE=1 runs them under the race detector, which
# needs a C compiler. The oracles of index ask one question after the other: there it watches only what asks at once or behind the
# gate, and the other packages' tests, which ask the same index from many goroutines.
RACE_IN_INDEX := AtOnce|HoldsBack|CountsAreFinished
# Tests that start programs wait more than they compute.
PROOFS := go run ./internal/proofs -timeout 30m -parallel 4
test: postgres pgbouncer varnish chromium prometheus
ifdef RACE
	$(TESTS) CGO_ENABLED=1 $(PROOFS) -race $$(go list $(PACKAGES) | grep -vx razao/index)
	CGO_ENABLED=1 go test -race -parallel 4 -run '$(RACE_IN_INDEX)' ./index
	$(TESTS) $(PROOFS) ./index
else
	$(TESTS) $(PROOFS) $(PACKAGES)
endif

# check is what a change must pass before its tests: format, vet and static analysis, of the hosted workflows too.
check:
	@unformatted="$$(go tool gofumpt -l $$(git ls-files --cached --others --exclude-standard '*.go'))"; \
	if [ -n "$$unformatted" ]; then echo "gofumpt would change:"; echo "$$unformatted"; exit 1; fi
	go vet $(PACKAGES)
	go tool staticcheck $(PACKAGES)
	go tool actionlint

# audit looks for known vulnerabilities in what the program uses; it needs the network.
audit:
	@./.ci/audit

# bench measures ingest, look-ups and search on ROOTS invented companies; docs/performance.md explains the figures.
# With BEFORE=/elsewhere/bin/razao every bench asks that build the same in turn.
BENCH := go run ./cmd/bench $(if $(BEFORE),-before $(BEFORE)) -roots $(ROOTS)
bench: postgres build
	$(BENCH)

# bench-ingest measures loading alone: wall, CPU of client and PostgreSQL, memory of both and temporary files, stage by stage.
bench-ingest: postgres
	$(BENCH) -only ingest

# bench-search measures search, completion, listings, counts and rankings inside the index and through the website.
bench-search: postgres build
	$(BENCH) -only search -conns 1,2,8

# bench-sources measures loading the public-record sources, with DEBTS rows of pgfn, and asking the API for them.
DEBTS ?= 5000000
bench-sources: postgres build
	$(BENCH) -only sources -debts $(DEBTS) -conns 1,8

# bench-pages measures the pages of the website, with what they weigh.
bench-pages: postgres build
	$(BENCH) -only pages -duration 5s

# bench-mcp measures the tools of assistants beside the API.
bench-mcp: postgres build
	$(BENCH) -only mcp -conns 1,8

# months lets MONTHS invented months of ROOTS companies follow each other in one data folder: what is said to have changed, and
# bytes on disk, are compared each month (TestMonths).
MONTHS ?= 12
months: ROOTS := 20000
months: postgres
	$(TESTS) RAZAO_MONTHS=$(MONTHS) RAZAO_MONTHS_ROOTS=$(ROOTS) go test -count=1 -timeout 12h -v -run '^TestMonths$$' ./cmd/razao

# crash kills commands and PostgreSQL KILLS times beside a server that is asked, and fills FULL_DISKS disks, which takes root;
# docs/reliability.md has what came of it.
KILLS ?= 100
SEED ?= 1
FULL_DISKS ?= 10
crash: postgres
	RAZAO_KILLS=$(KILLS) RAZAO_SEED=$(SEED) RAZAO_FULL_DISKS=$(FULL_DISKS) $(TESTS) \
		go test -count=1 -timeout 2h -v -run 'TestKilledAtAnyMoment|TestDiskFullAtAnyByte' ./cmd/razao

# chaos breaks, FAULTS times, what a server stands on while it is asked, as root with Debian's faketime all of it; CHAOS names a
# binary to break instead of a new one, FAULT one kind. docs/reliability.md has what came of it.
FAULTS ?= 200
CHAOS ?= $(RAZAO_CHAOS_BINARY)
chaos: postgres
	RAZAO_FAULTS=$(FAULTS) RAZAO_SEED=$(SEED) RAZAO_FAULT="$(FAULT)" RAZAO_CHAOS_BINARY=$(abspath $(CHAOS)) $(TESTS) \
		go test -count=1 -timeout 4h -v -run '^TestChaos$$' ./cmd/razao

# fuzz gives every fuzz test FUZZTIME, or those of PACKAGES, and adds the executions to the total in docs/security.md.
FUZZTIME ?= 30s
fuzz: postgres
	@$(TESTS) go run ./internal/fuzzing -time $(FUZZTIME) -total docs/security.md $(PACKAGES)

# screens takes pictures of every page, wide and narrow, into the ignored folder screens; docs/images has the README's three.
screens: postgres chromium
	rm -rf screens
	mkdir screens
	REQUIRE_POSTGRES=1 RAZAO_SCREENS=$(CURDIR)/screens go test -count=1 -run TestWebsite/Pages ./internal/browser

# deb builds a Debian package into dist; deb-test, as root, installs it into a bare Debian, upgrades, removes and purges it.
deb: build
	deploy/debian/build dist

deb-test: build
	rm -rf dist
	deploy/debian/build dist
	.ci/deb dist/*.deb

# release builds the archives, bills of materials and checksums of a release into dist, twice, and compares.
release:
	.ci/release --twice

# test-arm64 runs the tests of packages that need nothing but a processor as linux/arm64, on another processor in QEMU.
EMULATED := $(filter-out aarch64 arm64,$(shell uname -m))
PURE := ./index/column ./index/company ./index/filter ./index/folder ./index/text \
	./internal/cnae ./internal/cnpj ./internal/criteria ./internal/extsort ./internal/ptbr ./internal/record ./internal/recent ./internal/registry/pack \
	./internal/render ./internal/seal ./internal/sitemap ./internal/slug ./internal/source/... ./internal/territory
test-arm64:
	$(if $(EMULATED),@./.ci/program qemu-aarch64 qemu-user)
	GOARCH=arm64 go test $(if $(EMULATED),-exec qemu-aarch64) -vet=off -timeout 20m $(PURE)

postgres:
	@./.ci/postgres

pgbouncer:
	@./.ci/program pgbouncer

varnish:
	@./.ci/program varnishd varnish

chromium:
	@./.ci/chromium

prometheus:
	@./.ci/prometheus

clean:
	rm -rf bin dist
