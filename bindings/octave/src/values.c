/* values.c - records, texts and matrices between the interpreter and the library. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <string.h>

const mxArray *field(const mxArray *record, const char *name)
{
    const mxArray *value =
        record != NULL && mxIsStruct(record) ? mxGetField(record, 0, name) : NULL;
    return value != NULL && !mxIsEmpty(value) ? value : NULL;
}

const char *text_field(const mxArray *record, const char *name)
{
    const mxArray *value = field(record, name);
    return value != NULL && mxIsChar(value) ? mxArrayToString(value) : NULL;
}

double number_field(const mxArray *record, const char *name, double otherwise)
{
    const mxArray *value = field(record, name);
    return value != NULL ? mxGetScalar(value) : otherwise;
}

bool flag_field(const mxArray *record, const char *name)
{
    return number_field(record, name, 0.0) != 0.0;
}

int texts_field(const mxArray *record, const char *name, const char *const **out)
{
    const mxArray *value = field(record, name);
    const size_t count = value != NULL && mxIsCell(value) ? mxGetNumberOfElements(value) : 0;
    const char **texts = mxCalloc(count + 1, sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        texts[i] = mxArrayToString(mxGetCell(value, (mwIndex)i));
    }
    *out = texts;
    return (int)count;
}

int settings_field(const mxArray *record, const char *name, const crank_setting **out)
{
    const char *const *texts;
    const int count = texts_field(record, name, &texts) / 2; /* names, then values */
    crank_setting *list = mxCalloc((size_t)count + 1, sizeof *list);
    for (int i = 0; i < count; i++) {
        list[i] = (crank_setting){.name = texts[i], .value = texts[count + i]};
    }
    *out = list;
    return count;
}

/* ---- answers ---- */

void answer_set(call *c, const char *name, mxArray *value)
{
    if (mxGetFieldNumber(c->answer, name) < 0) {
        (void)mxAddField(c->answer, name);
    }
    mxSetField(c->answer, 0, name, value);
}

void answer_text(call *c, const char *name, const char *text)
{
    answer_set(c, name, mxCreateString(text != NULL ? text : ""));
}

void answer_number(call *c, const char *name, double value)
{
    answer_set(c, name, mxCreateDoubleScalar(value));
}

mxArray *matrix_of(int rows, int columns, const double *values)
{
    mxArray *matrix = mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL);
    if (rows > 0 && columns > 0) {
        memcpy(mxGetPr(matrix), values, (size_t)rows * (size_t)columns * sizeof *values);
    }
    return matrix;
}

mxArray *texts_of(int count, const char *const *texts)
{
    mxArray *cell = mxCreateCellMatrix(1, (mwSize)count);
    for (int i = 0; i < count; i++) {
        mxSetCell(cell, (mwIndex)i, mxCreateString(texts[i] != NULL ? texts[i] : ""));
    }
    return cell;
}

void answer_table(call *c, const crank_table *table)
{
    answer_set(c, "names", texts_of(table->columns, (const char *const *)table->names));
    answer_set(c, "units", texts_of(table->columns, (const char *const *)table->units));
    answer_set(c, "values", matrix_of(table->rows, table->columns, table->values));
}

void cell_append(mxArray **cell, const char *text)
{
    const size_t count = *cell != NULL ? mxGetNumberOfElements(*cell) : 0;
    mxArray *longer = mxCreateCellMatrix(1, (mwSize)(count + 1));
    for (size_t i = 0; i < count; i++) {
        mxSetCell(longer, (mwIndex)i, mxDuplicateArray(mxGetCell(*cell, (mwIndex)i)));
    }
    mxSetCell(longer, (mwIndex)count, mxCreateString(text));
    *cell = longer;
}
