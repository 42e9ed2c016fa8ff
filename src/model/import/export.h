/* export.h - mechanisms as robots of other formats: robot_of.c fills the records of robot.h
 * from a mechanism, robot_along.c those of what acts along joints, urdf_write.c and mjcf_write.c write them. What these formats cannot say is
 * a finding. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EXPORT_H
#define CRANK_SRC_EXPORT_H

#include "model/import/robot.h"
#include "model/mechanism/mechanism.h"

/* r has its im; joints that carry links go from the ground outwards. */
crank_status crank_robot_of(crank_robot *r, const crank_mechanism *m);
/* A force along a joint; a finding, with e, of what cannot be said. */
crank_status crank_robot_along(crank_robot *r, const crank_mechanism *m,
                               const crank_record *record, const crank_xml *e);
/* of a key that is one number */
double crank_robot_number(const crank_record *record, const char *key, double otherwise);
void crank_urdf_write(const crank_robot *r, crank_text *out);
void crank_mjcf_write(const crank_robot *r, crank_text *out);

/* What both writers use: numbers behind each other with blanks between. */
void crank_export_numbers(crank_text *out, int count, const double *value);
/* A text as the value of an attribute. */
void crank_export_text(crank_text *out, const char *text);

#endif
