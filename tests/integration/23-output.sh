#!/bin/bash
# What people read names repositories as people do; --json keeps the handles.
. "$(dirname "$0")/../lib.sh"

"$ROOT/tests/fixtures/make.sh" "$W/shop"
up "$W/shop/web" "$W/shop/catalog" "$W/shop/orders"
ready default 3
catalog=$(atoll repo list --json | jq -r '.repos[] | select(.name | startswith("catalog-")) | .name')
[[ $catalog =~ ^catalog-[0-9a-f]{6}$ ]] || fail "name of catalog: $catalog"

atoll group sync default >/dev/null
for command in "status" "repo list" "group list" "group status default" "group query default where is the stock of a product kept" \
	"group contracts default" "group links default"; do
	# shellcheck disable=SC2086
	atoll $command >"$W/out" || fail "atoll $command"
	if grep -Eq 'local:[0-9a-f]{13}' "$W/out"; then fail "atoll $command: $(cat "$W/out")"; fi
	grep -q "$catalog" "$W/out" || fail "atoll $command does not name $catalog: $(cat "$W/out")"
	case $command in *query*) ;; *) grep -Eq '(^| )atoll-shop/orders( |$)' "$W/out" || fail "atoll $command: shop/orders" ;; esac
	# shellcheck disable=SC2086
	atoll $command --json >"$W/out"
	jq -e . "$W/out" >/dev/null || fail "atoll $command --json: $(cat "$W/out")"
	grep -Eq 'local:[0-9a-f]{64}' "$W/out" || fail "atoll $command --json: $(cat "$W/out")"
done
ok "names for people, handles for programs"

atoll group contracts default >"$W/out"
grep -q '^CALLS OF .*UNRESOLVED$' "$W/out" && grep -Eq '^atoll-shop/web +.*[0-9]+ dynamic' "$W/out" || fail "matrix: $(cat "$W/out")"
for n in $(atoll group contracts default --json | jq -r '[.pairs[] | select(.consumer | endswith("/web"))] | group_by(.producer)[] | map(.calls) | add'); do
	grep -Eq "^atoll-shop/web .* $n( |\$)" "$W/out" || fail "$n calls in the row of web: $(cat "$W/out")"
done
atoll group contracts default --limit 3 >"$W/out"
grep -q '  called by  *atoll-shop/' "$W/out" && grep -q '^more: --cursor' "$W/out" || fail "rows: $(cat "$W/out")"
ok "a matrix of who calls whom, and the rows behind it"

uri=$(atoll status | sed -n "s/^$catalog .*\(local:[0-9a-f]*\).*/\1/p")
call query "{\"repo_uri\":\"$uri\",\"query\":\"stock\"}" >/dev/null
ok "the short handle of the table is accepted"

halt "$(pgrep -P "$(pid_of up)" -f -- "$W/shop/catalog" | head -n 1)"
atoll group query default where is the stock of a product kept >"$W/out"
kill -CONT "$(pgrep -P "$(pid_of up)" -f -- "$W/shop/catalog" | head -n 1)"
grep -q "^  $catalog: UNAVAILABLE: " "$W/out" || fail "coverage: $(cat "$W/out")"
ok "coverage names the member"

# ---- what a stranger types ----
call query '{"repo":"catalog","query":"stock"}' >/dev/null
mkdir "$W/other"
cp -r "$W/shop/catalog" "$W/other/catalog"
atoll repo add "$W/other/catalog/.git" >/dev/null
ready default 4
if atoll call query '{"repo":"catalog","query":"stock"}' >"$W/out"; then fail "two folders: $(cat "$W/out")"; fi
same "two folders of one name" "$(jq -c '[.error.code, .error.total_matches]' "$W/out")" '["AMBIGUOUS_REPO",2]'
call query "{\"repo\":\"$catalog\",\"query\":\"stock\"}" >/dev/null
ok "a local repository answers to its folder's name; a path may end in .git"

atoll call --help >"$W/out"
for tool in $(curl -fsS "$ATOLL_URL/api/v1/tools" | jq -r '.tools[].name'); do
	grep -q "^$tool " "$W/out" || fail "atoll call --help leaves out $tool"
	atoll call "$tool" --help | grep -q "^usage: atoll call $tool" || fail "atoll call $tool --help"
done
atoll call group_list --json | jq -e '.groups[0].name' >/dev/null || fail "atoll call with --json"
if atoll call nosuch >"$W/out"; then fail "no such tool"; fi
grep -q 'atoll call --help' "$W/out" || fail "the hint: $(cat "$W/out")"
: >"$W/file"
for d in "$W/file" /proc/atoll; do
	if atoll up --data "$d" --http 127.0.0.1:0 "$W/shop/web" 2>"$W/out"; then fail "data in $d"; fi
	grep -q "cannot write to the folder $d: " "$W/out" && grep -q -- '--data DIR' "$W/out" || fail "--data $d: $(cat "$W/out")"
done
if atoll up --data "$W/second" --http "${ATOLL_URL#http://}" "$W/shop/web" 2>"$W/out"; then fail "a taken port"; fi
grep -q "^atoll: the coordinator does not start: cannot listen on ${ATOLL_URL#http://}: Address already in use$" "$W/out" &&
	grep -q '^Pass another address with --http' "$W/out" || fail "a taken port: $(cat "$W/out")"
if atoll call open_file '{"repo":"web","path":"README.md","startLine":5000}' >"$W/out"; then fail "line 5000"; fi
jq -e '.error | .code == "INVALID_INPUT" and (.message | test("5000.*README.md.* has [0-9]+ lines"))' "$W/out" >/dev/null ||
	fail "line 5000: $(cat "$W/out")"
ok "mistakes are told with what helps"

# ---- a repository that cannot be had ----
atoll repo add "http://127.0.0.1:1/org/of-a-long-name-that-fills-the-line-on-which-the-failure-is-told/bad.git" >/dev/null
told() { grep -q '/bad: failed: .*git clone' "$W/up.log"; }
wait_for 20 told
sleep 2		# several looks at what has not changed
[ -z "$(uniq -d "$W/up.log")" ] || fail "told again and again: $(cat "$W/up.log")"
doctor() {	# between two attempts of the shard
	atoll doctor >"$W/out" || true
	grep -q '^failed .*/bad .*git clone.*; when that is mended, `atoll repo analyze ' "$W/out"
}
wait_for 20 doctor
ok "a failure is told once, with its reason"
