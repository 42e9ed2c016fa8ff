/* page.h - the parts of the page's writer: template, values in blocks, index, output file. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PAGE_H
#define CRANK_SRC_PAGE_H

#include <crank/report.h>

#include <stdio.h>

/* ---- the file: written beside its place, and moved there once it is complete ---- */

typedef struct crank_page_file {
    FILE *file;
    char *path; /* for messages */
    /* what is replaced: path with links resolved; NULL: a pipe, a device, standard output */
    char *real;
    char *part; /* where the contents are written until then; NULL: a file without name */
} crank_page_file;

/* path "-": standard output. *f may be half filled on failure; crank_page_file_drop in that
 * case. */
crank_status crank_page_file_open(crank_page_file *f, const char *path, crank_error *err);
/* EFILE if a write has failed. */
crank_status crank_page_file_check(const crank_page_file *f, crank_error *err);
/* Cuts the file at the place. */
crank_status crank_page_file_cut(crank_page_file *f, int64_t place, crank_error *err);
/* Hands the contents over and frees; also after a failure. */
crank_status crank_page_file_finish(crank_page_file *f, crank_error *err);
/* Removes what has been written. */
void crank_page_file_drop(crank_page_file *f);

/* ---- the template ---- */

typedef struct crank_page_template {
    char *text;                           /* to free */
    size_t length;                        /* of the text */
    const char *title, *data;             /* the marks */
    const char *after_title, *after_data; /* what follows them */
} crank_page_template;

/* path NULL: looked for. */
crank_status crank_page_template_read(crank_page_template *t, const char *path,
                                      crank_error *err);

/* ---- values ---- */

typedef enum crank_page_class {
    CRANK_PAGE_MOVING, /* moves a body, a line or a trace; also time */
    CRANK_PAGE_NAMED,  /* named elsewhere in the scene */
    CRANK_PAGE_OTHER,
    CRANK_PAGE_CLASSES
} crank_page_class;

typedef struct crank_page_column {
    crank_page_class class;
    bool wanted;
    bool wide;       /* f64: time, and values that f32 would coarsen visibly */
    int block, slot; /* -1: left out */
} crank_page_column;

typedef struct crank_page_block {
    int columns;
    bool wide;
} crank_page_block;

/* The page in the making. */
typedef struct crank_page_writer {
    const crank_page *page;
    const crank_table *table;
    const char *title, *scene; /* scene NULL: none */
    crank_page_template template;
    crank_page_file out;
    int frames;                 /* rows in the page */
    crank_page_column *columns; /* of the table */
    int *order;                 /* the table's columns that are wanted, as they are tried */
    int order_count;
    crank_page_block *blocks; /* columns of the table at most */
    int block_count;
    unsigned char *raw, *packed; /* of one block */
    size_t raw_size, packed_size;
    int64_t room, used;                /* bytes for blocks */
    const char *kind;                  /* of blocks, in the names of their elements: "block" */
    struct crank_page_writer *courses; /* of a study: its members' columns over time */
    int missing; /* columns that the scene moves something by, but the table has not */
    char first_missing[80];
} crank_page_writer;

/* Sets the class of each column from the scene, and order. */
crank_status crank_page_classify(crank_page_writer *w, crank_error *err);
/* Does f32 coarsen the column visibly? */
bool crank_page_is_wide(const double *values, int rows);
/* Memory for one block. */
crank_status crank_page_blocks_begin(crank_page_writer *w, crank_error *err);
/* Writes what has room, columns in their order. *wanted: the bytes of the columns that move
 * something; if that is more than room, nothing of use has been written and the frames must be
 * fewer. */
crank_status crank_page_blocks_write(crank_page_writer *w, int64_t *wanted, crank_error *err);
/* The index. For its size before blocks are known: with every column in it. */
void crank_page_index_write(const crank_page_writer *w, FILE *file, bool largest,
                            const char *image);

/* ---- studies ---- */

typedef struct crank_json crank_json;

/* Blocks of what members of the study have over time, as many as have room; memory of it. */
crank_status crank_page_courses_write(crank_page_writer *w, crank_error *err);
void crank_page_courses_free(crank_page_writer *w);
/* How many columns of single members are not in the page. */
int64_t crank_page_courses_left_out(const crank_page_writer *w);
void crank_page_study_index(const crank_page_writer *w, crank_json *j);

/* ---- the version beside it ---- */

/* The image whose size in pixels tells the version. */
typedef struct crank_page_image {
    int width, height;
} crank_page_image;

crank_page_image crank_page_version_image(int64_t version);
/* Its address relative to the page, percent-encoded; the caller's to free(), NULL: out of
 * memory. */
char *crank_page_version_address(const char *page);
/* Writes PAGE.version.svg. */
crank_status crank_page_version_write(const char *page, int64_t version, crank_error *err);

#endif
