#!/bin/bash
# A question that is the name of a definition gets that definition first, whatever it is and wherever it stands, then names that
# differ by case or separators, then longer ones.  Kinds select definitions of one line too.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"

python3 - "$W" <<'PY'
import os, sys
w = sys.argv[1]
def write(path, text):
    os.makedirs(os.path.dirname(w + "/" + path), exist_ok=True)
    open(w + "/" + path, "w").write(text)
def lookalikes(name):	# functions that say the same words all the time
    return "".join(f"\n\ndef {name.lower()}_of_{i}({name}):\n    '''{name} {name} {name}'''\n    return use({name}, {name})\n" for i in range(4))
write("one/go/limits.go", "package limits\n\nconst MaxWalrusCount = 7\n\ntype WalrusID int64\n\ntype Herd struct {\n\tPolarSize int\n}\n\n"
      "var ErrNoWalrus = errors.New(\"none\")\n\nfunc (h *Herd) Gather() int {\n\th.PolarSize++\n\treturn MaxWalrusCount\n}\n")
write("one/java/State.java", "package zoo;\n\npublic enum State {\n    FEEDING_SOON,\n    ASLEEP;\n}\n\nclass Keeper {\n"
      "    static final int TUSK_LENGTH = 3;\n\n    Keeper(String name) {\n        this.name = name;\n        start();\n        wake();\n    }\n}\n")
write("one/c/walrus.h", "#define WALRUS_RING 4\ntypedef struct herd walrus_herd_t;\nenum tide { TIDE_LOW, TIDE_HIGH };\n"
      "int walrus_open(void);\n")
write("one/c/walrus.c", '#include "walrus.h"\n\nint walrus_open(void)\n{\n\tint n = WALRUS_RING;\n\n\treturn n + 1;\n}\n')
write("two/ts/types.ts", "export type FlipperMap = Record<string, number>;\n\nexport enum Swim { Breast = 1, Backwards = 2 }\n\n"
      "export interface Pool {\n  depthMetres: number;\n}\n")
write("two/py/settings.py", "ICE_TIMEOUT = 30\nretry_limit = 3\n" + lookalikes("ICE_TIMEOUT") + lookalikes("MaxWalrusCount") +
      lookalikes("FEEDING_SOON") + lookalikes("FlipperMap") + lookalikes("WALRUS_RING") + lookalikes("COLD_SEA") + lookalikes("IceShelf"))
write("two/py/user.py", "class Client:\n    def get_user(self, key):\n        row = self.read(key)\n        return row or None\n\n"
      "    def get_user_by_mail(self, mail):\n        for x in self.rows:\n            if x == mail:\n                return x\n\n\n"
      "def GetUser():\n    a = 1\n    return a\n")
write("two/ruby/sea.rb", "module Arctic\n  COLD_SEA = 4\n\n  def self.thaw!\n    1\n  end\nend\n")
write("two/rust/src/lib.rs", "pub const ICE_FLOES: usize = 3;\npub type Floe = u8;\npub static GREETING: &str = \"hi\";\n")
write("two/tests/test_sea.py", "SPRING_TIDE = 1\n\n\ndef get_user():\n    return SPRING_TIDE\n")
write("two/js/api.generated.js", "function wake(all) {\n  const zebuQuokka = all.length;\n  return { okapiNumbat: zebuQuokka };\n}\n")
write("two/cs/Ice.cs", "namespace Ice {\n    public class IceShelf {\n        public string ShelfName { get; set; }\n"
      "        public IceShelf(string a) {\n            ShelfName = a;\n            Log(a);\n            Log(ShelfName);\n        }\n    }\n}\n")
# what the index leaves out, except for names
vendored = ["class WalrusWidget {", "  spinWidget(speed) {", "    return speed * 2;", "  }", "}"]
write("three/.gitattributes", "lib/** linguist-vendored\n")
write("three/.atollignore", "ignored/\n")
write("three/lib/widget.js", "\n".join(vendored) + "\n\nfunction meltAway() {\n  return new WalrusWidget();\n}\n")
write("three/src/own.js", "function meltAway() {\n  return spinWidget(3) + 1;\n}\n\nfunction meltAwaySlowly() {\n  return meltAway() + 1;\n}\n")
write("three/lib/node_modules/dep.js", "function dependencyOnly() {\n  return 1;\n}\n")
write("three/lib/packed.js", "function packedOnly(){return 1}" + "var a=1;" * 2000 + "\n")
write("three/ignored/no.py", "def ignored_only():\n    return 1\n")
write("three/.ci/.hidden/release.sh", "check_release() {\n\techo 1\n}\n")
write("three/.ci/check", "#!/opt/launch /bin/sh\ncheck_hidden() {\n\techo 1\n}\n")
write("three/.ci/notes", "check_nothing() {\n}\n")
write("three/etc/sea.init", "#!/bin/sh\nstart_sea() {\n\techo 1\n}\n")
write("three/large.py", "def in_large_file():\n    return 1\n\n\nclass LargeOne:\n    def inside_large(self):\n        return 2\n\n\nLINES = [\n"
      + "    'a line that is only there to make this file larger than the limit',\n" * 16000 + "]\n")
write("one/db/001_init.sql", "CREATE TABLE `herds` (\n  `herd_mass` int NOT NULL\n);\nCREATE INDEX CONCURRENTLY idx_herd ON herds (herd_mass);\n"
      "ALTER TABLE herds ADD COLUMN blubber_depth int;\n")
write("one/build.mk", "override FLOE_FLAGS += -g\n\ndefine freeze_all =\necho\nendef\n")
write("one/Dockerfile", "FROM alpine:3\nENV FROST_HOME=/srv FROST_PORT=80\nARG FROST_VERSION=3\n")
write("one/css/site.scss", ":root {\n  --brand-ice: #fff;\n}\n$deep-sea: #333;\n@mixin frozen-box($r) { border-radius: $r; }\n")
write("one/deploy.yml", "base: &cold_base\n  x: 1\nenv:\n  KRILL_URL: http://krill\nlist:\n  - name: KRILL_TOKEN\n    value: a\n")
write("one/c/attributes.c", "static __always_inline __alloc_size(1) void *ice_alloc(size_t size, gfp_t flags)\n{\n\treturn __ice_alloc(size);\n}\n\n"
      "static u32 __ice_alloc(u32 size)\n{\n\treturn size;\n}\n\nSYSCALL_DEFINE1(icebreak, int, fd)\n{\n\treturn 0;\n}\n")
write("one/run.sh", "start() {\n\texport DRIFT_MODE=1\n\tlocal tide_now=2\n}\n")
write("one/proto/sea.proto", "syntax = \"proto3\";\nenum Wind { WIND_CALM = 0; }\nmessage Gust { int32 gust_speed = 1; }\nservice Sky { rpc BlowHard(Gust) returns (Gust); }\n")
write("one/app/server.js", "const express = require('express');\nconst app = express();\n\nfunction listSeals(req, res) {\n  res.json([]);\n}\n\n"
      "function addSeal(req, res) {\n  res.json({});\n}\n\nfunction oneSeal(req, res) {\n  res.json({ id: req.params.id });\n}\n\n"
      "app.get('/api/v1/seals', listSeals);\napp.post('/api/v1/seals', addSeal);\napp.get('/api/v1/seals/:id', oneSeal);\n")
write("two/pages/api/flippers/[id].ts", "export default function serve(req, res) {\n  res.json(1);\n}\n")
write("two/cs/SeaCowsController.cs", "using Microsoft.AspNetCore.Mvc;\n\nnamespace Ice {\n    [ApiController]\n    [Route(\"[controller]\")]\n"
      "    public class SeaCowsController : ControllerBase {\n        [HttpGet]\n        public int Graze() {\n            return 1;\n        }\n    }\n}\n")
# 600 routes that end like one which stands behind them
write("one/app/many.js", "const express = require('express');\nconst app = express();\n\nfunction inZone(req, res) {\n  res.json([]);\n}\n\n"
      + "".join(f"app.get('/zone{i}/floes', inZone);\n" for i in range(600)))
write("one/app/of_floes.js", "const express = require('express');\nconst app = express();\n\nfunction listFloes(req, res) {\n  res.json([]);\n}\n\n"
      "app.get('/floes', listFloes);\n")
write("two/docs/seals.md", "# Seals\n\nAsk `GET /api/v1/seals` for the seals, `/api/v1/seals/{id}` for one. api v1 seals api v1 seals.\n")
write("two/web/seals.js", "export const seals = () => fetch('/api/v1/seals');\nexport const seal = (id) => fetch(`/api/v1/seals/${id}`);\n")
PY
for n in one two three; do
	git init -q -b main "$W/$n"
	git -C "$W/$n" remote add origin "https://git.example.com/names/$n.git"
	commit "$W/$n" one
done
up --group g "$W/one" "$W/two" "$W/three"
ready g 3

ask() { call group_query "$(jq -nc --arg q "$1" --argjson a "${2:-{\}}" '{group: "g", query: $q, limit: 5} + $a')" >"$W/out"; }
first() { ask "$@"; jq -r '.results[0] | "\(.path):\(.start_line) \(.symbol) \(.kind)"' "$W/out"; }
while read -r name want; do
	same "$name" "$(first "$name")" "$want"
	same "$name as rrf, by file" "$(first "$name" '{"fusion":"rrf","granularity":"file"}')" "$want"
done <<'ROWS'
MaxWalrusCount go/limits.go:3 MaxWalrusCount constant
WalrusID go/limits.go:5 WalrusID type
PolarSize go/limits.go:8 Herd.PolarSize field
ErrNoWalrus go/limits.go:11 ErrNoWalrus variable
FEEDING_SOON java/State.java:4 State.FEEDING_SOON constant
TUSK_LENGTH java/State.java:9 Keeper.TUSK_LENGTH constant
WALRUS_RING c/walrus.h:1 WALRUS_RING constant
walrus_herd_t c/walrus.h:2 walrus_herd_t type
TIDE_HIGH c/walrus.h:3 TIDE_HIGH constant
FlipperMap ts/types.ts:1 FlipperMap type
Backwards ts/types.ts:3 Swim.Backwards constant
depthMetres ts/types.ts:6 Pool.depthMetres field
ICE_TIMEOUT py/settings.py:1 ICE_TIMEOUT variable
COLD_SEA ruby/sea.rb:2 Arctic.COLD_SEA constant
ICE_FLOES rust/src/lib.rs:1 ICE_FLOES constant
Floe rust/src/lib.rs:2 Floe type
ShelfName cs/Ice.cs:3 Ice.IceShelf.ShelfName field
herds db/001_init.sql:1 herds struct
herd_mass db/001_init.sql:2 herds.herd_mass field
idx_herd db/001_init.sql:4 idx_herd constant
blubber_depth db/001_init.sql:5 blubber_depth field
FLOE_FLAGS build.mk:1 FLOE_FLAGS variable
freeze_all build.mk:3 freeze_all variable
FROST_HOME Dockerfile:2 FROST_HOME variable
FROST_PORT Dockerfile:2 FROST_PORT variable
--brand-ice css/site.scss:2 --brand-ice variable
deep-sea css/site.scss:4 deep-sea variable
$deep-sea css/site.scss:4 deep-sea variable
frozen-box css/site.scss:5 frozen-box macro
cold_base deploy.yml:1 cold_base variable
KRILL_URL deploy.yml:4 KRILL_URL variable
KRILL_TOKEN deploy.yml:6 KRILL_TOKEN variable
ice_alloc c/attributes.c:1 ice_alloc function
__ice_alloc c/attributes.c:6 __ice_alloc function
icebreak c/attributes.c:11 icebreak function
DRIFT_MODE run.sh:2 DRIFT_MODE variable
tide_now run.sh:3 tide_now variable
WIND_CALM proto/sea.proto:2 Wind.WIND_CALM constant
gust_speed proto/sea.proto:3 Gust.gust_speed field
BlowHard proto/sea.proto:4 Sky.BlowHard method
SPRING_TIDE tests/test_sea.py:1 SPRING_TIDE variable
zebuQuokka js/api.generated.js:2 zebuQuokka variable
okapiNumbat js/api.generated.js:3 okapiNumbat field
ROWS
for name in MaxWalrusCount maxWalrusCount max_walrus_count limits.MaxWalrusCount limits::MaxWalrusCount MaxWalrus; do
	same "$name" "$(first "$name" '{"fusion":"per_repo"}')" "go/limits.go:3 MaxWalrusCount constant"
done
same "its snippet" "$(jq -r '.results[0].snippet' "$W/out" | tr -d '\n')" "const MaxWalrusCount = 7"
for name in State.ASLEEP 'State#ASLEEP' zoo/State.ASLEEP 'State->ASLEEP' asleep; do
	same "$name" "$(first "$name")" "java/State.java:5 State.ASLEEP constant"
done
ok "definitions of one line are found by their names in eight languages"

# ---- routes ----
while read -r line symbol question; do
	same "$question" "$(first "$question")" "app/server.js:$line $symbol function"
done <<'ROWS'
4 listSeals GET /api/v1/seals
4 listSeals get /api/v1/seals/
8 addSeal POST /api/v1/seals
8 addSeal `POST /api/v1/seals`
12 oneSeal /api/v1/seals/:id
12 oneSeal /api/v1/seals/{sealId}
12 oneSeal GET /api/v1/seals/<int:id>
12 oneSeal GET /api/v1/seals/$id
12 oneSeal /API/v1/seals/*
12 oneSeal GET /api/v1/seals/42
12 oneSeal /v1/seals/:id
12 oneSeal GET /gateway/api/v1/seals/:id?full=1
ROWS
same "a path that is no word of its repository" "$(first /seacows)" "cs/SeaCowsController.cs:7 Ice.SeaCowsController.Graze method"
ask 'GET /floes'
is "the whole route before 600 that end like it" '.results[0].symbol' '"listFloes"'
ask /api/v1/seals
is "both methods of a path" '[.results[:2][].symbol] | sort' '["addSeal","listSeals"]'
same "a path of files, in another repository" "$(first 'GET /api/flippers/:id')" "pages/api/flippers/[id].ts:1 serve function"
ask 'GET /api/v1/seals' '{"path_prefix":"docs/"}'
is "nor another folder" '[.results[].path] | unique' '["docs/seals.md"]'
ok "a question that is a route finds its handler first"

# ---- several definitions of a name ----
symbols() { jq -c '[.results[:4][] | "\(.path):\(.symbol)"]' "$W/out"; }
ask get_user
same "as written, code before tests; then by separators; then longer ones" "$(symbols)" \
	'["py/user.py:Client.get_user","tests/test_sea.py:get_user","py/user.py:GetUser","py/user.py:Client.get_user_by_mail"]'
ask GetUser
same "the other way round" "$(jq -r '.results[0] | .symbol' "$W/out")" GetUser
ask Client.get_user
same "in its class" "$(jq -r '.results[0] | .symbol' "$W/out")" Client.get_user
ask GetUs
same "a beginning" "$(symbols)" \
	'["py/user.py:GetUser","py/user.py:Client.get_user","py/user.py:Client.get_user_by_mail","tests/test_sea.py:get_user"]'
ask 'get_us*'
is "a beginning with a star" '[.results[:4][].symbol] | sort' '["Client.get_user","Client.get_user_by_mail","get_user"]'
ask 'get user by mail'
same "words that spell a name" "$(jq -r '.results[0] | .symbol' "$W/out")" Client.get_user_by_mail
ask IceShelf
is "a class before its constructor" '[.results[:2][].kind]' '["class","constructor"]'
ask walrus_open
same "a function before its declaration" "$(jq -r '.results[0].path' "$W/out")" c/walrus.c
ok "equal names are in the order of what people mean"

# ---- kinds, with words that are not the whole name ----
ask 'how long is the ice timeout' '{"kinds":["variable"]}'
same "a variable by words" "$(symbols)" '["py/settings.py:ICE_TIMEOUT"]'
ask 'walrus count' '{"kinds":["constant","type"]}'
is "constants and types, the best first" '[.results[0].symbol, (.results[].kind)] | unique' '["MaxWalrusCount","constant","type"]'
ask MaxWalrusCount '{"kinds":["function"]}'
is "not other kinds" '[.results[].kind] | unique' '["function"]'
ask MaxWalrusCount '{"languages":["python"]}'
is "nor other languages" '[.results[].path] | unique' '["py/settings.py"]'
ask MaxWalrusCount '{"path_prefix":"py/"}'
is "nor other folders" '[.results[].path] | unique' '["py/settings.py"]'
ok "filters select definitions of one line"

# ---- an answer's id is one that other tools accept ----
for name in Backwards TIDE_HIGH ICE_FLOES; do
	ask $name
	id=$(jq -r '.results[0].id // empty' "$W/out") repo=$(jq -r '.results[0].repo_uri' "$W/out") symbol=$(jq -r '.results[0].symbol' "$W/out")
	call context "$(jq -nc --arg r "$repo" --arg s "${id:-$symbol}" '{repo: $r, symbol: $s}')" | jq -e . | grep -q "$name" || fail "context of $name"
done
ok "context knows them"

# ---- files that are left out: nothing but their names ----
while read -r name want; do
	same "$name" "$(first "$name")" "$want"
done <<'ROWS'
WalrusWidget lib/widget.js:1 WalrusWidget class
spinWidget lib/widget.js:2 WalrusWidget.spinWidget method
WalrusWidget.spinWidget lib/widget.js:2 WalrusWidget.spinWidget method
in_large_file large.py:1 in_large_file function
inside_large large.py:6 LargeOne.inside_large method
check_release .ci/.hidden/release.sh:1 check_release function
check_hidden .ci/check:2 check_hidden function
start_sea etc/sea.init:2 start_sea function
ROWS
for name in dependencyOnly packedOnly ignored_only check_nothing; do
	ask $name
	is "$name stays out" '[.results[] | select(.path | test("node_modules|packed|ignored/|notes"))] | length' 0
done
ask spinWidget
is "its snippet" '.results[0].snippet | test("return speed")' true
id=$(jq -r '.results[0].id // empty' "$W/out")
three=git.example.com/names/three
knows() { call context "$(jq -nc --arg r $three --arg s "$1" '{repo: $r, symbol: $s}')" | jq -c '[.target.path, .target.start_line, (.callers | length), (.callees | length)]'; }
same "context, by name" "$(knows spinWidget)" '["lib/widget.js",2,0,0]'
same "context, by id" "$(knows "${id:-lib/widget.js#WalrusWidget.spinWidget}")" '["lib/widget.js",2,0,0]'
same "a call does not lead there" "$(knows src/own.js#meltAway | jq -c .[3])" 0
ask meltAway
same "own code comes first, and a longer name last" "$(symbols)" \
	'["src/own.js:meltAway","lib/widget.js:meltAway","src/own.js:meltAwaySlowly"]'
ask 'where does the walrus widget spin'
is "no answer in words" '[.results[], .similar[]? | select(.path == "lib/widget.js")] | length' 0
call group_status '{"group":"g"}' | jq -r '.repos[] | select(.repo_uri | endswith("three")) | .skipped[] | "\(.name) \(.files)"' | sort >"$W/out"
same "what is said of them" "$(grep names "$W/out" | tr '\n' ';')" 'hidden, names only 2;linguist-vendored, names only 1;too large, names only 1;'
ok "files that are left out are known by their names"

# ---- such a file changes, becomes small enough, and goes ----
sed -i 's/spinWidget(speed)/turnWidget(speed)/' "$W/three/lib/widget.js"
sed -i '/a line that is only/d' "$W/three/large.py"
rm "$W/three/.ci/.hidden/release.sh"
commit "$W/three" changed
turned() { ask turnWidget && jq -e '.results[0].path == "lib/widget.js"' "$W/out" >/dev/null; }
wait_for 30 turned
same "the new name" "$(first turnWidget)" "lib/widget.js:2 WalrusWidget.turnWidget method"
for name in spinWidget check_release; do
	ask $name
	is "$name has gone" '[.results[] | select(.path | test("lib/|.ci/"))] | length' 0
done
same "indexed now" "$(first 'inside the large one')" "large.py:6 LargeOne.inside_large method"
same "once" "$(ask inside_large; jq -c '[.results[] | select(.symbol == "LargeOne.inside_large")] | length' "$W/out")" 1
ok "and the names follow its changes"
