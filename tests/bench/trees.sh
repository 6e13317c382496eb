#!/bin/sh
# trees.sh DIR: real code of five languages, as folders DIR/{c,go,java,python,typescript}, out of Debian's and npm's packages;
# with LINUX=1 also DIR/linux, the kernel.  What is there already is kept.
set -e
out=$1
[ -n "$out" ] || { echo "usage: trees.sh DIR" >&2; exit 2; }
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d /tmp/atoll-trees-XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work"

# debian NAME PACKAGE: the files of a binary package in $work/NAME
debian() {
	apt-get download -qq "$2" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
	dpkg-deb -x "$2"_*.deb "$1"
	rm -f "$2"_*.deb
}
absent() { [ ! -d "$out/$1" ]; }

if absent linux && { [ "$LINUX" ] || absent c; }; then
	debian deb linux-source-6.1
	mkdir linux && tar -xf deb/usr/src/linux-source-6.1.tar.xz -C linux --strip-components=1
	rm -rf deb
	absent c && mkdir c && cp -r linux/fs linux/net linux/kernel linux/mm linux/lib c/ && mv c "$out/c"
	[ -z "$LINUX" ] || mv linux "$out/linux"
fi
if absent go; then
	debian deb golang-1.19-src
	mv deb/usr/share/go-1.19 "$out/go" && rm -rf deb
fi
if absent java; then
	debian deb openjdk-17-source
	mkdir java && (cd java && python3 -m zipfile -e ../deb/usr/lib/jvm/openjdk-17/lib/src.zip . 2>/dev/null ||
		python3 -m zipfile -e "$(find ../deb -name src.zip -type f | head -1)" .)
	mv java "$out/java" && rm -rf deb
fi
if absent python; then
	for p in libpython3.11-stdlib python3-django python3-twisted python3-sqlalchemy python3-sympy; do debian deb $p; done
	mkdir python && cp -r deb/usr/lib/python3* python/
	mv python "$out/python" && rm -rf deb
fi
if absent typescript; then
	mkdir typescript
	for p in effect viem ethers rxjs zod @trpc/server @tanstack/query-core; do
		file=$(npm pack --silent --ignore-scripts "$p" 2>/dev/null | tail -1)
		mkdir -p "typescript/$p" && tar -xzf "$file" -C "typescript/$p" --strip-components=1
		rm -f "$file"
	done
	find typescript -type f ! \( -name '*.ts' -o -name '*.tsx' -o -name package.json \) -delete
	find typescript -name '*.d.ts' -delete
	mv typescript "$out/typescript"
fi
du -sm "$out"/*
