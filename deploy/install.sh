#!/bin/sh -e
# install.sh BIN DESTDIR PREFIX: put the programs of BIN, man pages, completion of bash and systemd units below DESTDIR/PREFIX.
bin=$1 to=$2$3 prefix=$3
here=$(dirname "$0")
doc=$to/share/doc/atoll
complete=$to/share/bash-completion/completions
units=$to/lib/systemd/system
install -d "$to/bin" "$to/share/man/man1" "$to/share/man/man8" "$complete" "$units" "$doc/examples"
install -m 755 "$bin/atoll" "$bin/atoll-shard" "$bin/atoll-coordinator" "$to/bin"
for p in atoll.1 atoll-shard.8 atoll-coordinator.8; do
	python3 "$here/packaging/help.py" man "$bin/${p%.*}" "${p##*.}" | gzip -9n >"$to/share/man/man${p##*.}/$p.gz"
	python3 "$here/packaging/help.py" completion "$bin/${p%.*}" >"$complete/${p%.*}"
done
for u in "$here"/systemd/*.service; do
	sed -e "s|@BINDIR@|$prefix/bin|" -e "/@HARDENED@/{r $here/systemd/hardened
d}" "$u" >"$units/$(basename "$u")"
	chmod 644 "$units/$(basename "$u")"
done
install -m 644 "$here"/systemd/*.conf "$here/grafana/atoll.json" "$here/prometheus/alerts.yaml" "$doc/examples"
install -m 644 "$here/README.md" "$doc"
