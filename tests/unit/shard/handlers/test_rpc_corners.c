/*
 * What the handlers of a shard answer about files of every kind, with limits and pages, filters, and requests that are refused, in
 * tests/answers/corners.txt: rpc_answers.h.
 */
#include "tests/rpc_answers.h"

/* Files that other tools would change: odd ends of lines and bytes, a large one, a link, a submodule. */
static void make_odd_files(void)
{
	run("printf 'def crlf(x):\\r\\n    \"\"\"With other ends of lines.\"\"\"\\r\\n    return x\\r\\n' >app/crlf.py");
	run("printf 'name: caf\\351\\nsecond: line\\n' >docs/latin.txt; : >docs/empty.txt; printf '\\0\\1' >docs/logo.png");
	run("printf 'def last_line(): return 1' >app/no_newline.py");
	run("mkdir 'app/sp ace'; printf 'def caf\\303\\251(): return \"\\303\\244\\303\\266\"\\n' >'app/sp ace/caf\xc3\xa9.py'");
	run("ln -s models.py app/link.py; ln -s ../nowhere docs/dangling");
	run("{ echo 'def large_one():'; for i in $(seq 600); do echo \"    call_$i(lend, $i)\"; done; echo 'def large_two(): pass'; } >app/large.py");
	run("mkdir -p .github; printf 'docs/ @ann\\n*.go @bob\\n' >.github/CODEOWNERS");
	run("printf '[submodule \"sub\"]\\n\\tpath = sub\\n\\turl = https://git.example.com/sub.git\\n' >.gitmodules");
}

static void make_repository(void)
{
	run("git init -q -b main . && printf '/.later\\n' >.git/info/exclude && mkdir .later && mv web docs .later");
	run("git add -A");
	commit_staged(1, "old-ann@corners.example", "desk: things are lent");
	run("mv .later/docs . && git add -A");
	commit_staged(2, "bob@corners.example", "docs: a guide");
	make_odd_files();
	run("git update-index --add --cacheinfo 160000,0123456789012345678901234567890123456789,sub && git add -A -- app docs .github .gitmodules");
	commit_staged(3, "ann@corners.example", "odd files\n\nWith a body.");
	run("git checkout -q -b side && mv .later/web . && rmdir .later && git add -A -- web");
	commit_staged(4, "cy@corners.example", "web: the page");
	run("git checkout -q main && sed -i 's/Put them/Please put them/' docs/guide.md && git add -A -- docs");
	commit_staged(5, "bob@corners.example", "docs: politely");
	run("export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_DATE=2026-03-06T12:00:00Z GIT_COMMITTER_DATE=2026-03-06T12:00:00Z;"
	    " git -c user.name=cy -c user.email=cy@corners.example merge -q --no-ff -m 'merge the page' side");
}

/* Definitions that are added, changed, renamed, moved and removed; files of each kind of change. */
static void change_repository(void)
{
	run("sed -i 's/def give_back(self, number)/def take_back(self, number, day=0)/; s/def _audit/def audit/' app/lending.py");
	run("sed -i 's/desk.give_back(number)/desk.take_back(number)/; /def health/,$d; /\"\\/health\"/d' app/routes.py");
	run("git mv app/copies_b.py app/sums.py && git rm -q web/min.js && chmod +x Makefile && printf '\\2' >>docs/logo.png");
	run("git mv web/things.ts web/kinds.ts && sed -i 's/things\"/kinds\"/' web/store.ts web/store.test.ts && sed -i 's/Film = /Movie = /' web/kinds.ts");
	run("printf '\\nclass Map(Thing):\\n    def label(self):\\n        return \"map\"\\n' >>app/models.py");
	run("mkdir new && printf 'from app.lending import Desk\\n\\n\\ndef night(desk: Desk):\\n    return desk.lend(1, \"owl\")\\n' >new/night.py");
	run("sed -i '/^func (q \\*Queue) Pop/,$d' pkg/queue/queue.go && sed -i 's/Most = 10/Most = 12/' pkg/queue/queue.go");
	run("git add -A -- . ':!sub'");
	commit_staged(9, "dee@corners.example", "desk: night, and other names");
}

int main(int argc, char **argv)
{
	const struct answers_case corners = {
		"tests/answers/corners.txt",
		"tests/fixtures/corners",
		"none",
		"12000",
		make_repository,
		change_repository,
	};

	return answers_main(&corners, argc, argv);
}
