#!/bin/sh -e
# deb.sh BIN OUT: pack the programs of BIN into OUT/atoll_<version>_<arch>.deb; library packages are read off the programs.
bin=$1 out=$2
version=$(sed -n 's/.*ATOLL_VERSION "\(.*\)".*/\1/p' proto/base/version.h)
arch=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
install -d "$stage/DEBIAN" "$stage/usr/bin" "$stage/usr/share/doc/atoll"
for p in atoll atoll-shard atoll-coordinator; do
	install -m 755 "$bin/$p" "$stage/usr/bin/"
	strip "$stage/usr/bin/$p"
done
install -m 644 LICENSE "$stage/usr/share/doc/atoll/copyright"
depends=$(readelf -d "$stage"/usr/bin/* | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u | while read -r lib; do
	path=$(ldconfig -p | awk -v l="$lib" '$1 == l { print $NF; exit }')
	dpkg -S "$(readlink -f "$path")" "$path" "${path#/usr}" "/usr$path" 2>/dev/null | cut -d: -f1
done | sort -u | paste -sd, | sed 's/,/, /g')
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@DEPENDS@/$depends/" deploy/packaging/control >"$stage/DEBIAN/control"
mkdir -p "$out"
dpkg-deb --root-owner-group --build "$stage" "$out/atoll_${version}_$arch.deb"
