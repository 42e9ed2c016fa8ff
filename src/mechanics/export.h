/* export.h - mechanisms as robots of other formats. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANICS_EXPORT_H
#define CRANK_SRC_MECHANICS_EXPORT_H

#include "model/import/import.h"
#include "model/model.h"

/* Appends a URDF or an MJCF file to text; what these cannot say is kept in im. */
crank_status crank_mechanism_export(const crank_model_source *source, bool mjcf,
                                    crank_import *im, crank_text *text);

#endif
