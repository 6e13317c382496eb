/* Replays a fuzzer's corpus with a plain main: every file named, and every file in the folders named. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static int replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st;

	if (!f || fstat(fileno(f), &st)) {
		fprintf(stderr, "cannot read %s\n", path);
		return 1;
	}
	uint8_t *p = malloc((size_t)st.st_size + 1);	/* exact, so that a sanitizer sees a byte too far */
	size_t n = p ? fread(p, 1, (size_t)st.st_size, f) : 0;
	fclose(f);
	p = realloc(p, n ? n : 1);
	LLVMFuzzerTestOneInput(p, n);
	free(p);
	return 0;
}

static int replay(const char *path)
{
	DIR *d = opendir(path);
	char child[4096];
	int bad = 0;

	if (!d)
		return replay_file(path);
	for (struct dirent *e; (e = readdir(d));)
		if (*e->d_name != '.') {
			snprintf(child, sizeof child, "%s/%s", path, e->d_name);
			bad |= replay(child);
		}
	closedir(d);
	return bad;
}

int main(int argc, char **argv)
{
	int bad = 0;

	for (int i = 1; i < argc; i++)
		bad |= replay(argv[i]);
	return bad;
}
