/* mechanism_view.c - `title` and `view:` of a mechanism file. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"
#include "model/view/view.h"

static crank_site site_of(crank_reading *r, const char *object)
{
    return (crank_site){r, r->single[CRANK_SINGLE_VIEW].scope, object, NULL};
}

static crank_status read_number(void *user, const crank_node *node, const char *object,
                                double *out, crank_error *err)
{
    const crank_site site = site_of(user, object);
    (void)err; /* the reading's own */
    return crank_scope_number(&site, node, out);
}

static crank_status read_expression(void *user, const crank_node *node, const char *object,
                                    crank_ex *out, crank_error *err)
{
    const crank_site site = site_of(user, object);
    (void)err;
    return crank_scope_result(&site, node, out);
}

crank_status crank_read_title(crank_reading *r)
{
    return crank_title_read(r->single[CRANK_SINGLE_TITLE].node, &r->m->title, r->err);
}

crank_status crank_read_view(crank_reading *r)
{
    const crank_item *view = &r->single[CRANK_SINGLE_VIEW];
    if (view->node == NULL) {
        return CRANK_OK;
    }
    const crank_view_reader reader = {.store = r->store,
                                      .pool = r->pool,
                                      .dimension = r->m->dimension,
                                      .path = view->scope->source->path,
                                      .files = r->m->files,
                                      .number = read_number,
                                      .expression = read_expression,
                                      .user = r};
    return crank_view_read(&reader, view->node, &r->m->view, r->err);
}
