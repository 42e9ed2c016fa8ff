/* png.c - pixels as a PNG file (ISO/IEC 15948): one chunk of data, each row as its differences
 * to the row above. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.h"
#include "report/picture/canvas.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void number(unsigned char *to, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        to[k] = (unsigned char)(value >> (24 - 8 * k) & 255);
    }
}

static void chunk(FILE *file, const char *name, const unsigned char *data, size_t size)
{
    unsigned char head[8], tail[4];

    number(head, (uint32_t)size);
    memcpy(head + 4, name, 4);
    uLong sum = crc32(0, head + 4, 4);
    sum = size > 0 ? crc32(sum, data, (uInt)size) : sum;
    number(tail, (uint32_t)sum);
    (void)fwrite(head, 1, sizeof head, file);
    (void)fwrite(data, 1, size, file);
    (void)fwrite(tail, 1, sizeof tail, file);
}

/* Filter 2: differences to the row above. */
static void filter(unsigned char *to, int width, int height, const unsigned char *pixels)
{
    const size_t row = 3 * (size_t)width;

    for (int j = 0; j < height; j++) {
        *to++ = 2;
        for (size_t i = 0; i < row; i++) {
            const size_t at = (size_t)j * row + i;
            *to++ = (unsigned char)(pixels[at] - (j > 0 ? pixels[at - row] : 0));
        }
    }
}

static void write_file(FILE *file, int width, int height, const unsigned char *data,
                       size_t size)
{
    static const unsigned char signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
    unsigned char header[13] = {[8] = 8, [9] = 2}; /* 8 bits of red, green and blue */

    number(header, (uint32_t)width);
    number(header + 4, (uint32_t)height);
    (void)fwrite(signature, 1, sizeof signature, file);
    chunk(file, "IHDR", header, sizeof header);
    chunk(file, "IDAT", data, size);
    chunk(file, "IEND", header, 0);
}

crank_status crank_png_write(const char *path, int width, int height,
                             const unsigned char *pixels, crank_error *err)
{
    const size_t raw = (3 * (size_t)width + 1) * (size_t)height;
    uLongf size = compressBound((uLong)raw);
    unsigned char *filtered = malloc(raw), *data = malloc(size);
    crank_page_file file = {0};

    if (filtered != NULL) {
        filter(filtered, width, height, pixels);
    }
    if (filtered == NULL || data == NULL ||
        compress2(data, &size, filtered, (uLong)raw, 6) != Z_OK) {
        free(filtered);
        free(data);
        return crank_fail(err, CRANK_EMEM, "a picture of %d x %d pixels", width, height);
    }
    crank_status status = crank_page_file_open(&file, path, err);
    if (status == CRANK_OK) {
        write_file(file.file, width, height, data, size);
        status = crank_page_file_check(&file, err);
    }
    if (status == CRANK_OK) {
        status = crank_page_file_finish(&file, err);
    } else {
        crank_page_file_drop(&file);
    }
    free(filtered);
    free(data);
    return status;
}
