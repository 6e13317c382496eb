#!/bin/sh -e
# install-deps.sh: what Atoll needs on Debian 12, by name; says what it does and does nothing twice.
# --run: only what the programs need at run time; default: everything to build and test them.
build="gcc make patch pkg-config git ca-certificates libnng-dev libmsgpack-dev libgit2-dev libsqlite3-dev libdeflate-dev
libcurl4-openssl-dev libssl-dev libmicrohttpd-dev libjansson-dev libpcre2-dev libprotobuf-c-dev protobuf-c-compiler libyaml-dev libexpat1-dev libseccomp-dev libmimalloc2.0 libcmocka-dev
universal-ctags clang clang-format libclang-rt-14-dev iproute2 devscripts lighttpd etcd-server etcd-client openssl procps binutils python3 jq curl chromium"
run="git libnng1 libmsgpackc2 libgit2-1.5 libsqlite3-0 libdeflate0 libcurl4 libssl3 libmicrohttpd12 libjansson4 libpcre2-8-0 libprotobuf-c1 libyaml-0-2 libexpat1 libseccomp2 libmimalloc2.0 universal-ctags"
want=$build
[ "$1" = --run ] && want=$run
missing=
for p in $want; do
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing="$missing $p"
done
# npm brings the grammars; any node will do, Debian's where there is none.
[ "$1" = --run ] || command -v npm >/dev/null || missing="$missing nodejs npm"
[ -n "$missing" ] || exit 0
echo "installing:$missing"
root=
[ "$(id -u)" = 0 ] || root="sudo -n"
if [ -n "$root" ] && ! sudo -n true 2>/dev/null; then
	echo "install-deps: not root and no sudo; run as root: apt-get install --no-install-recommends$missing" >&2
	exit 1
fi
export DEBIAN_FRONTEND=noninteractive
$root apt-get -qq -o DPkg::Lock::Timeout=600 update
# RUNLEVEL: what tests run by themselves (lighttpd) is not started as a service of the machine
$root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing >/dev/null
