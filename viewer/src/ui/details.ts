// details.ts - the values of what is selected at the time shown, with buttons to plot them.
// SPDX-License-Identifier: BSD-3-Clause
import type { Scene } from "../data/format";
import type { Store } from "../data/store";
import type { Clock } from "../play/clock";
import { namesOf, sample } from "../scene/poses";
import type { Selection, State } from "../state/state";
import { button, element, press } from "./dom";
import { formatNumber, withUnit } from "./numbers";

/** While playing, numbers change at most this often (ms). */
const pause = 120;

/** Columns that belong to an object: by its prefix, and those the scene names. */
function columnsOf(scene: Scene, store: Store, { kind, number }: Selection): string[] {
    const lists = { body: scene.bodies, joint: scene.joints, force: scene.forces };
    const object = lists[kind][number];
    const prefix = `${kind}.${object.name}.`;
    const names = new Set<string>();
    if (kind === "body") {
        namesOf(Object.values(scene.bodies[number].pose)).forEach((name) => names.add(name));
    } else if (kind === "joint") {
        const reaction = scene.joints[number].reaction;
        namesOf([...(reaction?.force ?? []), ...(reaction?.torque ?? [])]).forEach((n) => names.add(n));
    } else {
        const { value, components } = scene.forces[number];
        namesOf([value, ...(components ?? [])]).forEach((name) => names.add(name));
    }
    for (const name of store.columns.keys()) {
        if (name.startsWith(prefix)) {
            names.add(name);
        }
    }
    return [...names].filter((name) => store.has(name));
}

export class Details {
    readonly element = element("div", "");
    private cells: { name: string; unit: string; cell: HTMLElement; text: string }[] = [];
    private last = 0;

    constructor(
        private readonly scene: Scene,
        private readonly store: Store,
        private readonly clock: Clock,
        private readonly state: State,
        private readonly plot: (name: string) => void,
        private readonly complain: (message: string) => void,
    ) {
        this.element.id = "details";
        this.element.hidden = true;
        state.selection.on((selection) => void this.show(selection));
    }

    update(): void {
        const now = performance.now();
        if (this.clock.playing && now - this.last < pause) {
            return;
        }
        this.last = now;
        for (const entry of this.cells) {
            const column = this.store.get(entry.name);
            const number = column ? sample(column, this.clock.frame, this.clock.fraction) : NaN;
            const text = column ? withUnit(formatNumber(number), entry.unit) : "\u2026";
            if (text !== entry.text) {
                entry.text = text;
                entry.cell.textContent = text;
            }
        }
    }

    private async show(selection: Selection | null): Promise<void> {
        this.element.hidden = !selection;
        this.cells = [];
        if (!selection) {
            this.element.replaceChildren();
            return;
        }
        const names = columnsOf(this.scene, this.store, selection);
        const rows = names.map((name) => this.row(name, selection));
        if (!rows.length) {
            rows.push(element("p", "quiet", "The result holds no columns of it."));
        }
        this.element.replaceChildren(this.head(selection), ...rows);
        this.element.scrollTop = 0;
        this.last = 0;
        this.update();
        try {
            await this.store.load(names);
        } catch (error) {
            this.complain(error instanceof Error ? error.message : String(error));
        }
        this.last = 0;
        this.update();
    }

    private head({ kind, number }: Selection): HTMLElement {
        const { scene, state } = this;
        const object =
            kind === "body" ? scene.bodies[number] : kind === "joint" ? scene.joints[number] : scene.forces[number];
        const title = element("strong", "", object.name);
        title.title = object.name;
        const head = element("div", "details-head", title);
        if (kind === "body") {
            const follow = button("Follow this body with the camera", "target", () => {
                state.follow.set(state.follow.value === number ? null : number);
                press(follow, state.follow.value === number);
            });
            follow.id = "follow";
            press(follow, state.follow.value === number);
            const trace = button("Trace its centre", "trace", () => {
                state.toggleTrace(number);
                press(trace, state.traced.value.has(number));
            });
            trace.id = "trace";
            press(trace, state.traced.value.has(number));
            head.append(follow, trace);
        }
        head.append(button("Deselect", "close", () => state.selection.set(null)));
        return head;
    }

    private row(name: string, { kind, number }: Selection): HTMLElement {
        const lists = { body: this.scene.bodies, joint: this.scene.joints, force: this.scene.forces };
        const prefix = `${kind}.${lists[kind][number].name}.`;
        const column = this.store.columns.get(name);
        const short = name.startsWith(prefix) ? name.slice(prefix.length) : name;
        const cell = element("span", "number", "\u2026");
        this.cells.push({ name, unit: column?.unit ?? "", cell, text: "" });
        const label = element("span", "name", short);
        label.title = name;
        return element(
            "div",
            "value",
            label,
            cell,
            button(`Plot ${name}`, "plot", () => this.plot(name)),
            column?.description ? element("span", "about", column.description) : null,
        );
    }
}
