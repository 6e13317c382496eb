#ifndef STRUCTS_H
#define STRUCTS_H

struct user;
typedef struct user user_t;
typedef int (*visit)(struct user *, void *);
extern struct user *current;
int user_open(struct user *u, const char *name);

struct user {
	char *name;
	struct role *role, *other;
	struct { int x, y; } at;
	int (*close)(struct user *);
	enum kind kind;
};

typedef struct {
	size_t n;
	user_t *v;
} users;

union any {
	long l;
	users *u;
};

enum kind { KIND_A, KIND_B = LIMIT };
#endif
