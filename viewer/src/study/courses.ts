// courses.ts - what the chosen members did over time, by uPlot; how they ended, and the command that runs one again.
// SPDX-License-Identifier: BSD-3-Clause
import uPlot from "uplot";
import { createAxes, SharedWidth } from "../plots/axes";
import { drawable, plotColors } from "../plots/curves";
import { curveColor } from "../scene/palette";
import type { State } from "../state/state";
import { element } from "../ui/dom";
import { withUnit } from "../ui/numbers";
import type { Members } from "./members";

const height = 190;

export class Courses {
    readonly element = element("section", "study-part");
    /** Values of the plots drawn last: by column, then by chosen member. */
    shown: (number[] | null)[][] = [];
    private plots: uPlot[] = [];
    private builds = 0;

    constructor(private readonly members: Members, private readonly state: State, private readonly complain: (text: string) => void) {
        this.element.id = "courses";
        this.element.setAttribute("aria-live", "polite");
        new ResizeObserver(() => this.plots.forEach((plot) => plot.setSize({ width: this.width(), height }))).observe(this.element);
    }

    async show(): Promise<void> {
        const build = ++this.builds;
        const { members } = this;
        const chosen = members.chosen.value;
        const { columns } = members.study;
        let values;
        try {
            values = await Promise.all(columns.map((_, k) => Promise.all(chosen.map((row) => members.course(row, k)))));
        } catch (error) {
            this.complain(error instanceof Error ? error.message : String(error));
            return;
        }
        if (build !== this.builds) {
            return;
        }
        this.plots.forEach((plot) => plot.destroy());
        this.plots = [];
        this.shown = values.map((list) => list.map((course) => (course ? Array.from(course) : null)));
        this.element.replaceChildren(element("div", "study-head", element("h2", "", "Courses over time")), ...this.legend(chosen));
        if (!chosen.length) {
            this.element.append(element("p", "quiet", "Click on a member (shift: on several), or walk through them with the arrow keys."));
            return;
        }
        if (!columns.length) {
            this.element.append(element("p", "quiet", "No columns were kept over time: crank sweep --columns NAME keeps them."));
        }
        values.forEach((list, k) => {
            if (list.every((course) => course === null)) {
                this.element.append(element("p", "quiet", `${columns[k].name}: left out of the page for its size, see crank view --limit.`));
                return;
            }
            const holder = element("div", "course", element("h3", "", withUnit(columns[k].name, columns[k].unit && `in ${columns[k].unit}`)));
            this.element.append(holder);
            const colors = plotColors();
            const axes = createAxes({ colors, units: [members.study.time_unit, columns[k].unit], log: false, width: new SharedWidth(), panel: holder });
            this.plots.push(new uPlot({
                width: this.width(), height, axes: axes.axes, padding: axes.padding, legend: { show: false },
                cursor: { drag: { x: false, y: false } }, scales: { x: { time: false } }, hooks: { draw: [axes.caption] },
                series: [{}, ...list.map((_, i) => ({ stroke: curveColor(i, this.state.theme.value), width: 1.6, points: { show: false } }))],
            }, [members.study.times, ...list.map((course) => (course ? drawable(course, false, false) : members.study.times.map(() => null)))], holder));
        });
    }

    private width(): number {
        return Math.max(this.element.clientWidth - 24, 160);
    }

    private legend(chosen: readonly number[]): HTMLElement[] {
        return chosen.map((row, i) => {
            const mark = element("i", "");
            mark.style.background = curveColor(i, this.state.theme.value);
            const reason = this.members.reason(row);
            const command = this.members.command(row);
            return element("div", "chosen", mark, element("strong", "", `member ${this.members.number(row)}`),
                element("span", this.members.isLost(row) ? "danger" : "quiet", this.members.ended(row) + (reason ? `: ${reason}` : "")),
                command ? element("code", "", command) : null);
        });
    }
}
