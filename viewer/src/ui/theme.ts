// theme.ts - light or dark: as the system says, until the user says otherwise.
// SPDX-License-Identifier: BSD-3-Clause
import type { State, Theme } from "../state/state";
import { recall, remember } from "../state/session";

const key = "crank-theme";

export function startTheme(state: State): void {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    const ofSystem = (): Theme => (system.matches ? "dark" : "light");
    const kept = recall(key);
    let printing = false;
    let chosen = kept === "dark" || kept === "light";
    state.theme.on((theme) => (document.documentElement.dataset["theme"] = theme));
    state.theme.set(chosen ? (kept as Theme) : ofSystem());
    document.documentElement.dataset["theme"] = state.theme.value;
    system.addEventListener("change", () => {
        if (!chosen) {
            state.theme.set(ofSystem());
        }
    });
    // Paper is light; the choice is taken up again afterwards.
    const paper = window.matchMedia("print");
    let before: Theme | null = null;
    paper.addEventListener("change", () => {
        const next: Theme = paper.matches ? "light" : (before ?? state.theme.value);
        before = paper.matches ? state.theme.value : null;
        printing = true;
        state.theme.set(next);
        printing = false;
    });
    state.theme.on((theme) => {
        if (printing) {
            return;
        }
        if (theme !== ofSystem() || chosen) {
            chosen = true;
            remember(key, theme);
        }
    });
}

export function toggleTheme(state: State): void {
    state.theme.set(state.theme.value === "dark" ? "light" : "dark");
}
