/* model_file.c - reads a model file, runs it and writes its trajectory as CSV on standard
 * output: model_file MODEL.yaml */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <stdio.h>

enum { INTERVALS = 10 };

int main(int argc, char **argv)
{
    crank_run *run = NULL;
    crank_table *table = NULL;
    crank_error err = {0};
    crank_status status = crank_run_open(argc > 1 ? argv[1] : "", NULL, &run, &err);
    status = status ? status : crank_run_table(run, INTERVALS, &table, &err);
    status = status ? status : crank_table_write(table, NULL, &err);
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s:%d:%d: %s\n", argv[1], err.line, err.column, err.text);
    }
    crank_table_destroy(table);
    crank_run_close(run);
    return status == CRANK_OK ? 0 : 1;
}
