#ifndef SHARD_PROGRAM_PROGRAM_INTERNAL_H
#define SHARD_PROGRAM_PROGRAM_INTERNAL_H
/* What program.c and program_files.c share. */

#include "shard/program/program.h"

/* Fills in what follows from the paths of the files and their declared packages. */
void program_describe_files(struct program *);

/* Makes all lists at once, for a program that several threads read. */
void program_make_lists(struct program *);
void program_free_lists(struct program *);
#endif
