/* page_reader.h - a page read back: its index as text, its columns as numbers. The counterpart
 * of viewer/src/data, after docs/develop/page.md. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_PAGE_READER_H
#define CRANK_TESTS_PAGE_READER_H

#include "check.h"

#include "unit/results/scratch.h"

#include <crank/report.h>

#include <sys/stat.h>
#include <zlib.h>

static const char reader_template[] =
    "<!doctype html><html><head><title><!--crank:title--></title></head>\n"
    "<body>\n<!--crank:data-->\n<script>viewer</script></body></html>\n";

/* A table of columns x rows, all zero. */
typedef struct made_table {
    crank_table table;
    char text[64][64];
    char *names[64], *units[64], *descriptions[64];
} made_table;

static inline void make_table(made_table *m, int columns, int rows)
{
    assert_true(columns <= 64);
    *m = (made_table){.table = {.columns = columns, .rows = rows}};
    m->table.values = calloc((size_t)columns * (size_t)rows + 1, sizeof(double));
    assert_non_null(m->table.values);
    for (int j = 0; j < columns; j++) {
        (void)snprintf(m->text[j], sizeof m->text[j], j == 0 ? "time" : "c%d", j);
        m->names[j] = m->text[j];
        m->units[j] = m->text[j] + strlen(m->text[j]); /* "" */
        m->descriptions[j] = m->units[j];
    }
    m->table.names = m->names;
    m->table.units = m->units;
    m->table.descriptions = m->descriptions;
}

static inline double *table_column(made_table *m, int j)
{
    return m->table.values + (size_t)j * (size_t)m->table.rows;
}

/* Writes the page of a table with a template made for it; its text, to be freed. */
static inline char *page_text(crank_page page, const crank_table *table,
                              crank_page_report *report)
{
    scratch s, template;
    crank_error err = {0};
    struct stat info;
    scratch_open(&s, "page.html");
    scratch_open(&template, "template.html");
    scratch_write(&template, reader_template, strlen(reader_template));
    page.template_path = template.path;
    CHECK_OK(crank_page_write(&page, table, s.path, report, &err), err);
    assert_int_equal(stat(s.path, &info), 0);
    FILE *file = fopen(s.path, "rb");
    char *text = calloc(1, (size_t)info.st_size + 1);
    assert_non_null(file);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)info.st_size, file), info.st_size);
    (void)fclose(file);
    scratch_close(&template);
    scratch_close(&s);
    return text;
}

/* The number that follows the text `"key": ` after place. */
static inline int number_after(const char *place, const char *key)
{
    const char *found = strstr(place, key);
    assert_non_null(found);
    return atoi(found + strlen(key));
}

static inline bool in_page(const char *text, const char *name)
{
    char entry[128];
    (void)snprintf(entry, sizeof entry, "{\"name\": \"%s\"", name);
    return strstr(text, entry) != NULL;
}

static inline unsigned digit_value(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c != '\0' ? strchr(digits, c) : NULL;
    assert_non_null(found);
    return (unsigned)(found - digits);
}

/* Bytes of a block, decompressed; to be freed. */
static inline unsigned char *block_bytes(const char *text, int block, size_t size)
{
    char id[64];
    (void)snprintf(id, sizeof id, "id=\"crank-block-%d\">", block);
    const char *start = strstr(text, id);
    assert_non_null(start);
    start += strlen(id);
    const size_t length = strcspn(start, "<");
    assert_int_equal(length % 4, 0);
    unsigned char *packed = malloc(length), *bytes = malloc(size + 1);
    size_t count = 0;
    for (size_t i = 0; i < length; i += 4) {
        unsigned bits = 0;
        int given = 0;
        for (size_t k = 0; k < 4; k++) {
            given += start[i + k] != '=' ? 1 : 0;
            bits = bits << 6 | (start[i + k] != '=' ? digit_value(start[i + k]) : 0);
        }
        for (int k = 0; k < given - 1; k++) {
            packed[count++] = (unsigned char)(bits >> (16 - 8 * k));
        }
    }
    uLongf unpacked = (uLongf)size + 1;
    assert_int_equal(uncompress(bytes, &unpacked, packed, (uLong)count), Z_OK);
    assert_int_equal(unpacked, size);
    free(packed);
    return bytes;
}

/* The bits of a column: rows numbers of 4 or 8 bytes (*width); to be freed. */
static inline uint64_t *column_bits(const char *text, const char *name, int *width)
{
    char entry[128];
    const char *index = strstr(text, "id=\"crank-index\"");
    assert_non_null(index);
    (void)snprintf(entry, sizeof entry, "{\"name\": \"%s\"", name);
    const char *place = strstr(index, entry);
    assert_non_null(place);
    const size_t rows = (size_t)number_after(index, "\"rows\": ");
    const int block = number_after(place, "\"block\": ");
    const size_t slot = (size_t)number_after(place, "\"slot\": ");
    const char *list = strstr(index, "\"blocks\": [");
    for (int i = 0; i <= block; i++) {
        list = strstr(list + 1, "{\"columns\": ");
        assert_non_null(list);
    }
    const size_t columns = (size_t)number_after(list, "\"columns\": ");
    *width = number_after(list, "\"type\": \"f") / 8;
    const size_t column_size = rows * (size_t)*width;
    unsigned char *bytes = block_bytes(text, block, columns * column_size);
    const unsigned char *planes = bytes + slot * column_size;
    uint64_t *bits = calloc(rows + 1, sizeof *bits), value = 0, difference = 0;
    for (size_t i = 0; i < rows; i++) {
        uint64_t second = 0;
        for (int k = 0; k < *width; k++) {
            second |= (uint64_t)planes[(size_t)k * rows + i] << (8 * k);
        }
        difference += second;
        value += difference;
        bits[i] = *width == 4 ? value & 0xffffffffu : value;
    }
    free(bytes);
    return bits;
}

/* Every value of the page's column is bit for bit the table's, or the f32 next to it. */
static inline void check_column(const char *text, const char *name, const double *values,
                                bool wide)
{
    int width;
    const int rows = number_after(strstr(text, "id=\"crank-index\""), "\"rows\": ");
    uint64_t *bits = column_bits(text, name, &width);
    assert_int_equal(width, wide ? 8 : 4);
    for (int i = 0; i < rows; i++) {
        uint64_t expected = 0;
        if (wide) {
            memcpy(&expected, &values[i], sizeof values[i]);
        } else {
            const float single = (float)values[i];
            uint32_t low;
            memcpy(&low, &single, sizeof single);
            expected = low;
        }
        assert_int_equal(bits[i], expected);
    }
    free(bits);
}

#endif
