#!/bin/sh -e
# deb.sh BIN OUT: pack what `make install` installs of BIN into OUT/atoll_<version>_<arch>.deb; library packages are read off the programs.
bin=$1 out=$2
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*ATOLL_VERSION "\(.*\)".*/\1/p' proto/base/version.h)
arch=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022
chmod 755 "$stage"
deploy/install.sh "$bin" "$stage" /usr
strip "$stage"/usr/bin/*
install -d "$stage/DEBIAN"
install -d -m 750 "$stage/etc/atoll" "$stage/etc/atoll/shard"
install -m 640 deploy/packaging/coordinator.conf "$stage/etc/atoll/"
install -m 644 LICENSE "$stage/usr/share/doc/atoll/copyright"
echo /etc/atoll/coordinator.conf >"$stage/DEBIAN/conffiles"
install -m 755 deploy/packaging/postinst deploy/packaging/prerm deploy/packaging/postrm "$stage/DEBIAN/"
depends=$(readelf -d "$stage"/usr/bin/* | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u | while read -r lib; do
	path=$(ldconfig -p | awk -v l="$lib" '$1 == l { print $NF; exit }')
	dpkg -S "$(readlink -f "$path")" "$path" "${path#/usr}" "/usr$path" 2>/dev/null | cut -d: -f1
done | sort -u | paste -sd, | sed 's/,/, /g')
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@DEPENDS@/$depends/" deploy/packaging/control >"$stage/DEBIAN/control"
mkdir -p "$out"
dpkg-deb --root-owner-group --build "$stage" "$out/atoll_${version}_$arch.deb"
