// help.ts - the overlay that lists keys and gestures.
// SPDX-License-Identifier: BSD-3-Clause
import type { PageIndex } from "../data/format";
import { button, element } from "./dom";

const keys: [string, string[]][] = [
    ["Play or pause", ["space"]],
    ["One frame back, on", ["\u2190", "\u2192"]],
    ["Ten frames back, on", ["shift", "\u2190", "\u2192"]],
    ["First, last frame", ["home", "end"]],
    ["Faster, slower", ["\u2191", "\u2193"]],
    ["Views: iso, front, top, side", ["1", "\u2026", "4"]],
    ["Fit all into the view", ["f"]],
    ["Parallel projection", ["p"]],
    ["Grid", ["g"]],
    ["Reactions", ["r"]],
    ["Traces", ["t"]],
    ["Names", ["l"]],
    ["Light or dark", ["d"]],
    ["Find an object or a variable", ["/"]],
    ["This help", ["?", "h"]],
    ["Close, deselect", ["esc"]],
];

const gestures: [string, string][] = [
    ["Turn the scene", "drag"],
    ["Move, zoom it", "right drag, wheel"],
    ["Select a body", "click"],
    ["Move the time in a plot", "click or drag"],
    ["Zoom the plots", "shift drag, ctrl wheel"],
    ["All of the plot again", "double click"],
];

export function createHelp(index: PageIndex): HTMLDialogElement {
    const dialog = element("dialog", "");
    dialog.id = "help";
    dialog.setAttribute("aria-label", "Help");
    const list = element("div", "help");
    for (const [text, names] of keys) {
        list.append(element("p", "", text, ...names.map((name) => element("kbd", "", name))));
    }
    for (const [text, gesture] of gestures) {
        const how = element("span", "quiet", gesture);
        how.style.marginLeft = "auto";
        list.append(element("p", "", text, how));
    }
    const left = index.left_out?.length ?? 0;
    const about =
        `Made by crank ${index.version}. This page holds ${index.rows} of ${index.result_rows} rows` +
        (left ? `; ${left} columns were left out for its size.` : ".");
    dialog.append(
        element("div", "dialog-head", element("h2", "", "Keys and gestures"), button("Close", "close", () => dialog.close())),
        list,
        element("p", "about-page", about),
    );
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) {
            dialog.close();
        }
    });
    document.body.append(dialog);
    return dialog;
}
