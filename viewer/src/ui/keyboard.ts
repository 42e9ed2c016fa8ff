// keyboard.ts - what each key does. Keys typed into fields and dialogs are left alone.
// SPDX-License-Identifier: BSD-3-Clause
import type { Clock } from "../play/clock";
import type { State } from "../state/state";
import { toggleTheme } from "./theme";

export interface KeyActions {
    openHelp(): void;
    search(): void;
    /** Closes what is open; the innermost first. */
    escape(): void;
}

/** Whether the key belongs to the focused control rather than to the page. */
function isTaken(event: KeyboardEvent): boolean {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
        return true;
    }
    if (!(target instanceof HTMLElement)) {
        return false;
    }
    if (target instanceof HTMLInputElement && target.type === "range") {
        // A slider needs its arrows and Home, End; the letters are free.
        return /^(Arrow|Home|End|Page)/.test(event.key);
    }
    if (target instanceof HTMLInputElement && target.type === "checkbox") {
        return event.key === " ";
    }
    if (target instanceof HTMLButtonElement) {
        return event.key === " " || event.key === "Enter";
    }
    if (target.getAttribute("role") === "separator") {
        return /^Arrow/.test(event.key);
    }
    return target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

export function listenToKeys(clock: Clock, state: State, actions: KeyActions): void {
    const faster = () => clock.changeSpeed(1);
    const slower = () => clock.changeSpeed(-1);
    const end = (frame: number) => {
        clock.pause();
        clock.setFrame(frame);
    };
    const commands = new Map<string, (shift: boolean) => void>([
        [" ", () => clock.toggle()],
        ["ArrowLeft", (shift) => clock.step(shift ? -10 : -1)],
        ["ArrowRight", (shift) => clock.step(shift ? 10 : 1)],
        ["Home", () => end(0)],
        ["End", () => end(clock.rows - 1)],
        ["ArrowUp", faster],
        ["ArrowDown", slower],
        ["+", faster],
        ["-", slower],
        ["1", () => state.preset.set({ name: "iso" })],
        ["2", () => state.preset.set({ name: "front" })],
        ["3", () => state.preset.set({ name: "top" })],
        ["4", () => state.preset.set({ name: "side" })],
        ["f", () => state.preset.set({ name: "fit" })],
        ["p", () => state.projection.set(state.projection.value === "parallel" ? "perspective" : "parallel")],
        ["g", () => state.toggleGroup("grid")],
        ["r", () => state.toggleGroup("reactions")],
        ["t", () => state.toggleGroup("traces")],
        ["l", () => state.toggleGroup("labels")],
        ["d", () => toggleTheme(state)],
        ["/", () => actions.search()],
        ["?", () => actions.openHelp()],
        ["h", () => actions.openHelp()],
    ]);
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
            actions.escape();
            return;
        }
        const command = commands.get(event.key);
        if (command && !isTaken(event)) {
            event.preventDefault();
            command(event.shiftKey);
        }
    });
}
