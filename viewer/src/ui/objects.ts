// objects.ts - the drawer: all bodies, joints and forces, found by typing.
// SPDX-License-Identifier: BSD-3-Clause
import type { Scene } from "../data/format";
import { colorOf } from "../scene/palette";
import type { ObjectKind, Selection, State } from "../state/state";
import { findMatches } from "./chooser";
import { button, element, press } from "./dom";

/** Most objects listed at once; typing narrows them. */
const mostShown = 300;

interface Item {
    kind: ObjectKind;
    number: number;
    name: string;
    text: string;
    type: string;
    color: string | null;
}

function itemsOf(scene: Scene): Item[] {
    const item = (kind: ObjectKind, number: number, name: string, type: string, color: string | null) => ({
        kind, number, name, type, color,
        text: `${name} ${type} ${kind}`.toLowerCase(),
    });
    return [
        ...scene.bodies.map((b, i) => item("body", i, b.name, "body", colorOf(b, i))),
        ...scene.joints.map((j, i) => item("joint", i, j.name, j.type, null)),
        ...scene.forces.map((f, i) => item("force", i, f.name, f.type, null)),
    ];
}

export class ObjectsDrawer {
    readonly element = element("aside", "floating");
    readonly toggleButton: HTMLButtonElement;
    private readonly input = element("input", "");
    private readonly list = element("div", "");
    private readonly items: Item[];
    private rows: { item: Item; row: HTMLElement }[] = [];
    private active = 0;

    constructor(
        scene: Scene,
        private readonly state: State,
        details: HTMLElement,
    ) {
        this.items = itemsOf(scene);
        this.element.id = "drawer";
        this.element.setAttribute("aria-label", "Objects");
        this.element.hidden = true;
        this.input.id = "search";
        this.input.type = "search";
        this.input.autocomplete = "off";
        this.input.spellcheck = false;
        this.input.placeholder = "Find bodies, joints, forces";
        this.input.setAttribute("aria-label", "Find bodies, joints and forces");
        this.input.setAttribute("aria-controls", "objects");
        this.list.id = "objects";
        this.list.tabIndex = 0;
        this.list.setAttribute("role", "listbox");
        this.list.setAttribute("aria-label", "Bodies, joints and forces");
        this.toggleButton = button("Objects (/)", "list", () => this.show(this.element.hidden));
        this.toggleButton.id = "objects-button";
        press(this.toggleButton, false);
        this.element.append(
            element("div", "drawer-head", this.input, button("Close", "close", () => this.show(false))),
            this.list,
            details,
        );
        this.input.addEventListener("input", () => this.fill());
        for (const target of [this.input, this.list]) {
            target.addEventListener("keydown", (event) => this.onKey(event));
        }
        state.selection.on((selection) => {
            this.mark();
            if (selection && window.innerWidth > 760) {
                this.show(true);
            }
        });
        this.fill();
    }

    get isOpen(): boolean {
        return !this.element.hidden;
    }

    show(open: boolean): void {
        this.element.hidden = !open;
        document.body.classList.toggle("drawer-open", open);
        press(this.toggleButton, open);
    }

    focusSearch(): void {
        this.show(true);
        this.input.focus();
        this.input.select();
    }

    private fill(): void {
        const matches = findMatches(this.items, this.input.value);
        this.rows = matches.slice(0, mostShown).map((item) => {
            const mark = element("i", item.kind);
            if (item.color) {
                mark.style.background = item.color;
            }
            const row = element(
                "div",
                "object",
                mark,
                element("span", "", item.name),
                element("span", "quiet", item.type),
            );
            row.setAttribute("role", "option");
            row.title = item.name;
            row.addEventListener("click", () => this.select(item));
            return { item, row };
        });
        const rest = matches.length - this.rows.length;
        const note = rest > 0 ? `and ${rest} more: type to find them` : matches.length ? "" : "Nothing matches.";
        this.list.replaceChildren(
            ...this.rows.map(({ row }) => row),
            ...(note ? [element("p", "quiet objects-more", note)] : []),
        );
        this.active = 0;
        this.mark();
    }

    private select({ kind, number }: Item): void {
        const now = this.state.selection.value;
        const same = now?.kind === kind && now.number === number;
        this.state.selection.set(same ? null : { kind, number });
    }

    private mark(): void {
        const chosen: Selection | null = this.state.selection.value;
        this.rows.forEach(({ item, row }, i) => {
            const on = chosen?.kind === item.kind && chosen.number === item.number;
            row.setAttribute("aria-selected", String(on));
            if (on) {
                this.active = i;
                row.scrollIntoView({ block: "nearest" });
            }
        });
    }

    private onKey(event: KeyboardEvent): void {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step && this.rows.length) {
            event.preventDefault();
            event.stopPropagation();
            const first = !this.state.selection.value;
            this.active = first ? 0 : Math.max(0, Math.min(this.active + step, this.rows.length - 1));
            const { kind, number } = this.rows[this.active].item;
            this.state.selection.set({ kind, number });
        } else if (event.key === "Enter" && this.rows.length) {
            event.preventDefault();
            const { kind, number } = this.rows[this.active].item;
            this.state.selection.set({ kind, number });
        }
    }
}
