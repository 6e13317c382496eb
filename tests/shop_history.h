/* The shop's services as one repository with two commits, and a third commit: for rpc_answers.h. */
#ifndef TESTS_SHOP_HISTORY_H
#define TESTS_SHOP_HISTORY_H

#include "tests/rpc_answers.h"

static void make_repository(void)
{
	run("git init -q -b main . && mkdir .gone && mv orders .gone && printf '\\1\\0\\2' >web/logo.bin");
	run("printf '/.gone\\n' >.git/info/exclude");
	run("git add -A");
	commit_staged(1, "Ann@shop.example", "shop: users, catalog and web");
	run("mv .gone/orders . && rmdir .gone");
	run("git add -A");
	commit_staged(2, "Bob@shop.example", "orders: the service");
}

static void change_repository(void)
{
	run("sed -i 's/def by_email(self, email)/def by_address(self, address, strict=False)/;s/(email,)).fetchone/(address,)).fetchone/'"
	    " users/users/store.py");
	run("sed -i 's/store.by_email(body/store.by_address(body/' users/users/app.py");
	run("git mv catalog/neighbours.go catalog/others.go && rm web/src/partners.ts");
	run("printf 'from users.store import UserStore\\n\\n\\ndef count(path):\\n    \"\"\"How many accounts there are.\"\"\"\\n"
	    "    return len(UserStore(path).all())\\n' >users/users/report.py");
	run("git add -A");
	commit_staged(3, "Ann@shop.example", "users: accounts are found by address");
}
#endif
