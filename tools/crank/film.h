/* film.h - pictures and films of a result: "crank view --picture" and "--film". */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_FILM_H
#define CRANK_TOOLS_FILM_H

#include "page.h"

typedef struct film_request {
    const char *film;  /* FILE.webm, FILE.mp4 or frames as FILE%04d.png; NULL: a picture */
    double time;       /* of the picture */
    double speed;      /* simulated seconds for each of the film; NaN: as the page plays */
    int fps;           /* frames a second; 0: the default */
    int width, height; /* pixels; 0: the default */
} film_request;

/* Mistakes that show without the result; -1, or the exit code after telling them. */
int film_check(messages *m, const film_request *film, const char *out);
/* The picture goes to the page's path. -1, or the exit code after telling what failed. */
int film_write_result(messages *m, const char *result, const page_request *page,
                      const film_request *film);

#endif
