# zuno: `make run` builds and starts it, `make test` runs every test. Both get
# what they need: Go modules, and a ripgrep of at least version 14.
GO      ?= go
RG      := .tools/rg
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
export CGO_ENABLED := 0
export ZUNO_RG := $(CURDIR)/$(RG)

.PHONY: run build test race lint bench golden docs pictures dist-docs cross release-snapshot fuzz clean

run: build $(RG)
	@ln -sf ../$(RG) bin/rg # so that bin/zuno works by itself too
	@./bin/zuno $(ARGS)

build:
	@$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/zuno ./cmd/zuno

test: $(RG)
	$(GO) test -timeout 20m ./...
	$(MAKE) --no-print-directory race

# The packages in which goroutines meet, once more under the race detector,
# which needs cgo and so a C compiler; without one this says so and passes.
RACE := ./internal/approval/... ./internal/mcp/... ./internal/compaction/... ./internal/loop/... ./internal/shell/... ./internal/store/... ./internal/llm/... ./internal/headless/... ./internal/tui/... ./internal/tools/...
race: $(RG)
	@if command -v gcc >/dev/null || command -v clang >/dev/null; then \
		CGO_ENABLED=1 $(GO) test -race -short -timeout 20m $(RACE); \
	else echo "race: skipped, there is no C compiler"; fi

lint:
	@scripts/lint.sh

bench: build $(RG)
	@$(GO) run ./internal/bench -zuno bin/zuno

golden:
	$(GO) test ./internal/approval ./internal/tui ./internal/agent -update

docs:
	$(GO) test ./cmd/zuno -run TestDocs -update

# Man pages and completions, as a package brings them along, into dist-docs/, with
# the date of the commit.
dist-docs:
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null) $(GO) test ./cmd/zuno -run TestDistDocs -count=1 -dist $(CURDIR)/dist-docs

# The systems that a release is made for; only linux/amd64 runs the tests. CI
# builds one of each other kind, which tells what would break on all of them.
# What is thrown away need not be fast: without optimization the compiler works a
# quarter less, mostly on SQLite. (The vet of .ci/run has the same flags, so that
# it finds what was compiled here.)
TARGETS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
cross:
	@for t in $(TARGETS); do \
		echo $$t; GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build -gcflags='all=-N -l' -ldflags='-s -w' -o /dev/null ./cmd/zuno || exit 1; \
	done

# A release as .goreleaser.yaml makes it, into dist/, published nowhere. The tool
# is large: the first time takes minutes.
GORELEASER := github.com/goreleaser/goreleaser/v2@v2.15.1
release-snapshot:
	$(GO) run $(GORELEASER) release --snapshot --clean --skip=publish

# The pictures of the documentation, from the real program on the tour.
pictures: build $(RG)
	$(GO) run ./internal/pictures -zuno bin/zuno -out docs/pictures

# Each fuzz target for a number of runs: make fuzz FUZZTIME=1000000x. (A time
# works too, but the fuzzer may then report its own deadline as a failure.)
FUZZTIME ?= 100000x
fuzz:
	@scripts/fuzz.sh $(FUZZTIME)

$(RG):
	@scripts/rg.sh $(RG)

clean:
	rm -rf bin .tools dist dist-docs
