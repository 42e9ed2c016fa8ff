/* command.h - what the files of the command share: exit codes, the table of subcommands,
 * messages, interruption. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_COMMAND_H
#define CRANK_TOOLS_COMMAND_H

#include <crank/crank.h>

#include <signal.h>

enum { CODE_DONE = 0, CODE_FAILED = 1, CODE_USAGE = 2, CODE_MODEL = 3 };

/* Steps of which each needs the one before: the first failure stays, and the rest is left out.
 * THEN: by their statuses; NEXT: by exit codes, of which -1 means "go on". */
#define THEN(status, ...) ((void)((status) = (status) == CRANK_OK ? (__VA_ARGS__) : (status)))
#define NEXT(code, ...)   ((void)((code) = (code) < 0 ? (__VA_ARGS__) : (code)))

typedef struct subcommand {
    const char *name;
    const char *summary;
    int (*run)(int argc,
               char **argv); /* argv[0] is the subcommand's name; returns the exit code */
} subcommand;

int run_main(int argc, char **argv);
int resume_main(int argc, char **argv);
int check_main(int argc, char **argv);
int init_main(int argc, char **argv);
int equilibrium_main(int argc, char **argv);
int sweep_main(int argc, char **argv);
int linearize_main(int argc, char **argv);
int compare_main(int argc, char **argv);
int plot_main(int argc, char **argv);
int view_main(int argc, char **argv);
int convert_main(int argc, char **argv);
int import_main(int argc, char **argv);
int export_main(int argc, char **argv);
int inverse_main(int argc, char **argv);
int methods_main(int argc, char **argv);
int options_main(int argc, char **argv);
int schema_main(int argc, char **argv);
int compile_main(int argc, char **argv);

/* ---- messages, all on standard error ---- */

enum { MESSAGE_SIZE = 480 };

typedef struct messages {
    bool quiet;          /* no notes; warnings and errors are always told */
    bool progress_shown; /* the cursor stands in a progress line */
    int warnings;        /* received; beyond the first few they are only counted */
    char named[240];     /* the file of the last mistake in one; "": none */
} messages;

/* Wipes the progress line, if the cursor stands in one. */
void clear_progress(messages *m);
/* A line "crank: ..."; a note is dropped when quiet. */
void tell_error(messages *m, const char *format, ...) CRANK_PRINTF(2, 3);
void tell_note(messages *m, const char *format, ...) CRANK_PRINTF(2, 3);
/* A line of a table under a note, "  steps      424, 11 rejected". */
void tell_entry(messages *m, const char *label, const char *format, ...) CRANK_PRINTF(3, 4);
/* "model.yaml:12:7: sentence", or "crank: model.yaml: sentence" where there is no place. */
void tell_file_error(messages *m, const char *path, const crank_error *err);
/* Number of warnings that were counted but not shown. */
int warnings_hidden(const messages *m);
/* The log that a library call writes its messages to. */
crank_log message_log(messages *m);
/* The sentence of a failure: the record's text, or that of the status. */
const char *failure_text(crank_status status, const crank_error *err);
/* What to do about a run that stopped, to be appended: "; raise max_steps", or "". */
const char *failure_remedy(crank_status status);

/* ---- interruption ---- */

/* From now on the first SIGINT, SIGTERM or SIGHUP only raises interrupted; a second one ends
 * the process. */
void interruption_watch(void);
bool interrupted(void);

#endif
