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
PY
for n in one two; do
	git init -q -b main "$W/$n"
	git -C "$W/$n" remote add origin "https://git.example.com/names/$n.git"
	commit "$W/$n" one
done
up --group g "$W/one" "$W/two"
ready g 2

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
