// page.ts - the page of a study: scatter, parallel coordinates, courses of chosen members, the table of all.
// SPDX-License-Identifier: BSD-3-Clause
import type { PageIndex } from "../data/format";
import type { Store } from "../data/store";
import type { State } from "../state/state";
import { button, byId, element } from "../ui/dom";
import { toggleTheme } from "../ui/theme";
import { Courses } from "./courses";
import { Members } from "./members";
import { Parallel } from "./parallel";
import { Scatter } from "./scatter";
import { MemberTable } from "./table";

function createHelp(index: PageIndex): HTMLDialogElement {
    const dialog = element("dialog", "");
    dialog.id = "help";
    dialog.setAttribute("aria-label", "Help");
    const keys: [string, string][] = [["Member before, behind", "\u2190 \u2192"], ["None chosen", "esc"], ["Light or dark", "d"], ["This help", "? h"]];
    const list = element("div", "help", ...keys.map(([text, key]) => element("p", "", text, element("kbd", "", key))));
    for (const [text, gesture] of [["Choose a member", "click on it"], ["Compare several", "shift click"], ["Sort members", "click on a heading"]]) {
        list.append(element("p", "", text, element("span", "quiet", gesture)));
    }
    dialog.append(element("div", "dialog-head", element("h2", "", "Keys and gestures"), button("Close", "close", () => dialog.close())), list,
        element("p", "about-page", `Made by crank ${index.version}. This page holds ${index.rows} of ${index.result_rows} members.`));
    document.body.append(dialog);
    return dialog;
}

export async function startStudy(index: PageIndex, store: Store, state: State, complain: (text: string) => void): Promise<unknown> {
    document.body.classList.add("study");
    const members = await Members.open(index, store);
    const help = createHelp(index);
    const facts = [index.model, `${index.rows} members`].filter(Boolean).join(" \u00b7 ");
    const theme = button("Light or dark (d)", "theme", () => toggleTheme(state));
    theme.id = "theme";
    const helpButton = button("Help (?)", "help", () => help.showModal());
    helpButton.id = "help-button";
    byId("header").append(element("div", "titles", element("h1", "", index.title), element("p", "", facts)),
        element("div", "header-buttons", theme, helpButton));
    const scatter = new Scatter(members, state);
    const parallel = new Parallel(members, state);
    const courses = new Courses(members, state, complain);
    const table = new MemberTable(members);
    byId("main").replaceChildren(scatter.element, courses.element, parallel.element, table.element);
    byId("transport").remove();
    const show = () => {
        scatter.draw();
        parallel.draw();
        table.show();
        return courses.show();
    };
    members.chosen.on(() => void show());
    state.theme.on(() => void show());
    document.addEventListener("keydown", (event) => {
        const target = event.target;
        const field = target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
        if (field || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
            return;
        }
        const commands = new Map<string, () => void>([
            ["ArrowLeft", () => table.step(-1)], ["ArrowRight", () => table.step(1)], ["Escape", () => members.chosen.set([])],
            ["d", () => toggleTheme(state)], ["?", () => help.showModal()], ["h", () => help.showModal()],
        ]);
        const command = commands.get(event.key);
        if (command) {
            event.preventDefault();
            command();
        }
    });
    await show();
    return {
        get chosen() { return members.chosen.value.map((row) => members.number(row)); },
        get courses() { return courses.shown; },
        place: (row: number) => scatter.place(row),
    };
}
