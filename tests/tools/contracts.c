/* contracts [--steps] DIR: indexes a folder and prints the contract facts of its files. */
#include "tests/contracts_index.h"

int main(int argc, char **argv)
{
	static struct sources t;
	bool steps = argc == 3 && !strcmp(argv[1], "--steps");
	char dir[] = "/tmp/atoll-contracts.XXXXXX", cmd[100];
	struct index_info info;
	struct err e = { 0 };
	struct parser *p = parser_new(&e);

	if (argc != 2 + steps || !p || !mkdtemp(dir)) {
		fprintf(stderr, "usage: contracts [--steps] DIR (of at most 4000 files)\n");
		return 2;
	}
	sources_read(&t, argv[argc - 1], "");
	char *text = sources_index(&t, p, dir, &info, &e) ? NULL : contracts_text(dir, &info, steps, &e);
	fputs(text ? text : e.msg, text ? stdout : stderr);
	free(text);
	sources_free(&t);
	parser_free(p);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd) || e.code ? 1 : 0;
}
