/* csv.h - what readers of CSV files share. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CSV_H
#define CRANK_SRC_CSV_H

#include <crank/base.h>

/* The whole file ("-": standard input), zero-terminated; *text is the caller's to free().
 * ESYNTAX if it is empty or holds a zero byte. */
crank_status crank_csv_load(const char *path, char **text, size_t *length, crank_error *err);
/* Fields of the first line. */
int crank_csv_count_fields(const char *text);

#endif
