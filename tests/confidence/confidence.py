#!/usr/bin/env python3
"""How sure a link is: fits the weights of evidence.def to labelled systems, and shows whether confidences keep their word.

  confidence.py learn EVAL REPOS BIN MATCH [--data DIR]   rewrite the weights, then show the table
  confidence.py show  EVAL REPOS BIN MATCH [--data DIR]   show the table only

EVAL, REPOS: as for make eval.  BIN: the folder of the programs.  MATCH: the program of tests/tools/match.c.
--data: the data folder of a coordinator that has all repositories already; without it, they are indexed first.

Each labelled system is matched alone, in a federation of everything, and in one whose members all have one owner.  A link
between repositories of one labelled system is right if the labels have it, with the route's method and path; one between
different systems is wrong.  The table is made without the system that it judges: for each labelled system, and for each other
system of the federation of everything, the weights are fitted to the rest.
"""
import argparse, collections, json, math, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVIDENCE = os.path.join(ROOT, 'coordinator/contracts/matching/evidence.def')
ROW = re.compile(r'^EVIDENCE\((\w+), ([-\d.]+), ([-\d.]+), (".*")\)$')
# What is certain, and what is divided by a number that the match itself counts, is not fitted.
GIVEN = {'declared', 'one_of_several', 'any_method'}
# How far a weight goes from where it starts if the data say little: the variance of its Gaussian prior.
SPREAD = 0.1
MISTAKES = 0.06     # the share of labels that are wrong: of so many links the labels lack the call, and most of those are right
SWEEPS = 200


def read_starts():
    """Where the weight of each code starts that is fitted."""
    rows = [m for m in map(ROW.match, open(EVIDENCE)) if m]
    return {m[1]: float(m[2]) for m in rows if m[1] not in GIVEN}


def write_weights(weights):
    lines = open(EVIDENCE).read().split('\n')
    for i, line in enumerate(lines):
        m = ROW.match(line)
        if m and m[1] in weights:
            lines[i] = f'EVIDENCE({m[1]}, {m[2]}, {weights[m[1]]:.2f}, {m[4]})'
    with open(EVIDENCE, 'w') as f:
        f.write('\n'.join(lines))


# ---- links and their labels ----

class Labels:
    """Which links of a labelled system are right: as EVAL/score.py judges them."""

    def __init__(self, score, path):
        self.score, self.rows = score, score.load(path)
        self.name = os.path.basename(path).removesuffix('.jsonl')
        self.byid = {o['id']: o for o in self.rows if 'id' in o}
        self.scope = {o['repo']: o for o in self.rows if o['kind'] == 'scope'}
        self.links = [o for o in self.rows if o['kind'] == 'link' and o['cross_repo']]
        self.repos = {o['repo'] for o in self.rows if o.get('repo')}

    def covers(self, repo, file):
        return not self.scope or repo in self.scope and re.search(self.scope[repo]['files'], file)

    def lists(self, call):
        return any(o['kind'] == 'fetch' and o['repo'] == call['repo'] and self.score.at(o, call['file'], call['line']) for o in self.rows)

    def is_right(self, link):
        s = self.score
        call, route = link['consumer'], link['producer']
        for l in self.links:
            f, r = self.byid[l['fetch']], self.byid[l['route']]
            if (call['repo'], route['repo']) != (f['repo'], r['repo']):
                continue
            if not s.at(f, call['file'], call['line']) or not s.at(r, route['file'], route['line']):
                continue
            if s.meth(r['method'], route['method']) and s.norm(route['path']) in s.paths(r):
                return True
        return False


def matched(match, data, names, owner=None):
    env = dict(os.environ, ATOLL_MATCH_UNSURE='1')     # else the weights would choose what they are fitted to
    if owner:
        env['ATOLL_MATCH_OWNER'] = owner
    out = subprocess.run([match, data, *names], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return [json.loads(l)['row'] for l in out.decode().splitlines() if l.startswith('{"list":"contract"')]


def uri_of(repo):
    name, _, folder = repo.partition('#')
    return f'github.com/{name}' + (f'-{folder.replace("/", "-")}' if folder else '')


def repositories(eval_dir, truths):
    """repository -> system, and repository -> commit (None: its newest)."""
    system, commit = {}, {}
    for t in truths:
        for o in t.rows:
            if o.get('repo') and o.get('commit'):
                system[o['repo']], commit[o['repo']] = t.name, o['commit']
    for line in open(os.path.join(eval_dir, 'mixed_systems.tsv')):
        if line.strip() and not line.startswith('#'):
            name, repo = line.rstrip('\n').split('\t')[:2]
            system[repo] = name
            commit.setdefault(repo, None)
    return system, commit


class Link:
    def __init__(self, row, systems, right, listed=True):
        codes = {c['code'] for c in row['evidence'] if c.get('code')} | {'path'}
        self.features, self.given = codes - GIVEN, bool(codes & GIVEN)
        self.confidence, self.systems, self.right = row['confidence'], frozenset(systems), right
        self.listed = listed    # the labels have the call
        self.ends = tuple((e['repo'], e['file'], e['line'], e['method'], e['path']) for e in (row['consumer'], row['producer']))

    def key(self):
        return self.ends, frozenset(self.features), self.given


def index(run, a, commit, work):
    """Index all repositories, and return the data folder that has their facts."""
    paths = []
    for i, (repo, c) in enumerate(sorted(commit.items())):
        c = c or run.sh('git', '-C', run.source(a.repos, repo.partition('#')[0]), 'rev-parse', 'HEAD').strip()
        paths.append(os.path.join(work, 'repos', f"{i:03d}-{repo.split('/')[1].replace('#', '-')}"))
        run.lay_out(a.repos, repo, c, paths[-1])
    atoll = run.Atoll(os.path.abspath(a.bin), work, paths)
    try:
        atoll.call('group_sync', {'group': 'eval'})
    finally:
        atoll.stop()
    return os.path.join(work, 'data')


def label(rows, repo_of, system, truths):
    """The links between different repositories that can be judged."""
    by_name = {t.name: t for t in truths}
    for row in rows:
        ends = row['consumer'], row['producer']
        for e in ends:
            e['repo'] = repo_of.get(e['repo_uri'])
        if not row['cross_repo'] or not ends[0]['repo'] or not ends[1]['repo']:
            continue
        x, y = (system[e['repo']] for e in ends)
        if x != y:
            yield Link(row, {x, y}, False)
        elif x in by_name and all(by_name[x].covers(e['repo'], e['file']) for e in ends):
            yield Link(row, {x}, by_name[x].is_right(row), by_name[x].lists(row['consumer']))


def collect(a, score, data, truths, system):
    uris = {uri_of(r): r for r in system}
    links = list(label(matched(a.match, data, []), uris, system, truths))
    last = collections.Counter(u.rsplit('/', 1)[1] for u in uris)
    owned = {'github.com/corp/' + u.rsplit('/', 1)[1]: r for u, r in uris.items() if last[u.rsplit('/', 1)[1]] == 1}
    links += label(matched(a.match, data, [], 'corp'), owned, system, truths)
    for t in truths:
        links += label(matched(a.match, data, [uri_of(r) for r in t.repos]), uris, system, truths)
    return list({l.key(): l for l in links}.values())    # the same link with the same evidence counts once


# ---- fitting ----

def probability(weights, features):
    return 1 / (1 + math.exp(-sum(weights[f] for f in features)))


def fit(links, start):
    """The weights of greatest posterior probability, one by one by Newton's method; none changes sides."""
    counts = collections.Counter((frozenset(l.features), l.right) for l in links if l.listed and not l.given)
    weights = dict(start)
    for _ in range(SWEEPS):
        for code in weights:
            slope, curve = (start[code] - weights[code]) / SPREAD, 1 / SPREAD
            for (features, right), n in counts.items():
                if code in features:
                    p = probability(weights, features)
                    slope += n * (abs(right - MISTAKES) - p)
                    curve += n * p * (1 - p)
            moved = weights[code] + max(-1, min(1, slope / curve))
            weights[code] = moved if moved * start[code] > 0 else 0.0
    return weights


# ---- the table ----

def interval(n, p):
    """Half the width of the 95 % interval of the share of n that are right, if each is with probability p."""
    return 1.96 * math.sqrt(max(p * (1 - p), 1e-9) / n)


def table(judged):
    """judged: (confidence, right)."""
    bins, ece = collections.defaultdict(list), 0
    for c, right in judged:
        if c >= 0.5:
            bins[min(int(c * 10), 9)].append((c, right))
    total, kept = sum(map(len, bins.values())), True
    if not total:
        sys.exit('confidence: no link can be judged: EVAL labels none between the repositories of REPOS')
    for b, v in sorted(bins.items()):
        says, is_right = (sum(x[i] for x in v) / len(v) for i in (0, 1))
        off = abs(says - is_right)
        ece += off * len(v) / total
        fine = len(v) < 50 or off <= max(0.05, interval(len(v), says))
        kept = kept and fine
        print(f'  {b / 10:.1f} to {b / 10 + 0.1:.1f}: {len(v):5} links, says {says:.3f}, right {is_right:.3f}' + ('' if fine else '  <- off'))
    print(f'confidence: expected calibration error {ece:.3f} over {total} links; ' + ('every bin of 50 links keeps its word' if kept else 'a bin is off'))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('what', choices=['learn', 'show'])
    for name in ('eval', 'repos', 'bin', 'match'):
        ap.add_argument(name)
    ap.add_argument('--data')
    a = ap.parse_args()
    if not os.path.isfile(os.path.join(a.eval, 'score.py')) or not os.path.isdir(a.repos):
        ap.error(f'EVAL must hold score.py and the labels, REPOS the labelled repositories; got EVAL={a.eval!r} REPOS={a.repos!r}')
    sys.path.insert(0, a.eval)
    import run, score
    truths = [Labels(score, os.path.join(a.eval, f)) for f in sorted(os.listdir(a.eval))
              if f.endswith('.jsonl') and not f.startswith('search_')]
    system, commit = repositories(a.eval, truths)
    with tempfile.TemporaryDirectory(prefix='atoll-confidence-') as work:
        links = collect(a, score, a.data or index(run, a, commit, work), truths, system)
    start = read_starts()
    fitted = {s: fit([l for l in links if not s & l.systems], start) for s in {l.systems for l in links}}
    judged = []
    for l in links:
        p = l.confidence if l.given else probability(fitted[l.systems], l.features)
        judged.append((p, l.right))
    if a.what == 'learn':
        write_weights(fit(links, start))
    table(judged)


if __name__ == '__main__':
    main()
