#!/bin/bash
# Kubernetes manifests, compose.yaml and Dockerfile: rules that can be checked without a cluster. The test also runs what the
# manifests put into their pods (environment, command, secrets): two coordinators share a registry in etcd, and a shard joins
# both over TLS.
. "$(dirname "$0")/../lib.sh"
case $B in *address* | *thread*) skip "the files are the same in every variant" ;; esac
command -v kubectl >/dev/null || skip "no kubectl here"
command -v etcd >/dev/null || skip "etcd is not installed (deploy/install-deps.sh)"
python3 -c 'import yaml' 2>/dev/null || skip "python3 has no yaml here"

cp -r "$ROOT/deploy/kubernetes" "$W/kubernetes"
rm -rf "$W/kubernetes/secrets"
# shellcheck disable=SC2046
{ "$BIN/atoll" certs init "$W/kubernetes/secrets" && "$BIN/atoll" certs issue "$W/kubernetes/secrets" \
	$(sed -n 's/.*certs issue S \(.*\) &&$/\1/p' "$ROOT/deploy/kubernetes/kustomization.yaml"); } >"$W/certs.log" 2>&1 ||
	fail "atoll certs: $(cat "$W/certs.log")"
for name in coordinator shard etcd; do
	openssl verify -CAfile "$W/kubernetes/secrets/ca.pem" "$W/kubernetes/secrets/$name.pem" >/dev/null || fail "certificate of $name"
done
kubectl kustomize "$W/kubernetes" >"$W/rendered.yaml" 2>"$W/kubectl.log" || fail "kubectl kustomize: $(cat "$W/kubectl.log")"
python3 "$ROOT/tests/manifests.py" "$W/rendered.yaml" "$W/pods" >"$W/wrong" 2>&1 || fail "$(cat "$W/wrong")"
ok "manifests, compose.yaml and Dockerfile follow the rules"

git init -q "$W/orders"
echo 'def cancel_order(): pass' >"$W/orders/orders.py"
git -C "$W/orders" add .
git -C "$W/orders" -c user.name=a -c user.email=a@example.com commit -qm one
sed -i "2s|.*|$W/orders|" "$W/pods/atoll-shard/etc/atoll-repositories/repositories.txt"
for host in $(sed -n 's|^ATOLL_REGISTRY=tls+etcd://\(.*\)/.*|\1|p' "$W/pods/atoll-coordinator/env" | tr , ' '); do
	openssl x509 -in "$W/kubernetes/secrets/etcd.pem" -noout -checkhost "${host%:*}" | grep -q 'does match' ||
		fail "etcd's certificate is not for ${host%:*}"
done

# port N NAME: a port of this machine for each port of a pod.
declare -A port
for n in 0 1 2; do port[client$n]=$(free_port) port[peer$n]=$(free_port) port[metrics$n]=$(free_port); done
for n in 0 1; do port[http$n]=$(free_port) port[members$n]=$(free_port); done
rpc=$(free_port)
pod() {	# pod NAME N CMD...: a command with what the container of pod N has; names and ports are this machine's
	local dir=$W/pods/$1 env n=$2 k names=()
	for k in 0 1 2; do names+=(-e "s#atoll-etcd-$k\.atoll-etcd:2379#localhost:${port[client$k]}#g; s#atoll-etcd-$k\.atoll-etcd:2380#localhost:${port[peer$k]}#g"); done
	for k in 0 1; do names+=(-e "s#atoll-coordinator-$k\.atoll-coordinators:7701#localhost:${port[members$k]}#g"); done
	mapfile -t env < <(sed -e "s|\$(POD)|$1-$n|g; s|^POD=.*|POD=$1-$n|" "${names[@]}" -e "s|=/etc/|=$dir/etc/|" -e "s|=/var/|=$dir/var$n/|" -e "s|0\.0\.0\.0:|127.0.0.1:|" \
		-e "s|//atoll-shard-[0-9]*\.atoll-shard:|//localhost:|" -e "s|127.0.0.1:7700|127.0.0.1:${port[http$n]:-}|; s|127.0.0.1:7701|127.0.0.1:${port[members$n]:-}|; s|:7710|:$rpc|" \
		-e "s|127.0.0.1:2379|127.0.0.1:${port[client$n]:-}|; s|127.0.0.1:2380|127.0.0.1:${port[peer$n]:-}|; s|127.0.0.1:2381|127.0.0.1:${port[metrics$n]:-}|" "$dir/env")
	shift 2
	exec env "${env[@]}" "$@"
}
for n in 0 1 2; do start etcd$n pod atoll-etcd $n sh -c "$(cat "$W/pods/atoll-etcd/command")"; done
healthy() { curl -fsS -m 2 "http://127.0.0.1:${port[metrics$1]}$(sed -n 's|.*path: \(/health\)$|\1|p' "$W/rendered.yaml")" |
	grep -q '"health":"true"'; }
for n in 0 1 2; do wait_for 20 healthy $n; done
! grep -h 'unrecognized' "$W"/etcd?.log || fail "etcd does not know every variable of its environment"
for n in 0 1; do start coordinator$n pod atoll-coordinator $n sh -c "$(cat "$W/pods/atoll-coordinator/command")"; done
start shard pod atoll-shard 1 sh -c "$(sed "s|/etc/atoll-repositories|$W/pods/atoll-shard&|" "$W/pods/atoll-shard/command")"
ATOLL_TOKEN=$(cat "$W/kubernetes/secrets/bootstrap-token")
export ATOLL_TOKEN
found() { "$BIN/atoll" call query '{"repo":"orders","query":"cancel order"}' 2>/dev/null | grep -q '"path":"orders.py"'; }
for n in 1 0; do
	export ATOLL_URL=http://127.0.0.1:${port[http$n]}
	wait_for 20 curl -fsS -m 2 "$ATOLL_URL$(sed -n 's|.*path: \(/healthz\).*|\1|p' "$W/rendered.yaml" | head -1)"
	same "without a token" "$(curl -s -o /dev/null -w '%{http_code}' "$ATOLL_URL/api/v1/tools")" 401
	wait_for 20 found
done
"$BIN/atoll" group create shop orders >/dev/null
shared() { ATOLL_URL=http://127.0.0.1:${port[http1]} "$BIN/atoll" group list --json | jq -e '[.groups[].name] == ["shop"]'; }
wait_for 10 shared
(pod atoll-shard 1 "$BIN/atoll-shard" --probe "tls+tcp://127.0.0.1:$rpc") >"$W/probe.log" 2>&1 || fail "--probe: $(cat "$W/probe.log")"
ok "the contents of the pods run: three etcd members and two coordinators; a shard joins both over TLS and its probe succeeds"
for n in 0 1 2; do stop etcd$n KILL; done	# the last of three waits for the others before it ends
