// header.ts - title, where the result comes from, and the buttons for the whole page.
// SPDX-License-Identifier: BSD-3-Clause
import type { PageIndex } from "../data/format";
import type { State } from "../state/state";
import { button, byId, element } from "./dom";
import { toggleTheme } from "./theme";

export function createHeader(index: PageIndex, state: State, openHelp: () => void): HTMLElement {
    const facts = [index.model, index.method, framesText(index)].filter(Boolean).join(" \u00b7 ");
    const titles = element(
        "div",
        "titles",
        element("h1", "", index.title || "crank"),
        element("p", "", facts),
    );
    titles.title = facts;
    const theme = button("Light or dark (d)", "theme", () => toggleTheme(state));
    theme.id = "theme";
    const help = button("Help (?)", "help", openHelp);
    help.id = "help-button";
    const buttons = element("div", "header-buttons", theme, help);
    byId("header").append(titles, buttons);
    return buttons;
}

function framesText(index: PageIndex): string {
    return index.result_rows > index.rows
        ? `${index.rows} of ${index.result_rows} rows`
        : `${index.rows} rows`;
}
