#!/usr/bin/env python3
"""Deal real source files into git repositories for benchmarks (standard library only).

  corpus.py DEST REPOS FILES SOURCE...     SOURCE: a git repository (bare or not; its HEAD) or a folder

Takes every source file that Atoll parses, in order of path, one source after the other, and writes REPOS
repositories of FILES consecutive files each as DEST/rNNNN, each one commit.  When the sources run out it starts
over, which is said.  DEST/queries.txt holds 500 distinct queries drawn from the files, `KIND TAB QUERY` a line, as many of each
kind: an identifier, 1, 3 and 8 words that stand near each other, and a question; the same for the same files.
"""
import os, random, re, subprocess, sys, threading

EXT = re.compile(r'\.(py|js|jsx|mjs|ts|tsx|go|java|c|h)$')
SKIP = re.compile(r'(^|/)(node_modules|vendor|dist|\.[^/]*|__pycache__)/|\.min\.')
LIMIT = 300_000


def from_git(path):
    out = subprocess.run(['git', '-C', path, 'ls-tree', '-r', '-l', '-z', 'HEAD'], stdout=subprocess.PIPE, check=True).stdout
    rows = []
    for row in out.decode('utf-8', 'replace').split('\0'):
        if not row:
            continue
        meta, name = row.split('\t', 1)
        _, _, oid, size = meta.split()
        if not size.isdigit():      # `-`: no blob; `BAD`: one that is not here (a clone of a part)
            continue
        if EXT.search(name) and not SKIP.search(name) and 0 < int(size) < LIMIT:
            rows.append((name, oid))
    cat = subprocess.Popen(['git', '-C', path, 'cat-file', '--batch', '--buffer'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    def feed():
        try:
            cat.stdin.write(''.join(o + '\n' for _, o in rows).encode())
            cat.stdin.close()
        except OSError:
            pass    # the reader has enough
    threading.Thread(target=feed, daemon=True).start()
    try:
        for name, _ in rows:
            size = int(cat.stdout.readline().split()[2])
            data = cat.stdout.read(size)
            cat.stdout.read(1)
            yield name, data
    finally:
        cat.kill()
        cat.wait()


def from_folder(path):
    for root, dirs, files in os.walk(path):
        dirs[:] = sorted(d for d in dirs if not d.startswith('.') and d not in ('node_modules', '__pycache__'))
        for f in sorted(files):
            full = os.path.join(root, f)
            if EXT.search(f) and not SKIP.search(f) and os.path.isfile(full) and not os.path.islink(full):
                if 0 < os.path.getsize(full) < LIMIT:
                    with open(full, 'rb') as h:
                        yield os.path.relpath(full, path), h.read()


def sources(paths):
    for i, p in enumerate(paths):
        git = os.path.exists(os.path.join(p, 'HEAD')) or os.path.exists(os.path.join(p, '.git'))
        for name, data in (from_git if git else from_folder)(p):
            if b'\0' not in data[:8192]:
                yield f's{i}/{name}', data


def write_repo(dest, files):
    subprocess.run(['git', 'init', '-q', '--bare', '-b', 'main', dest], check=True)
    imp = subprocess.Popen(['git', '-C', dest, 'fast-import', '--quiet'], stdin=subprocess.PIPE)
    w = imp.stdin.write
    w(b'commit refs/heads/main\ncommitter bench <bench@example.com> 1700000000 +0000\ndata 5\nbench\n')
    for name, data in files:
        w(b'M 100644 inline "%s"\ndata %d\n' % (name.replace('"', '').replace('\\', '').encode(), len(data)))
        w(data)
        w(b'\n')
    imp.stdin.close()
    if imp.wait():
        sys.exit(f'git fast-import failed for {dest}')


def near(text, rnd, n):
    """n different words that follow each other in the text, without those between."""
    words = re.findall(r'\b[a-z]{4,12}\b', text)
    at = rnd.randrange(max(1, len(words) - 4 * n))
    some = list(dict.fromkeys(words[at:at + 4 * n]))[:n]
    return ' '.join(some) if len(some) == n else ''


def identifier(text, rnd):
    words = re.findall(r'\b[A-Za-z_][A-Za-z0-9_]{5,30}\b', text)
    return rnd.choice(words) if words else ''


def question(text, rnd):
    lines = re.findall(r'(?:#|//|\*)\s+([A-Z][a-z]+(?: [a-z]{2,12}){3,8})', text)
    return f'{rnd.choice(["where do we", "how does it", "what can"])} {rnd.choice(lines).lower()}?' if lines else ''


KINDS = {
    'identifier': identifier,
    '1 word': lambda text, rnd: near(text, rnd, 1),
    '3 words': lambda text, rnd: near(text, rnd, 3),
    '8 words': lambda text, rnd: near(text, rnd, 8),
    'question': question,
}


def queries(samples, each=100):
    rnd, out = random.Random(7), {}
    for kind, make in KINDS.items():
        n, tries = len(out), 0
        while samples and len(out) < n + each and tries < 100 * each:
            q = make(rnd.choice(samples), rnd)
            tries += 1
            if q:
                out.setdefault(q, kind)
    return [f'{kind}\t{q}' for q, kind in out.items()]


def main():
    dest, nrepos, nfiles, paths = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    os.makedirs(dest, exist_ok=True)
    files, samples, made, total, seen, distinct, rounds = [], [], 0, 0, 0, 0, 0
    while made < nrepos:
        rounds += 1
        for name, data in sources(paths):
            files.append((name, data))
            distinct += rounds == 1
            total += len(data)
            seen += 1
            if len(samples) < 4000 and seen % min(20, nfiles) == 0:
                samples.append(data[:20000].decode('utf-8', 'replace'))
            if len(files) == nfiles:
                write_repo(os.path.join(dest, f'r{made:04d}'), files)
                files, made = [], made + 1
                if made == nrepos:
                    break
        if not distinct:
            sys.exit('no source files in ' + ' '.join(paths))
    with open(os.path.join(dest, 'queries.txt'), 'w') as f:
        f.write('\n'.join(queries(samples)) + '\n')
    print(f'{nrepos} repositories of {nfiles} files, {total / 1e6:.0f} MB; {min(distinct, nrepos * nfiles)} files are distinct')


main()
