# etcd.sh: a private etcd, sourced after lib.sh.
#
#   etcd_start [NAME]       one member on free ports, data in $W/etcd-NAME; sets $etcd (HOST:PORT); after `stop etcd-NAME` it has the
#                           same data and ports again
etcd_start() {
	command -v etcd >/dev/null || skip "etcd is not installed (deploy/install-deps.sh)"
	name=${1:-one}
	[ -f "$W/etcd-$name.ports" ] || echo "$(free_port) $(free_port)" >"$W/etcd-$name.ports"
	read -r client peer <"$W/etcd-$name.ports"
	start "etcd-$name" etcd --name "$name" --data-dir "$W/etcd-$name" --bcrypt-cost 4 --listen-client-urls "http://127.0.0.1:$client" \
		--advertise-client-urls "http://127.0.0.1:$client" --listen-peer-urls "http://127.0.0.1:$peer" \
		--initial-advertise-peer-urls "http://127.0.0.1:$peer" --initial-cluster "$name=http://127.0.0.1:$peer"
	etcd=127.0.0.1:$client
	wait_for 20 curl -fsS -m 2 -o /dev/null "http://$etcd/health"
}
