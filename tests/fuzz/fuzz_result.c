/* fuzz_result.c - any bytes given to the readers of results: an error or a table, never a
 * crash, a hang or a leak. The first byte chooses the format: CSV, MAT or row log. (HDF5 is
 * libhdf5's to fuzz.) */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/results.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void use_table(const crank_table *table)
{
    require(table->columns >= 1 && table->rows >= 0);
    for (int j = 0; j < table->columns; j++) {
        require(strlen(table->names[j]) + strlen(table->units[j]) +
                    strlen(table->descriptions[j]) <
                SIZE_MAX);
        const double *column = table->values + (size_t)j * (size_t)table->rows;
        for (int i = 0; i < table->rows; i++) {
            const volatile double value = column[i];
            (void)value;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const endings[] = {".csv", ".mat", ".rows"};
    char path[64];
    crank_error err = {0};
    crank_table *table = NULL;

    if (size < 1) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "/tmp/crank-fuzz-%ld%s", (long)getpid(),
                   endings[data[0] % 3]);
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data + 1, 1, size - 1, file) == size - 1);
    (void)fclose(file);
    const crank_status status = crank_table_read(path, &table, &err);
    require((status == CRANK_OK) == (table != NULL));
    require(status == CRANK_OK || err.text[0] != '\0');
    if (table != NULL) {
        use_table(table);
    }
    crank_table_destroy(table);
    (void)unlink(path);
    return 0;
}
