#ifndef PROTO_PROCESS_OPTIONS_H
#define PROTO_PROCESS_OPTIONS_H
/*
 * Options from one table per program.  A later source overrides an earlier one: default, file
 * (--config F, lines `name = value`), environment, flag.  A row
 * `OPT(str, listen, "URL", "ipc://x", "", "address to serve on")` makes the field, `--listen URL`,
 * `ATOLL_LISTEN`, a line of the config file and a line of --help.  The fifth column names further
 * environment variables, separated by spaces.  ATOLL_<NAME> overrides them; else the first that is
 * set counts.  An empty variable counts as set: ATOLL_LLM_KEY= sends no key, even if there is an
 * OPENAI_API_KEY.
 *
 * A secret NAME may have a row NAME_file beside it; the file overrides it.
 *
 * Types: str (const char *), num (int64_t), flag (bool; `--name`, or `--name=false`), list (struct
 * string_list; may be repeated; comma-separated in file and environment), secret (a str that no
 * flag sets and no listing shows).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

struct string_list {
	const char **v;
	size_t n;
};

enum opt_type { OPT_str, OPT_num, OPT_flag, OPT_list, OPT_secret };

typedef const char *opt_str;
typedef int64_t opt_num;
typedef bool opt_flag;
typedef struct string_list opt_list;
typedef const char *opt_secret;

struct opt {
	enum opt_type type;
	const char *name, *arg, *def, *env, *help;
	size_t off;
};

/*
 * Fill the struct at `o` (zeroed by the caller) from the `n` rows; words that are not options go to
 * `args`.  Strings live in `a` or in argv.  `usage` heads --help.  Returns 0; 1 if --help or
 * --version was printed; -1 with `e` (INVALID_INPUT, naming the option).
 */
int options_parse(const struct opt *, size_t n, void *o, const char *usage, int argc, char **argv,
    struct string_list *args, struct arena *a, struct err *e);

/*
 * The first line of the file that the option --`flag` names, in `a`.  NULL with INVALID_INPUT if it
 * is empty or cannot be read.
 */
const char *options_read_secret(const char *flag, const char *path, struct arena *a, struct err *e);

/* The environment variable that a row takes its value from, in `a`, or NULL if none is set. */
const char *options_env_name(const struct opt *, struct arena *a);

/* A secret and its origin: an environment variable, the option of its file, or --config. */
struct secret_origin {
	const char *secret, *from;
};

/* The secrets that are set in the options at `o`, without their values, in `a`. */
struct secret_origin *options_list_secrets(
    const struct opt *, size_t n, const void *o, size_t *found, struct arena *a);

/* The flag's spelling of a row's name: `git_timeout` -> "git-timeout".  Lives in `a`. */
const char *options_flag_name(const struct opt *, struct arena *a);
#endif
