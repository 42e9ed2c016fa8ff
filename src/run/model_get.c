/* model_get.c - what a model says of itself. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/model.h"

#include <string.h>

const crank_eom *crank_model_eom(const crank_model *model)
{
    return model->eom;
}

const crank_simulate *crank_model_simulate(const crank_model *model)
{
    return &model->simulate;
}

const char *crank_model_kind(const crank_model *model)
{
    return model->kind;
}

const double *crank_model_start(const crank_model *model)
{
    return model->start;
}

const crank_fixing *crank_model_fixing(const crank_model *model)
{
    return model->fixing;
}

int crank_model_column_count(const crank_model *model)
{
    return model->column_count;
}

const char *crank_model_column_name(const crank_model *model, int column)
{
    return column >= 0 && column < model->column_count ? model->column_name[column] : NULL;
}

const crank_parameter *crank_model_parameter(const crank_model *model, int i)
{
    return i >= 0 && i < model->parameter_count ? &model->parameter[i] : NULL;
}

const char *crank_model_unused(const crank_model *model, int i)
{
    return i >= 0 && i < model->unused_count ? model->unused[i] : NULL;
}

const char *crank_model_file(const crank_model *model, int i)
{
    return i >= 0 && i < model->file_count ? model->file[i] : NULL;
}

const char *crank_model_column_unit(const crank_model *model, int column)
{
    return column >= 0 && column < model->column_count ? model->column_unit[column] : NULL;
}

const char *crank_model_column_description(const crank_model *model, int column)
{
    return column >= 0 && column < model->column_count ? model->column_description[column]
                                                       : NULL;
}

const char *crank_model_title(const crank_model *model)
{
    return model->title;
}

crank_status crank_model_scene(const crank_model *model, char **text, crank_error *err)
{
    *text = NULL;
    if (model->scene == NULL) {
        return CRANK_OK;
    }
    *text = strdup(model->scene);
    return *text != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "the scene");
}
