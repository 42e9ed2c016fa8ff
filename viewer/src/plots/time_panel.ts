// time_panel.ts - curves over time, with a line at the time shown and the values there.
// SPDX-License-Identifier: BSD-3-Clause
import uPlot from "uplot";
import type { Values } from "../data/store";
import { curveColor } from "../scene/palette";
import { sample } from "../scene/poses";
import { button, download, element, press } from "../ui/dom";
import { createAxes } from "./axes";
import type { Panel, PanelState, PlotContext } from "./context";
import { drawable, logRange, paddedRange, plotColors } from "./curves";
import { canvasToPng, PanelFrame } from "./frame";
import { drawExtremes } from "./path";
import { followPointer } from "./pointer";

/** More curves than this get no dots: the legend says it all. */
const mostDots = 8;

export interface TimePanelActions {
    choose(panel: TimePanel): void;
    remove(panel: TimePanel): void;
}

export class TimePanel implements Panel {
    private readonly frame = new PanelFrame("Curves over time");
    private readonly logButton: HTMLButtonElement;
    private readonly observer: ResizeObserver;
    private plot: uPlot | null = null;
    private columns: Values[] = [];
    private readonly nowLine = element("div", "now-line");
    private dots: HTMLElement[] = [];
    private builds = 0;

    constructor(
        private readonly context: PlotContext,
        private names: string[],
        private log: boolean,
        actions: TimePanelActions,
    ) {
        const { frame } = this;
        frame.addButton(button("Choose variables", "plus", () => actions.choose(this)), "panel-add");
        this.logButton = frame.addButton(
            button("Logarithmic axis", { text: "log" }, () => {
                this.log = !this.log;
                void this.rebuild();
            }),
            "panel-log",
        );
        frame.addButton(button("Save as picture", "download", () => this.save()), "panel-save");
        frame.addButton(button("Remove this panel", "close", () => actions.remove(this)), "panel-remove");
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(frame.plot);
        context.range.on(() => this.zoom());
        context.axisWidth.follow(this, () => this.plot?.redraw(false, true));
    }

    get element(): HTMLElement {
        return this.frame.element;
    }
    get state(): PanelState {
        return { kind: "time", names: [...this.names], log: this.log };
    }

    toggle(name: string): void {
        this.names = this.names.includes(name)
            ? this.names.filter((other) => other !== name)
            : [...this.names, name];
        void this.rebuild();
    }

    async rebuild(): Promise<void> {
        const build = ++this.builds;
        const { store } = this.context;
        // The legend says at once what was chosen; numbers come with the columns.
        this.columns = [];
        this.showLegend();
        try {
            await store.load(this.names);
        } catch (error) {
            this.context.complain(error instanceof Error ? error.message : String(error));
            return;
        }
        if (build !== this.builds) {
            return;
        }
        press(this.logButton, this.log);
        this.columns = this.names.map((name) => store.get(name)).filter((c) => c !== null);
        this.plot?.destroy();
        this.plot = null;
        this.frame.setNote(this.names.length ? null : "Choose variables with +");
        if (this.names.length) {
            this.create();
        }
        this.update();
    }

    update(): void {
        const { clock } = this.context;
        const numbers = this.columns.map((column) => sample(column, clock.frame, clock.fraction));
        this.frame.setValues(numbers);
        const { plot } = this;
        if (!plot) {
            return;
        }
        const x = plot.valToPos(clock.time, "x");
        const inside = x >= -1 && x <= plot.over.clientWidth + 1;
        this.nowLine.style.display = inside ? "" : "none";
        this.nowLine.style.transform = `translateX(${x.toFixed(1)}px)`;
        this.dots.forEach((dot, i) => {
            const y = plot.valToPos(numbers[i], "y");
            const seen = inside && Number.isFinite(y) && y >= 0 && y <= plot.over.clientHeight;
            dot.style.display = seen ? "" : "none";
            if (seen) {
                dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
            }
        });
    }

    destroy(): void {
        this.builds++;
        this.observer.disconnect();
        this.plot?.destroy();
        this.plot = null;
        this.context.axisWidth.leave(this);
        this.element.remove();
    }

    private showLegend(): void {
        const theme = this.context.state.theme.value;
        this.frame.setLegend(
            this.names.map((name, i) => {
                const column = this.context.store.columns.get(name);
                return {
                    name,
                    unit: column?.unit ?? "",
                    description: column?.description ?? "",
                    color: curveColor(i, theme),
                    onRemove: () => this.toggle(name),
                };
            }),
        );
    }

    private create(): void {
        const { clock, range, store, state } = this.context;
        const colors = plotColors();
        const reverse = clock.end < clock.start;
        const time = reverse ? Float64Array.from(clock.times).reverse() : clock.times;
        const all: [number, number] = [Math.min(clock.start, clock.end), Math.max(clock.start, clock.end)];
        const data = [time, ...this.columns.map((column) => drawable(column, this.log, reverse))];
        const few = clock.rows <= 2;
        const units = new Set(this.names.map((name) => store.columns.get(name)?.unit ?? ""));
        const unit = units.size === 1 ? [...units][0] : "";
        const { axes, padding, caption } = createAxes({
            colors, units: [store.timeColumn.unit, unit], log: this.log, width: this.context.axisWidth, panel: this,
        });
        this.plot = new uPlot(
            {
                ...this.size(),
                axes,
                padding,
                hooks: { draw: [caption, () => this.update()] },
                legend: { show: false },
                cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
                scales: {
                    x: {
                        time: false,
                        range: () => (range.value ? [range.value.min, range.value.max] : all[1] > all[0] ? all : [all[0] - 1, all[1] + 1]),
                    },
                    y: this.log
                        ? { distr: 3, range: (_plot, min, max) => logRange(min, max) }
                        : { range: (_plot, min, max) => paddedRange(min, max) },
                },
                series: [
                    {},
                    ...this.columns.map((_, i) => ({
                        stroke: curveColor(i, state.theme.value),
                        width: 1.75,
                        paths: drawExtremes,
                        points: { show: few },
                    })),
                ],
            },
            data as uPlot.AlignedData,
            this.frame.plot,
        );
        this.plot.over.append(this.nowLine);
        this.dots = this.columns.slice(0, mostDots).map((_, i) => {
            const dot = element("div", "now-dot");
            dot.style.background = curveColor(i, state.theme.value);
            this.plot?.over.append(dot);
            return dot;
        });
        followPointer(this.plot, this.context);
    }

    private size(): { width: number; height: number } {
        return {
            width: Math.max(this.frame.plot.clientWidth, 120),
            height: Math.max(this.frame.plot.clientHeight, 80),
        };
    }

    private resize(): void {
        const size = this.size();
        if (this.plot && (size.width !== this.plot.width || size.height !== this.plot.height)) {
            this.plot.setSize(size);
            this.update();
        }
    }

    private zoom(): void {
        if (this.plot) {
            this.plot.setData(this.plot.data);
        }
    }

    private save(): void {
        if (this.plot) {
            canvasToPng(this.plot.ctx.canvas, (png) => download("plot.png", png));
        }
    }
}
