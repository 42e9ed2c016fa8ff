/* mat_read.c - reads MAT files (see mat.h) of crank and of other tools: "binTrans" and
 * "binNormal", numbers of any kind, aliases with a sign, parameters as constant columns.
 *
 * Sizes are compared with the file's before anything is taken for them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "results/mat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DATA_MATRICES = 9, /* data_1 .. data_9 */
    EXPANSION_MAX =
        128, /* values of the table per byte of the file: many aliases, little data */
    BLOCK = 1 << 16
};

typedef struct matrix {
    bool there;
    int precision; /* digit P */
    uint64_t place, rows, columns;
} matrix;

typedef struct mat_reader {
    int fd;
    const char *path;
    uint64_t size;
    bool transposed, own; /* "binTrans"; written by crank */
    matrix class, name, description, info, data[DATA_MATRICES];
    matrix title, model, method, scene, version;
} mat_reader;

static const size_t element_size[] = {8, 4, 4, 2, 2, 1};

static crank_status damaged(const mat_reader *r, const char *what, crank_error *err)
{
    (void)crank_fail(err, CRANK_ESYNTAX,
                     "%.200s: is no trajectory in a MAT file of version 4, or damaged: %s",
                     r->path, what);
    return CRANK_ESYNTAX;
}

static crank_status no_memory(const mat_reader *r, crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "%.200s: table", r->path);
}

static crank_status get_bytes(const mat_reader *r, uint64_t from, void *to, size_t size,
                              crank_error *err)
{
    if (crank_read_at(r->fd, from, to, size)) {
        return CRANK_OK;
    }
    return crank_fail(err, CRANK_EFILE, "%.200s: cannot read: %s", r->path,
                      errno != 0 ? strerror(errno) : "the file ends too early");
}

/* ---- the list of matrices ---- */

static matrix *find_matrix(mat_reader *r, const char *name)
{
    const struct {
        const char *name;
        matrix *place;
    } known[] = {
        {"Aclass", &r->class},
        {"name", &r->name},
        {"description", &r->description},
        {"dataInfo", &r->info},
        {CRANK_MAT_TITLE, &r->title},
        {CRANK_MAT_MODEL, &r->model},
        {CRANK_MAT_METHOD, &r->method},
        {CRANK_MAT_SCENE, &r->scene},
        {CRANK_MAT_VERSION, &r->version},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i].place;
        }
    }
    if (strncmp(name, "data_", 5) == 0 && name[5] >= '1' && name[5] <= '9' && name[6] == '\0') {
        return &r->data[name[5] - '1'];
    }
    return NULL;
}

/* The matrix at *place, which moves behind it. */
static crank_status list_matrix(mat_reader *r, uint64_t *place, crank_error *err)
{
    crank_mat_header h;
    char name[CRANK_MAT_NAME] = "";

    if (r->size - *place < sizeof h) {
        return damaged(r, "it ends within the head of a matrix", err);
    }
    crank_status status = get_bytes(r, *place, &h, sizeof h, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (h.type >= 1000 || h.type < 0 || h.type / 100 != 0 || h.type / 10 > 5 ||
        h.type % 10 > 1) {
        return damaged(r, "a matrix is big-endian, sparse or of an unknown type", err);
    }
    *place += sizeof h;
    if (h.rows < 0 || h.columns < 0 || h.imaginary != 0 || h.name_length < 1 ||
        (uint64_t)h.name_length > r->size - *place) {
        return damaged(r, "the head of a matrix is wrong", err);
    }
    const size_t length =
        (size_t)h.name_length < sizeof name ? (size_t)h.name_length : sizeof name;
    status = get_bytes(r, *place, name, length, err);
    if (status != CRANK_OK) {
        return status;
    }
    *place += (uint64_t)h.name_length;
    const matrix found = {.there = true,
                          .precision = h.type / 10,
                          .place = *place,
                          .rows = (uint64_t)h.rows,
                          .columns = (uint64_t)h.columns};
    const uint64_t fit = (r->size - *place) / element_size[found.precision];
    if (found.rows * found.columns > fit) {
        return damaged(r, "it ends within a matrix", err);
    }
    *place += found.rows * found.columns * element_size[found.precision];
    matrix *known = memchr(name, '\0', length) != NULL ? find_matrix(r, name) : NULL;
    if (known != NULL) {
        *known = found;
    }
    return CRANK_OK;
}

/* ---- elements ---- */

static double element(const unsigned char *from, int precision)
{
    double real;
    float single;
    int32_t word;
    int16_t half;
    uint16_t positive;

    switch (precision) {
    case 0:
        memcpy(&real, from, sizeof real);
        return real;
    case 1:
        memcpy(&single, from, sizeof single);
        return (double)single;
    case 2:
        memcpy(&word, from, sizeof word);
        return (double)word;
    case 3:
        memcpy(&half, from, sizeof half);
        return (double)half;
    case 4:
        memcpy(&positive, from, sizeof positive);
        return (double)positive;
    default:
        return (double)*from;
    }
}

/* All elements as doubles; *out is the caller's to free. */
static crank_status get_numbers(const mat_reader *r, const matrix *m, double **out,
                                crank_error *err)
{
    const size_t size = element_size[m->precision];
    const uint64_t count = m->rows * m->columns;
    unsigned char block[BLOCK];
    crank_status status = CRANK_OK;

    *out = malloc(((size_t)count + 1) * sizeof **out);
    if (*out == NULL) {
        return no_memory(r, err);
    }
    for (uint64_t i = 0; i < count && status == CRANK_OK; i += BLOCK / size) {
        const uint64_t left = count - i;
        const size_t piece = left < BLOCK / size ? (size_t)left : BLOCK / size;
        status = get_bytes(r, m->place + i * size, block, piece * size, err);
        for (size_t k = 0; k < piece && status == CRANK_OK; k++) {
            (*out)[i + k] = element(block + k * size, m->precision);
        }
    }
    return status;
}

/* All elements as bytes; text is sometimes stored as numbers. */
static crank_status get_characters(const mat_reader *r, const matrix *m, char **out,
                                   crank_error *err)
{
    const size_t count = (size_t)(m->rows * m->columns);
    double *numbers = NULL;

    *out = calloc(count + 1, 1);
    if (*out == NULL) {
        return no_memory(r, err);
    }
    if (m->precision == 5) {
        return get_bytes(r, m->place, *out, count, err);
    }
    const crank_status status = get_numbers(r, m, &numbers, err);
    for (size_t i = 0; i < count && status == CRANK_OK; i++) {
        (*out)[i] =
            numbers[i] > 0.0 && numbers[i] < 256.0 ? (char)(unsigned char)numbers[i] : '\0';
    }
    free(numbers);
    return status;
}

/* The i-th of the texts of a matrix, zero-terminated, in `line`, which has room for the
 * longest. Spaces at the end are filling in files of others. */
static size_t take_line(const mat_reader *r, const matrix *m, bool transposed, const char *text,
                        size_t i, char *line)
{
    const size_t length = (size_t)(transposed ? m->rows : m->columns);
    size_t used = 0;

    for (size_t k = 0; k < length; k++) {
        line[k] = transposed ? text[k + i * (size_t)m->rows] : text[i + k * (size_t)m->rows];
    }
    used = strnlen(line, length);
    while (!r->own && used > 0 && line[used - 1] == ' ') {
        used--;
    }
    line[used] = '\0';
    return used;
}

/* ---- names and texts ---- */

static crank_status find_layout(mat_reader *r, crank_error *err)
{
    char *text = NULL, line[256];

    if (!r->class.there || r->class.rows < 4 || r->class.columns >= sizeof line) {
        return damaged(r, "it has no Aclass", err);
    }
    crank_status status = get_characters(r, &r->class, &text, err);
    if (status == CRANK_OK) {
        const bool own = r->own;
        r->own = false;
        (void)take_line(r, &r->class, false, text, 3, line);
        r->own = own;
        r->transposed = strcmp(line, "binTrans") == 0;
        if (!r->transposed && strcmp(line, "binNormal") != 0) {
            status = damaged(r, "Aclass is neither binTrans nor binNormal", err);
        }
    }
    free(text);
    return status;
}

/* "text [unit]", or "text [unit|shown unit]" */
static crank_status split_description(const mat_reader *r, crank_table *table, int j,
                                      const char *line, size_t length, crank_error *err)
{
    size_t open = length;

    if (length > 0 && line[length - 1] == ']') {
        while (open > 0 && line[open - 1] != '[') {
            open--;
        }
    }
    if (open == 0 || open == length) {
        return crank_table_set(&table->descriptions[j], r->path, line, length, err);
    }
    const char *bar = memchr(line + open, '|', length - 1 - open);
    const size_t unit = bar != NULL ? (size_t)(bar - line) - open : length - 1 - open;
    size_t text = open - 1;
    text -= text > 0 && line[text - 1] == ' ' ? 1 : 0;
    const crank_status status =
        crank_table_set(&table->descriptions[j], r->path, line, text, err);
    return status == CRANK_OK
               ? crank_table_set(&table->units[j], r->path, line + open, unit, err)
               : status;
}

static crank_status read_lines(const mat_reader *r, crank_table *table, const matrix *m,
                               crank_error *err)
{
    const size_t count = (size_t)(r->transposed ? m->columns : m->rows);
    char *text = NULL;
    char *line = malloc((size_t)(r->transposed ? m->rows : m->columns) + 1);

    crank_status status = line != NULL ? get_characters(r, m, &text, err) : no_memory(r, err);
    for (size_t i = 0; i < count && i < (size_t)table->columns && status == CRANK_OK; i++) {
        const size_t length = take_line(r, m, r->transposed, text, i, line);
        status = m == &r->name ? crank_table_set(&table->names[i], r->path, line, length, err)
                               : split_description(r, table, (int)i, line, length, err);
    }
    free(text);
    free(line);
    return status;
}

static crank_status read_texts(const mat_reader *r, crank_table *table, crank_error *err)
{
    const matrix *from[] = {&r->title, &r->model, &r->method, &r->scene};
    char **to[] = {&table->title, &table->model, &table->method, &table->scene};
    crank_status status = CRANK_OK;

    for (int i = 0; i < 4 && r->own && status == CRANK_OK; i++) {
        char *text = NULL;
        if (!from[i]->there) {
            continue;
        }
        status = get_characters(r, from[i], &text, err);
        CRANK_THEN(status, crank_table_set(to[i], r->path, text,
                                           (size_t)(from[i]->rows * from[i]->columns), err));
        free(text);
    }
    return status;
}

/* ---- values ---- */

/* Number of points and of variables of a data matrix, and where a value lies. */
static uint64_t points(const mat_reader *r, const matrix *m)
{
    return r->transposed ? m->columns : m->rows;
}

static uint64_t variables(const mat_reader *r, const matrix *m)
{
    return r->transposed ? m->rows : m->columns;
}

static double value_at(const mat_reader *r, const matrix *m, const double *data,
                       uint64_t variable, uint64_t point)
{
    return r->transposed ? data[variable + point * m->rows] : data[point + variable * m->rows];
}

/* Where column j lies: matrix (an index of r->data), variable, sign. */
static crank_status find_variable(const mat_reader *r, const double *info, int j, int *from,
                                  uint64_t *variable, bool *negative, crank_error *err)
{
    const size_t rows = (size_t)r->info.rows, i = (size_t)j;
    const double table = r->transposed ? info[i * rows] : info[i];
    const double place = r->transposed ? info[i * rows + 1] : info[i + rows];

    /* the abscissa lies in data_2, or, where nothing changes, in data_1 */
    *from = table == 0.0 ? (r->data[1].there ? 1 : 0) : -1;
    for (int k = 0; k < DATA_MATRICES; k++) {
        *from = table == (double)(k + 1) ? k : *from;
    }
    *negative = place < 0.0;
    const double index = *negative ? -place : place;
    if (*from < 0 || !r->data[*from].there || !(index >= 1.0) ||
        !(index <= (double)variables(r, &r->data[*from]))) {
        return damaged(r, "dataInfo points to nothing", err);
    }
    *variable = (uint64_t)index - 1;
    return CRANK_OK;
}

static crank_status fill_columns(const mat_reader *r, crank_table *table, const double *info,
                                 double *const *data, crank_error *err)
{
    const size_t height = (size_t)table->rows;
    crank_status status = CRANK_OK;

    for (int j = 0; j < table->columns && status == CRANK_OK; j++) {
        int from = 0;
        uint64_t variable = 0;
        bool negative = false;
        status = find_variable(r, info, j, &from, &variable, &negative, err);
        const uint64_t there = status == CRANK_OK ? points(r, &r->data[from]) : 0;
        if (status == CRANK_OK && from != 0 && there != (uint64_t)height) {
            status = damaged(r, "its data matrices have different numbers of points", err);
        }
        if (status == CRANK_OK && from == 0 && there == 0 && height > 0) {
            status = damaged(r, "data_1 is empty", err);
        }
        for (size_t i = 0; i < height && status == CRANK_OK; i++) {
            const bool constant = from == 0 && there != (uint64_t)height;
            const double value =
                value_at(r, &r->data[from], data[from], variable, constant ? 0 : i);
            table->values[(size_t)j * height + i] = negative ? -value : value;
        }
    }
    return status;
}

static crank_status read_values(const mat_reader *r, crank_table *table, crank_error *err)
{
    double *info = NULL, *data[DATA_MATRICES] = {NULL};
    const matrix *changing = r->data[1].there ? &r->data[1] : &r->data[0];
    const uint64_t rows = changing->there ? points(r, changing) : 0;

    if (rows > 0 && rows * (uint64_t)table->columns / EXPANSION_MAX > r->size) {
        return damaged(r, "its aliases make up more values than a file of this size has", err);
    }
    crank_status status = crank_table_take_values(table, r->path, rows, err);
    CRANK_THEN(status, get_numbers(r, &r->info, &info, err));
    for (int k = 0; k < DATA_MATRICES && status == CRANK_OK; k++) {
        status = r->data[k].there ? get_numbers(r, &r->data[k], &data[k], err) : CRANK_OK;
    }
    CRANK_THEN(status, fill_columns(r, table, info, data, err));
    for (int k = 0; k < DATA_MATRICES; k++) {
        free(data[k]);
    }
    free(info);
    return status;
}

static crank_status read_matrices(mat_reader *r, crank_table *table, crank_error *err)
{
    crank_status status = CRANK_OK;

    for (uint64_t place = 0; place < r->size && status == CRANK_OK;) {
        status = list_matrix(r, &place, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    r->own = r->version.there;
    status = find_layout(r, err);
    if (status != CRANK_OK) {
        return status;
    }
    const uint64_t count = r->transposed ? r->name.columns : r->name.rows;
    const uint64_t width = r->transposed ? r->info.rows : r->info.columns;
    const uint64_t infos = r->transposed ? r->info.columns : r->info.rows;
    if (!r->name.there || !r->info.there || count < 1 || infos != count || width < 2) {
        return damaged(r, "name and dataInfo are missing or do not fit together", err);
    }
    status = crank_table_take(table, r->path, (int)count, err);
    CRANK_THEN(status, read_lines(r, table, &r->name, err));
    if (status == CRANK_OK && r->description.there) {
        status = read_lines(r, table, &r->description, err);
    }
    CRANK_THEN(status, read_texts(r, table, err));
    return status == CRANK_OK ? read_values(r, table, err) : status;
}

static crank_status cannot_open(const char *path, crank_error *err)
{
    const int reason = errno;
    char log[4096];

    (void)snprintf(log, sizeof log, "%s.rows", path);
    if (reason == ENOENT && access(log, R_OK) == 0) {
        return crank_fail(err, CRANK_EFILE,
                          "%.150s: is not there yet; the rows of its run are in %.150s, which "
                          "crank convert makes into it",
                          path, log);
    }
    return crank_fail(err, CRANK_EFILE, "%.200s: cannot open: %s", path, strerror(reason));
}

crank_status crank_mat_read(const char *path, crank_table *table, crank_error *err)
{
    struct stat info;
    mat_reader reader = {.path = path};

    reader.fd = open(path, O_RDONLY | O_CLOEXEC);
    if (reader.fd < 0) {
        return cannot_open(path, err);
    }
    if (fstat(reader.fd, &info) != 0) {
        info.st_size = 0; /* which is no MAT file */
    }
    reader.size = (uint64_t)info.st_size;
    const crank_status status = read_matrices(&reader, table, err);
    (void)close(reader.fd);
    return status;
}
