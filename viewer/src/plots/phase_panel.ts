// phase_panel.ts - one column against another, with a dot at the time shown.
//
// uPlot draws the axes; the path is drawn by hand, since its abscissa goes back and forth.
// SPDX-License-Identifier: BSD-3-Clause
import uPlot from "uplot";
import type { Values } from "../data/store";
import { curveColor } from "../scene/palette";
import { sample } from "../scene/poses";
import { button, download, element } from "../ui/dom";
import { createAxes } from "./axes";
import type { Panel, PanelState, PlotContext } from "./context";
import { extremes, paddedRange, plotColors } from "./curves";
import { canvasToPng, PanelFrame } from "./frame";
import { type Area, followPhasePointer } from "./phase_pointer";

export class PhasePanel implements Panel {
    private readonly frame = new PanelFrame("Phase portrait");
    private readonly observer: ResizeObserver;
    private readonly dot = element("div", "now-dot");
    private plot: uPlot | null = null;
    private columns: Values[] = [];
    private builds = 0;
    /** The part that is shown; null: all of it. */
    private area: Area | null = null;

    constructor(
        private readonly context: PlotContext,
        private names: [string, string],
        private readonly actions: { choose(panel: PhasePanel): void; remove(panel: PhasePanel): void },
    ) {
        this.element.classList.add("phase");
        this.frame.addButton(button("Choose the two variables", "plus", () => actions.choose(this)), "panel-add");
        this.frame.addButton(button("Save as picture", "download", () => this.save()), "panel-save");
        this.frame.addButton(button("Remove this panel", "close", () => this.actions.remove(this)), "panel-remove");
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(this.frame.plot);
        context.axisWidth.follow(this, () => this.plot?.redraw(false, true));
    }

    get element(): HTMLElement {
        return this.frame.element;
    }
    get state(): PanelState {
        return { kind: "phase", names: [...this.names], log: false };
    }

    /** Sets both columns. */
    setNames(names: [string, string]): void {
        this.names = names;
        this.area = null;
        void this.rebuild();
    }

    toggle(name: string): void {
        this.setNames([this.names[1], name]);
    }

    async rebuild(): Promise<void> {
        const build = ++this.builds;
        const { store, state } = this.context;
        try {
            await store.load(this.names);
        } catch (error) {
            this.context.complain(error instanceof Error ? error.message : String(error));
            return;
        }
        if (build !== this.builds) {
            return;
        }
        this.columns = this.names.map((name) => store.get(name)).filter((c) => c !== null);
        this.plot?.destroy();
        this.plot = null;
        const color = curveColor(0, state.theme.value);
        this.frame.setLegend(
            this.names.map((name, i) => ({
                name: i ? `\u2191 ${name}` : `\u2192 ${name}`,
                unit: store.columns.get(name)?.unit ?? "",
                description: store.columns.get(name)?.description ?? "",
                color,
            })),
        );
        this.frame.setNote(this.columns.length === 2 ? null : "Choose two variables with +");
        if (this.columns.length === 2) {
            this.create(color);
        }
        this.update();
    }

    update(): void {
        const { clock } = this.context;
        const numbers = this.columns.map((column) => sample(column, clock.frame, clock.fraction));
        this.frame.setValues(numbers);
        if (!this.plot || numbers.length < 2) {
            return;
        }
        const x = this.plot.valToPos(numbers[0], "x");
        const y = this.plot.valToPos(numbers[1], "y");
        const { clientWidth, clientHeight } = this.plot.over;
        const seen = x >= 0 && x <= clientWidth && y >= 0 && y <= clientHeight;
        this.dot.style.display = seen ? "" : "none";
        if (seen) {
            this.dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        }
    }

    destroy(): void {
        this.builds++;
        this.observer.disconnect();
        this.plot?.destroy();
        this.plot = null;
        this.context.axisWidth.leave(this);
        this.element.remove();
    }

    private create(color: string): void {
        const colors = plotColors();
        const { store } = this.context;
        const [x, y] = this.columns.map((column) => extremes(column) ?? [0, 1]);
        const all: Area = { x: paddedRange(x[0], x[1]), y: paddedRange(y[0], y[1]) };
        const [across, up] = this.names.map((name) => store.columns.get(name)?.unit ?? "");
        const { axes, padding, caption } = createAxes({
            colors, units: [across, up], log: false, width: this.context.axisWidth, panel: this,
        });
        this.plot = new uPlot(
            {
                ...this.size(),
                axes,
                padding,
                legend: { show: false },
                cursor: { show: false },
                scales: {
                    x: { time: false, range: () => (this.area ?? all).x },
                    y: { range: () => (this.area ?? all).y },
                },
                series: [{}, { paths: () => null, points: { show: false } }],
                hooks: { draw: [(plot) => this.drawPath(plot, color), caption, () => this.update()] },
            },
            [x, y],
            this.frame.plot,
        );
        this.dot.style.background = color;
        this.plot.over.append(this.dot);
        followPhasePointer(this.plot, this.context, {
            all,
            seek: (left, top) => this.seek(left, top),
            zoom: (area) => {
                this.area = area;
                this.plot?.setData(this.plot.data);
            },
        });
    }

    /** The time goes to the frame nearest to a point of the plot. */
    private seek(left: number, top: number): void {
        const { plot } = this;
        if (!plot) {
            return;
        }
        let best = Infinity;
        let frame = this.context.clock.frame;
        for (let i = 0; i < this.columns[0].length; i++) {
            const dx = plot.valToPos(this.columns[0][i], "x") - left;
            const dy = plot.valToPos(this.columns[1][i], "y") - top;
            if (dx * dx + dy * dy < best) {
                best = dx * dx + dy * dy;
                frame = i;
            }
        }
        this.context.clock.pause();
        this.context.clock.setFrame(frame);
    }

    private drawPath(plot: uPlot, color: string): void {
        const pen = plot.ctx;
        const [x, y] = this.columns;
        pen.save();
        pen.beginPath();
        pen.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
        pen.clip();
        pen.beginPath();
        pen.strokeStyle = color;
        pen.lineWidth = 1.75 * (window.devicePixelRatio || 1);
        pen.lineJoin = "round";
        let down = false;
        let lastX = NaN;
        let lastY = NaN;
        for (let i = 0; i < x.length; i++) {
            const px = plot.valToPos(x[i], "x", true);
            const py = plot.valToPos(y[i], "y", true);
            if (!Number.isFinite(px + py)) {
                down = false;
                continue;
            }
            // Steps below a third of a pixel are not drawn.
            if (down && Math.abs(px - lastX) < 0.35 && Math.abs(py - lastY) < 0.35) {
                continue;
            }
            if (down) {
                pen.lineTo(px, py);
            } else {
                pen.moveTo(px, py);
            }
            down = true;
            lastX = px;
            lastY = py;
        }
        pen.stroke();
        pen.restore();
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

    private save(): void {
        if (this.plot) {
            canvasToPng(this.plot.ctx.canvas, (png) => download("phase.png", png));
        }
    }
}
