#!/bin/bash
# Manifests of Kubernetes, compose.yaml and the Dockerfile: what rules can say without a cluster.  What the manifests put
# into their pods (environment, command, secrets) is run here: a shard joins over TLS.
. "$(dirname "$0")/../lib.sh"
case $B in *address* | *thread*) skip "the same files in every variant" ;; esac
command -v kubectl >/dev/null || skip "no kubectl here"
python3 -c 'import yaml' 2>/dev/null || skip "python3 has no yaml here"

cp -r "$ROOT/deploy/kubernetes" "$W/kubernetes"
rm -rf "$W/kubernetes/secrets"
# shellcheck disable=SC2046
{ "$BIN/atoll" certs init "$W/kubernetes/secrets" && "$BIN/atoll" certs issue "$W/kubernetes/secrets" \
	$(sed -n 's/.*certs issue S \(.*\) &&.*/\1/p' "$ROOT/deploy/kubernetes/kustomization.yaml"); } >"$W/certs.log" 2>&1 || fail "atoll certs: $(cat "$W/certs.log")"
for name in coordinator shard; do
	openssl verify -CAfile "$W/kubernetes/secrets/ca.pem" "$W/kubernetes/secrets/$name.pem" >/dev/null || fail "certificate of $name"
done
kubectl kustomize "$W/kubernetes" >"$W/rendered.yaml" 2>"$W/kubectl.log" || fail "kubectl kustomize: $(cat "$W/kubectl.log")"
python3 "$ROOT/tests/manifests.py" "$W/rendered.yaml" "$W/pods" >"$W/wrong" 2>&1 || fail "$(cat "$W/wrong")"
ok "manifests, compose.yaml and Dockerfile keep the rules"

git init -q "$W/orders"
echo 'def cancel_order(): pass' >"$W/orders/orders.py"
git -C "$W/orders" add .
git -C "$W/orders" -c user.name=a -c user.email=a@example.com commit -qm one
sed -i "2s|.*|$W/orders|" "$W/pods/atoll-shard/etc/atoll-repositories/repositories.txt"
http=$(free_port) members=$(free_port) rpc=$(free_port)
pod() {	# pod NAME CMD...: a command with what the container has; its names and ports are this machine's
	local dir=$W/pods/$1 env
	mapfile -t env < <(sed -e "s|=/etc/|=$dir/etc/|" -e "s|=/var/|=$dir/var/|" -e "s|0\.0\.0\.0:7700|127.0.0.1:$http|" \
		-e 's|$(POD)\.atoll-shard:|localhost:|; s|$(POD)|atoll-shard-1|; s|^POD=.*|POD=atoll-shard-1|' -e "s|atoll-coordinator:7701|localhost:$members|" \
		-e "s|:7701|:$members|; s|:7710|:$rpc|" "$dir/env")
	shift
	exec env "${env[@]}" "$@"
}
start coordinator pod atoll-coordinator sh -c "$(cat "$W/pods/atoll-coordinator/command")"
start shard pod atoll-shard sh -c "$(sed "s|/etc/atoll-repositories|$W/pods/atoll-shard&|" "$W/pods/atoll-shard/command")"
export ATOLL_URL=http://127.0.0.1:$http
wait_for 20 curl -fsS -m 2 "$ATOLL_URL$(sed -n 's|.*path: \(/healthz\).*|\1|p' "$W/rendered.yaml" | head -1)"
same "without a token" "$(curl -s -o /dev/null -w '%{http_code}' "$ATOLL_URL/api/v1/tools")" 401
ATOLL_TOKEN=$(cat "$W/kubernetes/secrets/bootstrap-token")
export ATOLL_TOKEN
found() { "$BIN/atoll" call query '{"repo":"orders","query":"cancel order"}' 2>/dev/null | grep -q '"path":"orders.py"'; }
wait_for 20 found
(pod atoll-shard "$BIN/atoll-shard" --probe "tls+tcp://127.0.0.1:$rpc") >"$W/probe.log" 2>&1 || fail "--probe: $(cat "$W/probe.log")"
ok "what the manifests put into pods runs: the second line's shard joins over TLS, its probe says ready"
