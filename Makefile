# make | demo | page | shots | test | mutants | attacks | test-multihost | check-packaging | soak | check-real | check-edges | eval | learn | bench | fuzz | layers | format-check | docs | install | deb | clean
# Variants: SAN=address,undefined or SAN=thread, each in its own folder under build/.

MAKEFLAGS += --no-builtin-rules
CC      ?= cc
CSTD     = -std=c11 -D_GNU_SOURCE
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
CFLAGS  ?= -O2 -g
comma   := ,
# What makes an overflow harder to use (tests/attacks/88-hardening.sh looks at what is installed); deploy/hardened.sh knows what this
# compiler has, and gives the grammars the same.
HARDENED   := $(shell CC="$(CC)" CFLAGS="$(CFLAGS)" deploy/hardened.sh)
HARDENED_LD = -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack
ifdef SAN
HARDENED   :=
HARDENED_LD =
CFLAGS   = -O1 -g1 -fno-omit-frame-pointer	# reports name functions and lines, and the compiler has a fifth less to do
SANFLAG  = -fsanitize=$(SAN) -fno-sanitize-recover=all
endif
BUILD   ?= build
B       := $(BUILD)/$(or $(subst $(comma),-,$(SAN)),release)
TP      := $(BUILD)/third_party
TS      := $(TP)/node_modules/tree-sitter/vendor/tree-sitter/lib
export BUILD B SAN
# Test programs are many and hold everything: the quickest linker that is there.
TESTLD  := $(addprefix -fuse-ld=,$(firstword $(foreach l,lld gold,$(if $(shell command -v ld.$(l)),$(l)))))
# One short line a command; V=1 shows them whole.
run      = $(if $(V),,@printf '%-5s %s\n' $(1) $(2); )

BASELIBS  = -lyaml -lcurl -ljansson -lmsgpackc -lssl -lcrypto -lsqlite3 -ldeflate -lnng -lpthread -lm
SHARDLIBS = $(B)/libshard.a $(B)/libproto.a $(TP)/grammars.a -lgit2 -lpcre2-8 -lexpat -lprotobuf-c -lseccomp $(BASELIBS)
COORDLIBS = $(B)/libcoordinator.a $(B)/libproto.a -lmicrohttpd -lpcre2-8 $(BASELIBS)
CLILIBS   = $(B)/libcli.a $(B)/libproto.a $(BASELIBS)

# ---- sources, in whatever folder: a new file edits nothing here ----
o       = $(patsubst %.c,$(B)/%.o,$(1))
below   = $(sort $(shell find $(1) -name '$(2)'))
proto  := $(call below,proto,*.c)
shard  := $(filter-out shard/main.c,$(call below,shard,*.c))
coord  := $(filter-out coordinator/main.c coordinator/cli/%,$(call below,coordinator,*.c))
cli    := $(filter-out coordinator/cli/main.c,$(call below,coordinator/cli,*.c))
tests  := $(call below,tests/unit,test_*.c)
units  := $(tests)
ifeq ($(SAN)$(WHOLE),thread)	# it has nothing to find where there is one thread
units  := $(filter-out $(foreach t,$(file < tests/skip_thread),%/$(t).c),$(units))
endif
fuzzes := $(wildcard tests/fuzz/fuzz_*.c)
benches:= $(wildcard tests/bench/bench_*.c)
tools  := $(wildcard tests/tools/*.c)
shard_data := $(sort $(call below,shard,*.sql) $(wildcard shard/lang/*.tab shard/lang/*/*.tab shard/lang/*/*.ctags shard/lang/*/*.scm shard/lang/*/routes/*.scm))
coord_data := $(sort $(wildcard coordinator/schema/*.sql))
cli_data   := $(sort $(wildcard coordinator/cli/data/*)) $(BUILD)/variables/coordinator.txt $(BUILD)/variables/shard.txt

PROGRAMS := $(addprefix $(B)/bin/,atoll-shard atoll-coordinator atoll)
unit     = $(patsubst %.c,$(B)/tests/%,$(notdir $(1)))
UNITS    := $(call unit,$(units))
FUZZES   := $(patsubst tests/fuzz/%.c,$(B)/tests/%,$(fuzzes))
BENCHES  := $(patsubst tests/bench/%.c,$(B)/tests/%,$(benches))
TESTTOOLS:= $(patsubst tests/tools/%.c,$(B)/tests/%,$(tools))

all: $(PROGRAMS)

# ---- programs ----
# A mutex that is unlocked while nobody holds it ends the program: where tests look for faults of memory, and of themselves.
$(PROGRAMS): $(if $(findstring address,$(SAN))$(CHECKED),$(B)/tests/checked_mutexes.o)
$(B)/bin/atoll-shard: $(call o,shard/main.c) $(B)/embedded_shard.o $(B)/libshard.a $(B)/libproto.a $(TP)/grammars.a
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SANFLAG) $(HARDENED_LD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(SHARDLIBS)
$(B)/bin/atoll-coordinator: $(call o,coordinator/main.c) $(B)/embedded_coord.o $(B)/libcoordinator.a $(B)/libproto.a
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SANFLAG) $(HARDENED_LD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(COORDLIBS)
$(B)/bin/atoll: $(call o,coordinator/cli/main.c) $(B)/embedded_cli.o $(B)/libcli.a $(B)/libproto.a
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SANFLAG) $(HARDENED_LD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(CLILIBS)

$(B)/libproto.a: $(call o,$(proto))
$(B)/libshard.a: $(call o,$(shard)) $(B)/generated/shard/graph/scip/scip.pb-c.o
$(B)/libcoordinator.a: $(call o,$(coord))
$(B)/libcli.a: $(call o,$(cli))
$(B)/lib%.a:
	@rm -f $@
	$(call run,AR,$@)$(AR) rcs $@ $(filter %.o,$^)

# Tests, fuzzers and benchmarks may use every layer; the archives give them only what they call.
ALLLIBS = -Wl,--start-group $(B)/libshard.a $(B)/libcoordinator.a $(B)/libcli.a $(B)/libproto.a -Wl,--end-group \
	$(TP)/grammars.a -lgit2 -lpcre2-8 -lexpat -lprotobuf-c -lseccomp -lmicrohttpd -lcmocka $(BASELIBS)
$(foreach t,$(tests),$(eval $(call unit,$(t)): $(call o,$(t))))
$(call unit,$(tests)): $(B)/tests/open_files.o $(if $(filter thread,$(SAN)),,$(B)/tests/checked_mutexes.o) $(B)/embedded_all.o $(B)/libshard.a $(B)/libcoordinator.a $(B)/libcli.a $(B)/libproto.a $(TP)/grammars.a
	@mkdir -p $(@D)
	$(call run,LD,$@)$(CC) $(SANFLAG) $(TESTLD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(ALLLIBS)
$(B)/tests/%: $(B)/tests/bench/%.o $(B)/embedded_all.o $(B)/libshard.a $(B)/libcoordinator.a $(B)/libcli.a $(B)/libproto.a $(TP)/grammars.a
	$(call run,LD,$@)$(CC) $(SANFLAG) $(TESTLD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(ALLLIBS)
# The floor is tree-sitter as it comes, its grammars too.
$(B)/tests/bench_index: $(TP)/stock.o
# Calls between files of the program that are timed.
$(B)/tests/bench_extraction: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,contracts_find operations_find collections_find generated_find \
	gateways_read settings_read grpc_find crossfile_build bind_handlers_run)
$(B)/tests/%: $(B)/tests/tools/%.o $(B)/embedded_all.o $(B)/libshard.a $(B)/libcoordinator.a $(B)/libcli.a $(B)/libproto.a $(TP)/grammars.a
	$(call run,LD,$@)$(CC) $(SANFLAG) $(TESTLD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(ALLLIBS)
$(B)/tests/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/standalone.o $(B)/embedded_all.o $(B)/libshard.a $(B)/libcoordinator.a $(B)/libcli.a $(B)/libproto.a $(TP)/grammars.a
	$(call run,LD,$@)$(CC) $(SANFLAG) $(TESTLD) $(LDFLAGS) -o $@ $(filter %.o,$^) $(ALLLIBS)

$(B)/%.o: %.c Makefile | $(TP)/grammars.a
	@mkdir -p $(@D)
	$(call run,CC,$<)$(CC) $(CSTD) $(WARN) $(CFLAGS) $(HARDENED) $(SANFLAG) -I. -isystem $(B)/generated -isystem $(TS)/include -MMD -MP -c -o $@ $<

# The one file that sees how a tree is made.
$(B)/shard/syntax/tree_nodes.o: CSTD += -isystem $(TP)/core

# ---- what protoc-c makes of a .proto ----
$(B)/generated/%.pb-c.c: %.proto | $(BUILD)/deps
	@mkdir -p $(@D)
	$(call run,PROTO,$<)protoc-c --c_out=$(B)/generated $<
$(B)/generated/%.pb-c.o: $(B)/generated/%.pb-c.c
	$(call run,CC,$<)$(CC) $(CSTD) $(CFLAGS) $(HARDENED) $(SANFLAG) -isystem $(B)/generated -c -o $@ $<
$(B)/shard/graph/scip/scip.o: $(B)/generated/shard/graph/scip/scip.pb-c.c

# ---- the page: npm packages pinned by coordinator/web/package-lock.json; build.mjs makes web/site of coordinator/web ----
web_clients := coordinator/cli/data/clients.txt
web_files := $(filter-out %.md,$(sort $(wildcard coordinator/web/*.* coordinator/web/src/* coordinator/web/src/*/*))) $(web_clients)
$(BUILD)/web/installed: coordinator/web/package.json coordinator/web/package-lock.json coordinator/web/.npmrc | $(BUILD)/deps
	@mkdir -p $(@D)
	cp coordinator/web/package.json coordinator/web/package-lock.json coordinator/web/.npmrc $(@D)/
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
$(BUILD)/web/built: $(BUILD)/web/installed $(web_files)
	@rm -rf $(@D)/src && cp -R coordinator/web/src coordinator/web/build.mjs coordinator/web/tsconfig.json $(web_clients) $(@D)/
	$(call run,PAGE,$(@D)/site)cd $(@D) && node build.mjs
	@touch $@
$(BUILD)/web/checked: $(BUILD)/web/built
	$(call run,TSC,coordinator/web)cd $(@D) && node_modules/.bin/tsc --noEmit
	@touch $@

# ---- data files, carried in the programs ----
$(B)/embedded_shard.c: $(shard_data)
$(B)/embedded_coord.c: $(coord_data) $(BUILD)/web/built
$(B)/embedded_cli.c: $(cli_data)
$(B)/embedded_all.c: $(shard_data) $(coord_data) $(cli_data)
$(B)/embedded_%.c: proto/process/embed.sh
	@mkdir -p $(@D)
	$(call run,EMBED,$@)proto/process/embed.sh $(filter-out %.sh %/built,$^) $(if $(filter %/built,$^),$$(find $(BUILD)/web/site -type f | LC_ALL=C sort)) > $@
$(B)/proto/embed/embedding_model_data.o: proto/embed/model/code-embed.bin
$(B)/embedded_%.o: $(B)/embedded_%.c | $(BUILD)/deps
	$(call run,CC,$<)$(CC) $(CSTD) $(HARDENED) -I. -c -o $@ $<

# A line for each option of a program: the variables of the environment that it reads.
$(BUILD)/variables/shard.txt: shard/base/options.def
$(BUILD)/variables/coordinator.txt: coordinator/base/options.def
$(BUILD)/variables/%.txt: proto/embed/embedder.def coordinator/base/forges.def Makefile
	@mkdir -p $(@D)
	$(call run,VARS,$@)printf '#define OPT(t, name, a, d, env, h) name env ;\n#include "$(filter %/options.def,$^)"\n' | $(CC) -E -P -I. - | \
		tr -d '\n"' | tr 'a-z;' 'A-Z\n' | sed '/[^ ]/!d; s/^ */ATOLL_/' > $@

# ---- what the machine lacks is installed first, again when the list changes ----
$(BUILD)/deps: deploy/install-deps.sh
	@mkdir -p $(@D)
	deploy/install-deps.sh
	@touch $@

# ---- grammars: npm packages pinned by shard/lang/package-lock.json; shard/lang/<name>/grammar names the folder ----
grammar_files := $(sort $(wildcard shard/lang/*/grammar))
scanner_patches := $(sort $(wildcard shard/lang/*/scanner.patch))
$(TP)/installed: shard/lang/package.json shard/lang/package-lock.json | $(BUILD)/deps
	@mkdir -p $(TP)
	cp shard/lang/package.json shard/lang/package-lock.json $(TP)/
	cd $(TP) && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --loglevel=error
	@touch $@
$(TP)/grammars.a: $(TP)/installed $(grammar_files) $(scanner_patches) deploy/grammars.sh deploy/tree-sitter.patch deploy/parser.h deploy/scanner.h deploy/hardened.sh
	deploy/grammars.sh $(TP) $(grammar_files)
$(TP)/stock.o: $(TP)/installed $(grammar_files) deploy/grammars.sh deploy/scanner.h
	deploy/grammars.sh --stock $(TP) $(grammar_files)

# ---- MCP clients for the tests: npm packages pinned by tests/mcp/package-lock.json ----
$(BUILD)/mcp/installed: tests/mcp/package.json tests/mcp/package-lock.json tests/mcp/.npmrc | $(BUILD)/deps
	@mkdir -p $(@D)
	cp tests/mcp/package.json tests/mcp/package-lock.json tests/mcp/.npmrc $(@D)/
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# ---- a browser's driver for the tests of the page: pinned by tests/page/package-lock.json ----
$(BUILD)/page/installed: tests/page/package.json tests/page/package-lock.json tests/page/.npmrc | $(BUILD)/deps
	@mkdir -p $(@D)
	cp tests/page/package.json tests/page/package-lock.json tests/page/.npmrc $(@D)/
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# ---- SCIP indexers that call edges are measured against: pinned by tests/oracle/package-lock.json ----
$(BUILD)/oracle/installed: tests/oracle/package.json tests/oracle/package-lock.json tests/oracle/.npmrc | $(BUILD)/deps
	@mkdir -p $(@D)
	cp tests/oracle/package.json tests/oracle/package-lock.json tests/oracle/.npmrc $(@D)/
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# ---- checks ----
layers:
	@deploy/layers.py

# Changed lines of C against .clang-format; BASE=COMMIT says since when, else origin/main.
format-check:
	@deploy/format-check.py $(BASE)

test: all layers $(UNITS) $(FUZZES) $(TESTTOOLS) $(BUILD)/mcp/installed $(BUILD)/web/checked $(BUILD)/page/installed
	@tests/run.sh

# Each attack of SECURITY.md in its long form; `make test` has the short ones.
attacks: all $(UNITS) $(TESTTOOLS)
	@WHOLE=1 ATTACKS=long LIMIT=1800 tests/run.sh attacks/

# Small defects, one at a time, and which of them the tests notice: tests/mutants/README.md.  SEED, N, FILES, SINCE, FUNCTIONS, AGAIN.
mutants: $(TP)/grammars.a $(BUILD)/web/built $(BUILD)/variables/coordinator.txt $(BUILD)/variables/shard.txt $(BUILD)/mcp/installed
	@SEED="$(SEED)" N="$(N)" FILES="$(FILES)" SINCE="$(SINCE)" FUNCTIONS="$(FUNCTIONS)" AGAIN="$(AGAIN)" nice tests/mutants/mutants.py

test-multihost: all
	@MULTIHOST=whole tests/multihost/20-hosts.sh || [ $$? -eq 77 ]

# The Debian package in a Debian of its own, booted: root, debootstrap, systemd-nspawn and a mirror.
check-packaging: all
	@tests/installed.sh || [ $$? -eq 77 ]

page: $(BUILD)/web/checked

# Each view, light and dark, desktop and phone, as pictures in build/shots.
shots: all $(BUILD)/page/installed
	@SHOTS=$(abspath $(BUILD))/shots LIMIT=1800 tests/run.sh 65-page

demo: all
	@tests/fixtures/demo.sh $(if $(CHECK),--check)

check-real: all
	@tests/check-real.sh "$(REPOS)"

check-edges: all $(BUILD)/oracle/installed
	@tests/oracle/run.sh "$(REPOS)"

eval: all $(B)/tests/match
	@tests/eval.sh "$(EVAL)" "$(REPOS)"

learn: all $(B)/tests/match
	@python3 tests/confidence/confidence.py learn "$(EVAL)" "$(REPOS)" $(B)/bin $(B)/tests/match

bench: all $(BENCHES) $(TESTTOOLS) $(BUILD)/page/installed
	@tests/bench/run.sh

soak: all $(TESTTOOLS) $(B)/tests/test_contracts
	@$(MAKE) SAN=address,undefined all
	@B=$(BUILD)/address-undefined TOOLS=$(abspath $(B))/tests FRAMES=$${FRAMES:-10000000} REQUESTS=$${REQUESTS:-1000000} tests/attacks/75-mutations.sh
	@tests/soak.sh
	@MULTIHOST=whole tests/multihost/20-hosts.sh || [ $$? -eq 77 ]
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-600} tests/fuzz/fuzz.sh http jsonrpc arguments
	@WHOLE=1 $(MAKE) test SAN=address,undefined
	@WHOLE=1 $(MAKE) test SAN=thread

fuzz:
	@tests/fuzz/fuzz.sh

docs: all
	@deploy/docs.sh

PREFIX ?= /usr/local
install: all
	@deploy/install.sh $(B)/bin "$(DESTDIR)" "$(PREFIX)"

deb: all
	@deploy/deb.sh $(B)/bin $(BUILD)

clean:
	rm -rf $(BUILD)

.PHONY: all test mutants attacks test-multihost check-packaging demo page shots check-real check-edges eval learn bench soak fuzz layers format-check docs install deb clean
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
