/* dae_flat.h - what becomes of a flat DAE (inline/flat.h): the eom of a `crank: dae` file, whose
 * analysis is dense (dae_flat.c), or translated equations for methods inline-..., which are
 * sparse (dae_translated.h). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_FLAT_H
#define CRANK_SRC_DAE_FLAT_H

#include "inline/flat.h"
#include "model/equations/equations.h"
#include "model/model.h"

/* Everything of a model but store, kind and origin. Parameters of flat are numbers by now
 * (inline/passes.h: all passes up to the derivatives); the record is used up. */
crank_status crank_dae_make_flat(crank_model *model, const crank_model_source *source,
                                 crank_flat *flat, crank_error *err);
/* The same translated, of flat before variables that one equation gives leave the equations;
 * flat is empty then. from: the file that it is of, NULL: a Modelica file. CRANK_EREFUSED with
 * the reason: another way must be taken. */
crank_status crank_dae_make_translated(crank_model *model, const crank_model_source *source,
                                       crank_flat *flat, const crank_equations *from,
                                       crank_error *err);
/* crank_dae_check of a flat DAE. */
crank_status crank_dae_check_flat(const crank_model_source *source, crank_flat *flat,
                                  bool formulas, crank_text *text, bool *fine,
                                  crank_error *err);

#endif
