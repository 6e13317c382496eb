#!/bin/bash
# Uses of a library while its shard stands still, its user's shard dies, and its interface changes under a sync; two coordinators with
# one registry give the same answer.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../shard.sh"
. "$(dirname "$0")/../etcd.sh"
etcd_start
port1=$(free_port) port2=$(free_port)
one=http://127.0.0.1:$port1 two=http://127.0.0.1:$port2

put() { mkdir -p "$(dirname "$W/$1")" && cat >"$W/$1"; }
for r in lib app kit tool; do
	git init -q -b main "$W/$r"
	git -C "$W/$r" remote add origin "https://github.com/acme/$r.git"
done
put lib/go.mod <<<'module example.com/acme/lib'
library() { printf 'package lib\n\ntype Shape struct{}\n\nfunc %s() *Shape { return nil }\n\nfunc (s *Shape) Area() int { return 1 }\n' "$1" | put lib/shape.go; }
library New
put app/go.mod <<<$'module example.com/acme/app\nrequire example.com/acme/lib v1.0.0'
put app/main.go <<'X'
package app

import "example.com/acme/lib"

func Draw() int { return lib.New().Area() }
X
put kit/src/main/java/com/acme/kit/Shape.java <<'X'
package com.acme.kit;

public class Shape {
    public int area() { return 1; }
}
X
put tool/src/main/java/com/acme/tool/Draw.java <<'X'
package com.acme.tool;

import com.acme.kit.Shape;

class Draw {
    int draw() { return new Shape().area(); }
}
X
for r in lib app kit tool; do
	commit "$W/$r" first
done

coordinator() {
	eval "_port=\$port$1"
	start "c$1" atoll-coordinator --data "$W/data$1" --http "127.0.0.1:$_port" --listen "ipc://$W/c$1.sock" --registry "etcd://$etcd/t" \
		--probe-interval-ms 300 --sync-delay-ms 0 --contracts-deadline-ms $((2000 * slow)) --search-deadline-ms $((2000 * slow))
	ATOLL_URL=http://127.0.0.1:$_port
	export ATOLL_URL
	wait_for 20 answers
}
shard() {
	start "$1" env ATOLL_COORDINATOR="ipc://$W/c1.sock,ipc://$W/c2.sock" atoll-shard --repo "$W/$1" --data "$W/data-$1" \
		--listen "ipc://$W/$1.ipc" --embedder none --poll-ms 200
	wait_for 20 atoll-shard --probe "ipc://$W/$1.ipc"
}
ask() { ATOLL_URL=$1 call "${@:2}"; }
healthy() { [ "$(ask "$1" list_repos | jq -c '[.repos[].health] | unique')" = '["healthy"]' ]; }
coordinator 1
coordinator 2
for r in lib app kit tool; do
	shard $r
done
wait_for 20 healthy "$one"
wait_for 20 healthy "$two"
ATOLL_URL=$one atoll group create g acme/lib acme/app >/dev/null
ATOLL_URL=$one atoll group create j acme/kit acme/tool >/dev/null
shared() { [ "$(ask "$two" group_list | jq '.groups | length')" = 2 ]; }
wait_for 20 shared
sync() { ask "$1" group_sync '{"group":"g"}' >/dev/null; }
uses() { ask "$1" group_cross_repo_links '{"group":"g","relation":"uses_symbol","detail":"each"}'; }
rows() { uses "$1" | jq -c '[.links[] | [.source_line, .symbol, .target_line, .gone_at_head]]'; }
found='[[5,"New",5,null],[5,"Shape.Area",7,null]]'

# ---- two coordinators ----
sync "$one"
sync "$two"
same "the uses at one" "$(rows "$one")" "$found"
same "all of the answer at the other" "$(uses "$two" | jq -S 'del(.took_ms, .synced_at)')" "$(uses "$one" | jq -S 'del(.took_ms, .synced_at)')"
ok "two coordinators with one registry give the same answer"

# ---- the library's shard stands still ----
rm "$W"/data-app/repo_*/uses.db
pause "$(pid_of lib)"
sync "$one"
epistemic() { ask "$one" context '{"repo":"acme/app","symbol":"Draw"}' | jq -c '[.epistemic, (.reasons | map(contains("github.com/acme/lib is not known")) | any)]'; }
same "what its user uses is not known, and it says so" "$(epistemic)" '["lower-bound",true]'
kill -CONT "$(pid_of lib)"
wait_for 20 healthy "$one"
sync "$one"
same "it is known again" "$(rows "$one")" "$found"
ok "a shard that cannot give its interface makes answers lower bounds until the next sync"

# ---- no manifest says that the library is used: only the import does ----
of_kit() { ask "$one" impact '{"repo":"acme/kit","symbol":"area"}' | jq -c '[.epistemic, (.reasons // [] | map(contains("github.com/acme/tool")) | any)]'; }
j_sync() { ask "$one" group_sync '{"group":"j"}' >/dev/null; }
pause "$(pid_of tool)"
j_sync
kill -CONT "$(pid_of tool)"
wait_for 20 healthy "$one"
same "a member whose packages are not known is named" "$(of_kit)" '["lower-bound",true]'
j_sync
same "it is known" "$(of_kit)" '["verdict",false]'
rm -f "$W"/data-tool/repo_*/uses.db
pause "$(pid_of kit)"
j_sync
kill -CONT "$(pid_of kit)"
wait_for 20 healthy "$one"
same "an importer that has no interface is named" "$(of_kit)" '["lower-bound",true]'
pairs() { ask "$one" group_cross_repo_links '{"group":"j","relation":"uses_symbol"}' | jq -c '[.links[].symbol] | sort'; }
same "no use is listed" "$(pairs)" '[]'
j_sync
same "the importer answers" "$(of_kit)" '["verdict",false]'
same "its uses are listed" "$(pairs)" '["Shape","Shape.area"]'
ok "who only imports a library is named while its uses are not known"

# ---- its user's shard dies while it resolves ----
for i in 1 2 3; do
	rm -f "$W"/data-app/repo_*/uses.db
	sync "$one" &
	syncing=$!
	stop app KILL
	wait $syncing	# it says who did not answer, and succeeds
	shard app
	wait_for 20 healthy "$one"
	sync "$one"
	same "after it died, time $i" "$(rows "$one")" "$found"
done
ok "a shard that dies during a sync has its uses after the next one"

# ---- the interface changes under the sync ----
at_head() { [ "$(ask "$1" group_status '{"group":"g"}' | jq -r '[.repos[] | select(.repo_uri | endswith("/lib")) | .commit] | first')" = "$(git -C "$W/lib" rev-parse HEAD)" ]; }
for i in 1 2 3 4; do
	library "Make$i"
	commit "$W/lib" "rename $i"
	sync "$one" &
	first=$!
	sync "$two" &
	second=$!
	wait $first
	wait $second
done
wait_for 20 at_head "$one"
wait_for 20 at_head "$two"
sync "$one"
same "what is no longer there" "$(rows "$one")" '[[5,"New",null,true]]'
library New
commit "$W/lib" back
wait_for 20 at_head "$two"
sync "$two"
sync "$one"
same "all is as before" "$(rows "$one")" "$found"
same "at the other too" "$(rows "$two")" "$found"
ok "interfaces that change during syncs are resolved in the end"
