/* mat.h - MAT files of version 4 in the layout of Modelica tools ("dsres"), what writer and
 * reader share.
 *
 * A file is a row of matrices: five 4-byte numbers (type, rows, columns, 0, length of the name
 * with its zero), the name, the elements column by column. Type is 1000 M + 10 P + T: M = 0
 * little-endian; P the kind of number (0 double, 1 float, 2 int32, 3 int16, 4 uint16, 5 uint8);
 * T = 1 for text. A trajectory has, in "binTrans":
 *
 *     Aclass       4 x 11 text: Atrajectory, 1.1, "", binTrans
 *     name         a column of text per variable, filled with zeros
 *     description  likewise, the unit in brackets at the end: "x of the origin of body rod [m]"
 *     dataInfo     4 x variables, int32: matrix (0: the abscissa, in data_2), row
 *                  in it (negative: times -1),
 *                  interpolation (0: linear), outside the range (-1: not defined)
 *     data_1       values that do not change, at the first and the last time;
 *                  its first row is the time
 *     data_2       variables x points
 *
 * crank puts every column into data_2, and behind it texts of its own, which other tools do not
 * look at. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MAT_H
#define CRANK_SRC_MAT_H

#include "results/logged.h"

enum {
    CRANK_MAT_DOUBLE = 0,
    CRANK_MAT_INT32 = 20,
    CRANK_MAT_TEXT = 51,
    CRANK_MAT_NAME = 64, /* longest name of a matrix that is looked at */
    CRANK_MAT_INFO = 4   /* numbers per variable in dataInfo */
};

typedef struct crank_mat_header {
    int32_t type, rows, columns, imaginary, name_length;
} crank_mat_header;

/* names of the matrices with crank's own texts */
#define CRANK_MAT_TITLE   "model_title"
#define CRANK_MAT_MODEL   "model_file"
#define CRANK_MAT_METHOD  "method"
#define CRANK_MAT_SCENE   "scene"
#define CRANK_MAT_VERSION "crank_version"

#endif
