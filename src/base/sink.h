/* sink.h - a buffered file that never leaves half a line or half a record behind, shared by
 * recorder, statistics and plots. The first failure is kept: later calls return it and write
 * nothing. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SINK_H
#define CRANK_SRC_SINK_H

#include <crank/base.h>

#include <locale.h>

enum { CRANK_SINK_CAPACITY = 1 << 16 };

typedef struct crank_sink {
    int fd;       /* -1: not open */
    bool owned;   /* fd is closed at the end */
    bool regular; /* a file on a disk, not a pipe, terminal or device */
    char *path;   /* for messages */
    char *data;   /* capacity */
    size_t used, capacity;
    int error; /* errno of the first failure, 0: none */
    /* records of this many bytes follow each other from there on; size 0: lines of text */
    size_t record_start, record_size;
} crank_sink;

/* The sink is all zero bytes with fd = -1 before. path NULL or "-": standard output. capacity:
 * room for the longest piece that is appended in one go. */
crank_status crank_sink_open(crank_sink *sink, const char *path, size_t capacity,
                             crank_error *err);
/* The same for a file that exists, which keeps its content and can be read through fd as well.
 * crank_sink_cut says where writing goes on. */
crank_status crank_sink_reopen(crank_sink *sink, const char *path, size_t capacity,
                               crank_error *err);
/* Removes what the file has from there on; writing goes on there. */
crank_status crank_sink_cut(crank_sink *sink, uint64_t end, crank_error *err);
/* Appends; pieces longer than the capacity are cut. Numbers follow the thread's locale. */
void crank_sink_print(crank_sink *sink, const char *format, ...) CRANK_PRINTF(2, 3);
/* Room for size bytes behind data + used, handing the buffer to the system if there is none.
 * NULL after a failure. The caller adds what it wrote to used. */
char *crank_sink_reserve(crank_sink *sink, size_t size);
/* Appends bytes of any number. */
void crank_sink_append(crank_sink *sink, const void *data, size_t size);
crank_status crank_sink_flush(crank_sink *sink, crank_error *err);
/* Flushes to the disk itself; what is no disk file is only flushed. */
crank_status crank_sink_sync(crank_sink *sink, crank_error *err);
/* Flushes, closes, frees; also after a failed open. */
crank_status crank_sink_close(crank_sink *sink, crank_error *err);

/* Numbers with a decimal point, in this thread only, until leave. false: out of memory. */
typedef struct crank_c_locale {
    locale_t c, previous;
} crank_c_locale;
bool crank_c_locale_enter(crank_c_locale *locale);
void crank_c_locale_leave(crank_c_locale *locale);

#endif
