#!/bin/bash
# `atoll certs`: a CA, certificates and a cluster key that OpenSSL accepts, unreadable for others, never overwritten.
. "$(dirname "$0")/../lib.sh"
d=$W/tls

atoll certs init "$d" >/dev/null
atoll certs issue "$d" a.example.com,10.0.0.1,::1 b >/dev/null
for host in a.example.com b; do
	for purpose in sslserver sslclient; do
		openssl verify -x509_strict -purpose $purpose -CAfile "$d/ca.pem" "$d/$host.pem" >/dev/null || fail "$host.pem as $purpose"
	done
	same "the key of $host" "$(openssl pkey -in "$d/$host.key" -pubout)" "$(openssl x509 -in "$d/$host.pem" -noout -pubkey)"
done
for name in "-verify_hostname a.example.com" "-verify_ip 10.0.0.1" "-verify_ip ::1"; do
	# shellcheck disable=SC2086
	openssl verify $name -CAfile "$d/ca.pem" "$d/a.example.com.pem" >/dev/null || fail "$name"
	# shellcheck disable=SC2086
	openssl verify $name -CAfile "$d/ca.pem" "$d/b.pem" >/dev/null 2>&1 && fail "b is not $name"
done
openssl verify -CAfile "$d/b.pem" "$d/a.example.com.pem" >/dev/null 2>&1 && fail "a host's certificate can sign"
same "files that others may read" "$(find "$d" ! -perm 0600 -type f; find "$d" -maxdepth 0 ! -perm 0700)" ""
same "digits of the cluster key" "$(tr -d '\n' <"$d/cluster-key" | wc -c)" 64
ok "a CA and certificates for both ends, with all names and mode 0600"

sum=$(cat "$d"/* | sha256sum)
for again in "init $d" "issue $d b" "issue $d c,b ../x" "issue $d 'a b'" "issue $d ca"; do
	eval "atoll certs $again" >"$W/out" 2>&1 && [ "$again" != "issue $d c,b ../x" ] && fail "certs $again: $(cat "$W/out")"
done
rm -f "$d"/c.*
same "the files after what was refused" "$(cat "$d"/* | sha256sum)" "$sum"
atoll certs issue "$d" b 2>&1 | grep -q 'b.pem already exists' || fail "the refusal does not name the file"
ok "existing files are never overwritten"

atoll certs issue "$d" b --renew --days 10 >/dev/null
openssl verify -CAfile "$d/ca.pem" "$d/b.pem" >/dev/null || fail "the renewed certificate is wrong"
openssl pkey -in "$d/b.key" -pubout | cmp -s - <(openssl x509 -in "$d/b.pem" -noout -pubkey) || fail "the renewed key is wrong"
same "states" "$(atoll certs show "$d" --json | jq -r '[.certificates[] | "\(.state) \(.names)"] | join(";")')" \
	"ok a.example.com,10.0.0.1,::1;expires soon b;ok "
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=old -keyout "$W/old.key" -out "$W/old.csr" 2>/dev/null
printf '[ca]\ndefault_ca=c\n[c]\nnew_certs_dir=%s\ndatabase=%s/index\nrand_serial=yes\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n' "$W" "$W" >"$W/ca.conf"
: >"$W/index"
openssl ca -batch -notext -config "$W/ca.conf" -cert "$d/ca.pem" -keyfile "$d/ca.key" -startdate 20200101000000Z -enddate 20200102000000Z \
	-in "$W/old.csr" -out "$W/old.pem" 2>"$W/ca.log" || fail "openssl ca: $(cat "$W/ca.log")"
atoll certs show "$W/old.pem" >"$W/out" 2>&1 && fail "an expired certificate is not reported as a failure"
grep -q '^expired .*old' "$W/out" || fail "an expired certificate: $(cat "$W/out")"
ok "renewal replaces certificates, and expired ones are named"
