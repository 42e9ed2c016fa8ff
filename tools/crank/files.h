/* files.h - what paths on the command line stand for. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_FILES_H
#define CRANK_TOOLS_FILES_H

#include "command.h"

bool has_ending(const char *path, const char *ending);
/* The name without directory and ending, "fall" of "runs/fall.csv", into name; returns name. */
const char *file_stem(const char *path, char *name, size_t size);
/* A pipe, a terminal, /dev/full: something that exists and is neither file nor directory. */
bool is_device(const char *path);
/* NULL or "-". */
bool is_standard_output(const char *path);
/* Two names of one existing file, or equal names. */
bool is_same_file(const char *a, const char *b);
/* Size in bytes; -1 if path is no file. */
int64_t file_size(const char *path);
/* Can path be written? Leaves a file that exists as it is, and none where there was none. */
crank_status probe_writing(const char *path, crank_error *err);
/* "1.2 MB", written into text (at least 16 characters); returns text. */
const char *size_text(int64_t bytes, char *text, size_t size);

/* ---- a result that is read once and then removed ---- */

typedef struct temporary_result {
    char directory[256]; /* "" : there is none */
    char path[280];
} temporary_result;

/* A name in a directory of its own under TMPDIR, else /tmp. */
crank_status temporary_result_make(temporary_result *t, crank_error *err);
void temporary_result_remove(temporary_result *t);

#endif
