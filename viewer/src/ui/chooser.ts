// chooser.ts - finds variables by typing: fast with tens of thousands of names.
// SPDX-License-Identifier: BSD-3-Clause
import type { Store } from "../data/store";
import { button, element } from "./dom";

/** Most matches shown; typing more narrows them. */
const mostShown = 200;

export interface Choice {
    title: string;
    /** Names that are chosen now. */
    selected(): string[];
    /** Called for each name picked. */
    pick(name: string): void;
    closed?(): void;
}

interface Candidate {
    name: string;
    unit: string;
    description: string;
    text: string;
    missing: boolean;
}

/** Candidates that hold all words; those that begin with the first word come first. */
export function findMatches<T extends { name: string; text: string }>(all: T[], query: string): T[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) {
        return all;
    }
    const matches = all.filter(({ text }) => words.every((word) => text.includes(word)));
    const rank = ({ name }: T) => {
        const at = name.toLowerCase().indexOf(words[0]);
        return at < 0 ? 2 : at > 0 ? 1 : 0;
    };
    return [0, 1, 2].flatMap((wanted) => matches.filter((match) => rank(match) === wanted));
}

export class Chooser {
    private readonly dialog = element("dialog", "");
    private readonly heading = element("h2", "");
    private readonly input = element("input", "");
    private readonly list = element("div", "");
    private readonly candidates: Candidate[];
    private matches: Candidate[] = [];
    private active = 0;
    private choice: Choice | null = null;

    constructor(store: Store) {
        this.candidates = [...store.columns.values()].map(({ name, unit, description }) => ({
            name, unit, description, missing: false,
            text: `${name} ${description}`.toLowerCase(),
        }));
        for (const name of store.index.left_out ?? []) {
            this.candidates.push({
                name, unit: "", description: "left out of this page for its size", missing: true,
                text: name.toLowerCase(),
            });
        }
        this.dialog.id = "chooser";
        this.dialog.setAttribute("aria-label", "Choose variables");
        this.input.id = "chooser-search";
        this.input.type = "search";
        this.input.autocomplete = "off";
        this.input.spellcheck = false;
        this.input.placeholder = "Type a part of the name or description";
        this.input.setAttribute("aria-label", "Search variables");
        this.input.setAttribute("role", "combobox");
        this.input.setAttribute("aria-controls", "chooser-list");
        this.input.setAttribute("aria-expanded", "true");
        this.list.id = "chooser-list";
        this.list.setAttribute("role", "listbox");
        this.list.setAttribute("aria-label", "Variables");
        this.dialog.append(
            element("div", "dialog-head", this.heading, button("Close", "close", () => this.close())),
            element("div", "field", this.input),
            this.list,
        );
        document.body.append(this.dialog);
        this.listen();
    }

    open(choice: Choice): void {
        this.choice = choice;
        this.heading.textContent = choice.title;
        this.input.value = "";
        this.filter();
        if (!this.dialog.open) {
            this.dialog.showModal();
        }
        this.input.focus();
    }

    close(): void {
        this.dialog.close();
        this.end();
    }

    /** Tells who opened it, once, and at once: the dialog's own event comes later. */
    private end(): void {
        const { choice } = this;
        this.choice = null;
        choice?.closed?.();
    }

    private listen(): void {
        this.input.addEventListener("input", () => this.filter());
        this.input.addEventListener("keydown", (event) => {
            const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
            if (step) {
                event.preventDefault();
                this.move(this.active + step);
            } else if (event.key === "Enter") {
                event.preventDefault();
                this.take(this.matches[this.active]);
            } else if (event.key === "Escape") {
                // A search field would only empty itself.
                event.preventDefault();
                this.close();
            }
        });
        this.dialog.addEventListener("close", () => {
            if (!this.dialog.open) {
                this.end();
            }
        });
        this.dialog.addEventListener("click", (event) => {
            if (event.target === this.dialog) {
                this.close();
            }
        });
    }

    private filter(): void {
        this.matches = findMatches(this.candidates, this.input.value);
        this.active = 0;
        this.show();
        this.list.scrollTop = 0;
    }

    private show(): void {
        const chosen = new Set(this.choice?.selected() ?? []);
        const rows: HTMLElement[] = this.matches.slice(0, mostShown).map((match, i) => {
            const row = element(
                "div",
                i === this.active ? "choice active" : "choice",
                element("span", "tick", chosen.has(match.name) ? "\u2713" : ""),
                element("span", "name", match.name),
                element("span", "quiet", match.unit === "1" ? "" : match.unit),
                match.description ? element("span", "about", match.description) : null,
            );
            row.id = `choice-${i}`;
            row.setAttribute("role", "option");
            row.setAttribute("aria-selected", String(chosen.has(match.name)));
            if (match.missing) {
                row.setAttribute("aria-disabled", "true");
            }
            row.addEventListener("click", () => {
                this.active = i;
                this.take(match);
            });
            return row;
        });
        const rest = this.matches.length - rows.length;
        if (rest > 0) {
            rows.push(element("p", "quiet objects-more", `and ${rest} more: type to narrow them down`));
        } else if (!rows.length) {
            rows.push(element("p", "quiet objects-more", "No variable matches."));
        }
        this.list.replaceChildren(...rows);
        this.input.setAttribute("aria-activedescendant", `choice-${this.active}`);
    }

    private move(to: number): void {
        const last = Math.min(this.matches.length, mostShown) - 1;
        this.list.children[this.active]?.classList.remove("active");
        this.active = Math.max(0, Math.min(to, last));
        const row = this.list.children[this.active];
        row?.classList.add("active");
        row?.scrollIntoView({ block: "nearest" });
        this.input.setAttribute("aria-activedescendant", `choice-${this.active}`);
    }

    private take(match: Candidate | undefined): void {
        if (!match || match.missing || !this.choice) {
            return;
        }
        const before = this.choice;
        before.pick(match.name);
        if (this.choice === before) {
            const { scrollTop } = this.list;
            this.show();
            this.list.scrollTop = scrollTop;
        }
    }
}
