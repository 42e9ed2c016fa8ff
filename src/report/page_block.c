/* page_block.c - values of a result as blocks of a page: coded, compressed, base64.
 *
 * A column's numbers u_i, their bits taken as unsigned integers, become the second differences
 *
 *     s_i = u_i - 2 u_(i-1) + u_(i-2),   u_(-1) = u_(-2) = 0,   modulo 2^32 or 2^64,
 *
 * whose bytes are stored by planes, lowest first: smooth motion leaves high bytes that are
 * nearly constant, which deflate packs well. One block at a time is in memory. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    BLOCK_BYTES = 1 << 20, /* before compression: few enough to decode between two frames */
    BLOCK_COST = 40        /* bytes of a block's entry in the index */
};

/* Row of the table that is the page's frame k; the first and the last are always among them. */
static int row_of(const crank_page_writer *w, int k)
{
    const int64_t last = w->table->rows - 1, intervals = w->frames - 1;

    return intervals > 0 ? (int)((k * last + intervals / 2) / intervals) : 0;
}

bool crank_page_is_wide(const double *values, int rows)
{
    double low = (double)INFINITY, high = -(double)INFINITY;

    for (int i = 0; i < rows; i++) {
        if (isfinite(values[i])) {
            low = fmin(low, values[i]);
            high = fmax(high, values[i]);
        }
    }
    const double largest = fmax(fabs(low), fabs(high));
    /* a range of 2^-10 of the value still has 2^14 steps in f32, more than pixels */
    return low < high && (largest > (double)FLT_MAX || high - low < largest / 1024.0);
}

crank_status crank_page_blocks_begin(crank_page_writer *w, crank_error *err)
{
    const size_t column = (size_t)w->frames * sizeof(double);

    w->raw_size = column > BLOCK_BYTES ? column : BLOCK_BYTES;
    w->packed_size = compressBound((uLong)w->raw_size);
    w->raw = malloc(w->raw_size);
    w->packed = malloc(w->packed_size);
    if (w->raw == NULL || w->packed == NULL) {
        return crank_fail(err, CRANK_EMEM, "a block of %zu bytes for the page", w->raw_size);
    }
    return CRANK_OK;
}

static uint64_t bits_of(double value, bool wide)
{
    uint64_t bits = 0;

    if (wide) {
        memcpy(&bits, &value, sizeof value);
    } else {
        const float single = (float)value;
        uint32_t low;
        memcpy(&low, &single, sizeof single);
        bits = low;
    }
    return bits;
}

static void code_column(const crank_page_writer *w, int column, bool wide, unsigned char *out)
{
    const double *values = w->table->values + (size_t)column * (size_t)w->table->rows;
    const size_t frames = (size_t)w->frames;
    const int width = wide ? 8 : 4;
    uint64_t before = 0, difference_before = 0;

    for (size_t i = 0; i < frames; i++) {
        const uint64_t bits = bits_of(values[row_of(w, (int)i)], wide);
        const uint64_t difference = bits - before;
        const uint64_t second = difference - difference_before;
        for (int byte = 0; byte < width; byte++) {
            out[(size_t)byte * frames + i] = (unsigned char)(second >> (8 * byte));
        }
        before = bits;
        difference_before = difference;
    }
}

/* Codes and compresses count columns of the order from first on; bytes in w->packed. */
static crank_status pack(crank_page_writer *w, int first, int count, bool wide, size_t *size,
                         crank_error *err)
{
    const size_t column = (size_t)w->frames * (wide ? sizeof(double) : sizeof(float));
    uLongf length = (uLongf)w->packed_size;

    for (int i = 0; i < count; i++) {
        code_column(w, w->order[first + i], wide, w->raw + (size_t)i * column);
    }
    if (compress2(w->packed, &length, w->raw, (uLong)((size_t)count * column),
                  Z_DEFAULT_COMPRESSION) != Z_OK) {
        return crank_fail(err, CRANK_EMEM, "compressing %zu bytes for the page",
                          (size_t)count * column);
    }
    *size = length;
    return CRANK_OK;
}

static void write_base64(FILE *file, const unsigned char *data, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char out[4096];
    size_t used = 0;

    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)data[i] << 16 |
                               (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)data[i + 2] : 0);
        out[used++] = digits[three >> 18];
        out[used++] = digits[three >> 12 & 63];
        out[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
        out[used++] = left > 2 ? digits[three & 63] : '=';
        if (used == sizeof out) {
            (void)fwrite(out, 1, used, file);
            used = 0;
        }
    }
    (void)fwrite(out, 1, used, file);
}

static const char element_start[] =
    "<script type=\"application/octet-stream\" id=\"crank-%s-%d\">";
static const char element_end[] = "</script>\n";

static int64_t element_size(size_t packed)
{
    return (int64_t)((packed + 2) / 3 * 4) + (int64_t)sizeof element_start +
           (int64_t)sizeof element_end + 10 + BLOCK_COST;
}

static void write_element(crank_page_writer *w, int first, int count, bool wide, size_t packed)
{
    FILE *file = w->out.file;

    (void)fprintf(file, element_start, w->kind, w->block_count);
    write_base64(file, w->packed, packed);
    (void)fputs(element_end, file);
    for (int i = 0; i < count; i++) {
        crank_page_column *column = &w->columns[w->order[first + i]];
        column->block = w->block_count;
        column->slot = i;
    }
    w->blocks[w->block_count++] = (crank_page_block){.columns = count, .wide = wide};
    w->used += element_size(packed);
}

/* Columns from first on that go into one block: of one class and width, as many as fit. Time is
 * alone. */
static int block_columns(const crank_page_writer *w, int first)
{
    const crank_page_column *column = &w->columns[w->order[first]];
    const size_t width = column->wide ? sizeof(double) : sizeof(float);
    const size_t most = w->raw_size / (width * (size_t)w->frames);
    int count = 1;

    while (w->order[first] != 0 && first + count < w->order_count && (size_t)count < most) {
        const crank_page_column *next = &w->columns[w->order[first + count]];
        if (next->class != column->class || next->wide != column->wide) {
            break;
        }
        count++;
    }
    return count;
}

crank_status crank_page_blocks_write(crank_page_writer *w, int64_t *wanted, crank_error *err)
{
    int first = 0, at_most = w->order_count;

    *wanted = 0;
    while (first < w->order_count) {
        const crank_page_column *column = &w->columns[w->order[first]];
        const bool moving = column->class == CRANK_PAGE_MOVING, wide = column->wide;
        const int whole = block_columns(w, first), count = whole < at_most ? whole : at_most;
        size_t packed = 0;
        const crank_status status = pack(w, first, count, wide, &packed, err);
        if (status != CRANK_OK) {
            return status;
        }
        *wanted += moving ? element_size(packed) : 0;
        if (!moving && *wanted > w->room) {
            return CRANK_OK;
        }
        if (w->used + element_size(packed) <= w->room) {
            write_element(w, first, count, wide, packed);
        } else if (!moving) { /* a part of it may have room; after that the page is full */
            if (count == 1) {
                break;
            }
            at_most = count / 2;
            continue;
        }
        first += count;
    }
    return crank_page_file_check(&w->out, err);
}
