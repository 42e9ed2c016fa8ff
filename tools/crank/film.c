/* film.c - see film.h. A film is frames in pixels, handed to ffmpeg, or one PNG file each. */
// SPDX-License-Identifier: BSD-3-Clause
#include "film.h"

#include "encoder.h"
#include "files.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FPS = 25, FPS_MOST = 240, PATH_MOST = 4096 };

/* ---- names of frames ---- */

/* FILE%04d.png: what stands before and after the number, and its least digits. */
typedef struct frame_name {
    int before, digits;
    const char *after;
} frame_name;

static bool parse_name(const char *path, frame_name *name)
{
    const char *mark = strchr(path, '%');

    if (mark == NULL || strchr(mark + 1, '%') != NULL || !has_ending(path, ".png")) {
        return false;
    }
    const bool padded = mark[1] == '0' && mark[2] >= '1' && mark[2] <= '9';
    const char *end = mark + (padded ? 3 : 1);
    *name = (frame_name){
        .before = (int)(mark - path), .digits = padded ? mark[2] - '0' : 1, .after = end + 1};
    return *end == 'd';
}

/* ---- checks ---- */

static int check_film(messages *m, const film_request *film, const char *out)
{
    frame_name name;

    if (out != NULL) {
        tell_error(m, "-o and --film are two calls: a page or a picture, or a film");
        return CODE_USAGE;
    }
    if (!isnan(film->time)) {
        tell_error(m, "--picture and --film are two calls");
        return CODE_USAGE;
    }
    const bool video = has_ending(film->film, ".webm") || has_ending(film->film, ".mp4");
    if (!video && !parse_name(film->film, &name)) {
        tell_error(m, "--film %s: say FILE.webm, FILE.mp4, or FILE%%04d.png for frames",
                   film->film);
        return CODE_USAGE;
    }
    if (video && (film->width % 2 != 0 || film->height % 2 != 0)) {
        tell_error(m, "--film %s: width and height of films are even numbers", film->film);
        return CODE_USAGE;
    }
    if (!isnan(film->speed) && !(film->speed > 0.0 && isfinite(film->speed))) {
        tell_error(m, "--speed %g: must be positive", film->speed);
        return CODE_USAGE;
    }
    if (film->fps > FPS_MOST) {
        tell_error(m, "--fps %d: at most %d", film->fps, FPS_MOST);
        return CODE_USAGE;
    }
    return -1;
}

int film_check(messages *m, const film_request *film, const char *out)
{
    if (film->film != NULL) {
        return check_film(m, film, out);
    }
    if (film->fps > 0 || !isnan(film->speed)) {
        tell_error(m, "--fps and --speed are for --film");
        return CODE_USAGE;
    }
    if (isnan(film->time) && (film->width > 0 || film->height > 0)) {
        tell_error(m, "--width and --height are for --picture and --film");
        return CODE_USAGE;
    }
    if (isnan(film->time)) {
        return -1;
    }
    if (out == NULL || (!has_ending(out, ".svg") && !has_ending(out, ".png"))) {
        tell_error(m, "--picture: say -o FILE.svg or -o FILE.png");
        return CODE_USAGE;
    }
    return -1;
}

/* ---- the film ---- */

/* As the page plays: in real time where that takes 4 to 20 s, else by the round number that
 * takes about 10 s. */
static double usual_speed(double duration)
{
    if (duration >= 4.0 && duration <= 20.0) {
        return 1.0;
    }
    const double speed = duration / 10.0, power = pow(10.0, floor(log10(speed)));
    const double lead = speed / power;
    return (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0) * power;
}

typedef struct film {
    messages *m;
    const film_request *request;
    crank_picture *picture;
    frame_name name;
    bool encoded; /* by the encoder; else as PNG files */
    encoder encoder;
    int width, height;
} film;

static crank_status put_frame(film *f, int number, double time, crank_error *err)
{
    const unsigned char *pixels;
    char path[PATH_MOST];

    if (!f->encoded) {
        (void)snprintf(path, sizeof path, "%.*s%0*d%s", f->name.before, f->request->film,
                       f->name.digits, number, f->name.after);
        return crank_picture_write_png(f->picture, time, path, err);
    }
    crank_status status = crank_picture_pixels(f->picture, time, &pixels, err);
    THEN(status,
         encoder_put(&f->encoder, pixels, 3 * (size_t)f->width * (size_t)f->height, err));
    return status;
}

/* All frames; *written of them, *end the time of the last. */
static crank_status put_frames(film *f, const crank_table *table, int *written, double *end,
                               crank_error *err)
{
    const double from = table->values[0], to = table->values[table->rows - 1];
    const double speed = isnan(f->request->speed) ? usual_speed(to - from) : f->request->speed;
    const int fps = f->request->fps > 0 ? f->request->fps : FPS;
    const double count = floor((to - from) / speed * fps * (1.0 + 1e-12)) + 1.0;
    crank_status status = CRANK_OK;
    progress line;

    if (!(count <= 1e6)) {
        return crank_fail(err, CRANK_EARG, "a film of %.3g frames; raise --speed", count);
    }
    interruption_watch();
    progress_begin(&line, f->m, false, from, to > from ? to : from + 1.0, from);
    for (int i = 0; i < (int)count && status == CRANK_OK && !interrupted(); i++) {
        *end = fmin(from + i * speed / fps, to);
        status = put_frame(f, i, *end, err);
        *written += status == CRANK_OK ? 1 : 0;
        progress_update(&line, f->m, *end, speed / fps, *written);
    }
    progress_end(&line, f->m);
    return status;
}

static int write_film(film *f, const crank_table *table)
{
    crank_error err = {0};
    int written = 0;
    double end = 0.0;
    crank_status status = CRANK_OK;

    f->encoded = !parse_name(f->request->film, &f->name);
    if (f->encoded) {
        const int fps = f->request->fps > 0 ? f->request->fps : FPS;
        status = encoder_begin(&f->encoder, f->request->film, f->width, f->height, fps, &err);
    }
    if (status == CRANK_OK) {
        status = put_frames(f, table, &written, &end, &err);
        if (f->encoded) {
            crank_error other = {0};
            const crank_status ended = encoder_end(&f->encoder, &other);
            if (ended != CRANK_OK) { /* it says more than a pipe that broke */
                status = ended;
                err = other;
            }
        }
    }
    if (status != CRANK_OK) {
        tell_error(f->m, "%s", failure_text(status, &err));
        return CODE_FAILED;
    }
    if (interrupted()) {
        tell_error(f->m, "interrupted: %s ends at t = %g", f->request->film, end);
        return CODE_FAILED;
    }
    tell_note(f->m, "film of %d frames in %s", written, f->request->film);
    return -1;
}

static int write_picture(film *f, const crank_table *table, const char *path)
{
    const double from = table->values[0], to = table->values[table->rows - 1];
    const double time = f->request->time;
    crank_error err = {0};

    if (!(time >= fmin(from, to) && time <= fmax(from, to))) {
        tell_error(f->m, "--picture %g: the result goes from %g to %g", time, from, to);
        return CODE_USAGE;
    }
    const crank_status status = has_ending(path, ".svg")
                                    ? crank_picture_write_svg(f->picture, time, path, &err)
                                    : crank_picture_write_png(f->picture, time, path, &err);
    if (status != CRANK_OK) {
        tell_error(f->m, "%s", failure_text(status, &err));
        return CODE_FAILED;
    }
    tell_note(f->m, "picture of t = %g in %s", time, path);
    return -1;
}

static int write_table(messages *m, const crank_table *table, const page_request *page,
                       const film_request *request)
{
    crank_picture_options o = crank_picture_options_default();
    crank_error err = {0};
    film f = {.m = m, .request = request};
    char *made = NULL;
    int code = CODE_FAILED;

    crank_status status = page_scene(m, table, page, &o.scene, &made, &err);
    o.title = page->title;
    o.width = request->width > 0 ? request->width : o.width;
    o.height = request->height > 0 ? request->height : o.height;
    f.width = o.width;
    f.height = o.height;
    THEN(status, crank_picture_create(table, &o, &f.picture, &err));
    if (status != CRANK_OK) {
        tell_error(m, "%s", failure_text(status, &err));
    } else {
        code = request->film != NULL ? write_film(&f, table)
                                     : write_picture(&f, table, page->path);
    }
    crank_picture_destroy(f.picture);
    free(made);
    return code;
}

int film_write_result(messages *m, const char *result, const page_request *page,
                      const film_request *request)
{
    crank_table *table;
    crank_error err = {0};

    if (crank_table_read(result, &table, &err) != CRANK_OK) {
        tell_file_error(m, result, &err);
        return CODE_FAILED;
    }
    if (table->incomplete) {
        tell_error(m, "warning: %s: the run that wrote it was cut short", result);
    }
    const int code = write_table(m, table, page, request);
    crank_table_destroy(table);
    return code;
}
