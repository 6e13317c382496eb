#!/bin/sh -e
# certs.sh DIR NAME[,NAME...]...: what hosts need to trust each other, below DIR: a CA (ca.pem, ca.key), for each argument a
# certificate (its first NAME.pem, NAME.key; all names and addresses are in it), cluster-key, and bootstrap-token for a first client.
# What is there already stays, so that another host is one more run.  ca.key goes to no host.
dir=$1
shift
umask 077
mkdir -p "$dir"
cd "$dir"
[ -f ca.pem ] || openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj "/CN=Atoll CA" -keyout ca.key -out ca.pem 2>/dev/null
for names; do
	name=${names%%,*}
	[ ! -f "$name.pem" ] || continue
	echo "$names" | tr , '\n' | sed -e '/^[0-9.]*$/s/^/IP:/' -e '/:/!s/^/DNS:/' | paste -sd, | sed 's/^/subjectAltName=/' >"$name.ext"
	openssl req -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr" 2>/dev/null
	openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -extfile "$name.ext" -out "$name.pem" 2>/dev/null
	rm "$name.csr" "$name.ext"
done
for secret in cluster-key bootstrap-token; do
	[ -f $secret ] || openssl rand -hex 32 >$secret
done
