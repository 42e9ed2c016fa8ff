/* page.h - the page that shows a result move: what view and run --html share. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_PAGE_H
#define CRANK_TOOLS_PAGE_H

#include "arguments.h"
#include "command.h"

typedef struct page_request {
    const char *path;  /* FILE.html; "-": standard output */
    const char *title; /* NULL: that of the table or of the model */
    int frames;        /* at most; 0: all */
    double megabytes;  /* limit of the page; not positive or NaN: the default */
    int64_t version;   /* > 0: the page reloads when a later version is written (--watch) */
    /* scene, title, units and descriptions; NULL: those of the table */
    const crank_model *model;
    const char *model_path, *method; /* of results that do not say it (CSV); NULL: not known */
    const text_list *only;           /* columns besides those that the scene names; NULL: all */
    bool scene_from_names; /* without a scene, make one from columns body.NAME.x, ... */
    bool note;             /* tell what was written; warnings are printed anyway */
} page_request;

/* Before a long run: is path a page that can be written (its ending; is there a template)? -1,
 * or the exit code after telling the mistake. option: "--html" or "-o", for messages. */
int page_check(messages *m, const char *option, const char *path);
/* Writes the page of a table (all its columns; column 0 is time) and tells what did not fit.
 * -1, or the exit code after telling what failed. The table gets the model's units and
 * descriptions where it has none. */
int page_write(messages *m, crank_table *table, const page_request *request);
/* The scene to draw: that of the model, of the table, or one from names; NULL: none. *made is
 * to be freed. */
crank_status page_scene(messages *m, const crank_table *table, const page_request *request,
                        const char **scene, char **made, crank_error *err);
/* The same of a result on disk. */
int page_write_result(messages *m, const char *result, const page_request *request);
/* The page of a study on disk (crank sweep): path, title, megabytes and note of the request. */
int page_write_study(messages *m, const char *study, const page_request *request);

#endif
