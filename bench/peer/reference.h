/* reference.h - reference motions that errors are measured against: a CSV file with a line of
 * names (time, positions, velocities), then a row for each time. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

typedef struct reference {
    int columns, count; /* without time; rows */
    char **names;       /* columns */
    double *times;      /* count */
    double *values;     /* count x columns */
} reference;

/* Ends the program with a message if the file cannot be read. */
reference reference_read(const char *path);
void reference_free(reference *self);
/* Largest |x - exact| / (1 + |exact|); what is not finite counts as infinite. */
double largest_error(const double *x, const double *exact, int count);

#endif
