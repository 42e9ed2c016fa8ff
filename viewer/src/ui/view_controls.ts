// view_controls.ts - buttons and menu over the scene: camera, and what is shown.
// SPDX-License-Identifier: BSD-3-Clause
import type { Preset, Scene } from "../data/format";
import { type GroupName, groupNames, type State } from "../state/state";
import { button, element, press } from "./dom";
import { formatNumber } from "./numbers";

const groupText: Record<GroupName, [string, string]> = {
    bodies: ["Bodies", ""],
    joints: ["Joints", ""],
    forces: ["Forces and springs", ""],
    reactions: ["Reactions", "r"],
    traces: ["Traces", "t"],
    shadows: ["Shadows", ""],
    labels: ["Names", "l"],
    grid: ["Grid", "g"],
    axes: ["Axes", ""],
};

const presets: [Preset, string, string][] = [
    ["iso", "Iso", "1"],
    ["front", "Front", "2"],
    ["top", "Top", "3"],
    ["side", "Side", "4"],
];

export class ViewControls {
    private readonly menu = element("div", "floating");
    private readonly menuButton: HTMLButtonElement;

    constructor(
        private readonly state: State,
        scene: Scene,
        stage: HTMLElement,
    ) {
        const bar = element("div", "floating");
        bar.id = "view-buttons";
        if (scene.dimension === 3) {
            for (const [name, text, key] of presets) {
                bar.append(
                    button(`View from ${text.toLowerCase()} (${key})`, { text }, () =>
                        state.preset.set({ name }),
                    ),
                );
            }
        }
        bar.append(button("Fit all into the view (f)", "fit", () => state.preset.set({ name: "fit" })));
        this.menuButton = button("What is shown", "eye", () => this.toggle());
        this.menuButton.id = "view-menu-button";
        this.menuButton.setAttribute("aria-expanded", "false");
        bar.append(this.menuButton);
        this.menu.id = "view-menu";
        this.menu.hidden = true;
        this.fill(scene);
        stage.append(bar, this.menu);
        stage.addEventListener("pointerdown", (event) => {
            if (event.target instanceof HTMLCanvasElement) {
                this.close();
            }
        });
    }

    /** Closes the menu; returns whether it was open. */
    close(): boolean {
        const open = !this.menu.hidden;
        this.menu.hidden = true;
        this.menuButton.setAttribute("aria-expanded", "false");
        press(this.menuButton, false);
        return open;
    }

    private toggle(): void {
        if (!this.close()) {
            this.menu.hidden = false;
            this.menuButton.setAttribute("aria-expanded", "true");
            press(this.menuButton, true);
        }
    }

    private fill(scene: Scene): void {
        const { state } = this;
        const present: Partial<Record<GroupName, boolean>> = {
            shadows: scene.dimension === 3,
            joints: scene.joints.length > 0,
            forces: scene.forces.length > 0,
            reactions: scene.joints.some((joint) => joint.reaction),
        };
        for (const name of groupNames) {
            if (present[name] === false) {
                continue;
            }
            const [text, key] = groupText[name];
            const box = element("input", "");
            box.type = "checkbox";
            box.dataset["group"] = name;
            box.checked = state.groups[name].value;
            box.addEventListener("change", () => state.groups[name].set(box.checked));
            state.groups[name].on((shown) => (box.checked = shown));
            this.menu.append(element("label", "", box, text, key ? element("kbd", "", key) : null));
        }
        if (scene.dimension === 3) {
            const box = element("input", "");
            box.type = "checkbox";
            box.id = "parallel";
            box.addEventListener("change", () =>
                state.projection.set(box.checked ? "parallel" : "perspective"),
            );
            state.projection.on((projection) => (box.checked = projection === "parallel"));
            this.menu.append(element("label", "", box, "Parallel projection", element("kbd", "", "p")));
        }
        this.menu.append(this.arrowScale());
    }

    private arrowScale(): HTMLElement {
        const slider = element("input", "");
        slider.type = "range";
        slider.id = "arrow-scale";
        slider.min = "-1";
        slider.max = "1";
        slider.step = "0.05";
        slider.value = "0";
        slider.setAttribute("aria-label", "Length of arrows");
        const shown = element("span", "quiet", "1\u00d7");
        slider.addEventListener("input", () => this.state.arrowScale.set(10 ** Number(slider.value)));
        this.state.arrowScale.on((scale) => {
            slider.value = String(Math.log10(scale));
            shown.textContent = `${formatNumber(Number(scale.toPrecision(2)))}\u00d7`;
        });
        return element("label", "slider", "Length of arrows", shown, slider);
    }
}
