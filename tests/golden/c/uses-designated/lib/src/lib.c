#include "lib.h"
int lib_register(const struct lib_ops *o) { return o->flags; }
