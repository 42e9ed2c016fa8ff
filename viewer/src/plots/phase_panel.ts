// phase_panel.ts - one column against another, with a dot at the time shown.
//
// uPlot draws the axes; the path is drawn by hand, since its abscissa goes back and forth.
// SPDX-License-Identifier: BSD-3-Clause
import uPlot from "uplot";
import type { Values } from "../data/store";
import { curveColor } from "../scene/palette";
import { sample } from "../scene/poses";
import { button, download, element } from "../ui/dom";
import type { Panel, PanelState, PlotContext } from "./context";
import { createAxis, extremes, paddedRange, plotColors } from "./curves";
import { canvasToPng, PanelFrame } from "./frame";

export class PhasePanel implements Panel {
    private readonly frame = new PanelFrame("Phase portrait");
    private readonly observer: ResizeObserver;
    private readonly dot = element("div", "now-dot");
    private plot: uPlot | null = null;
    private columns: Values[] = [];
    private builds = 0;

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
        const seen = Number.isFinite(x + y);
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
        this.element.remove();
    }

    private create(color: string): void {
        const colors = plotColors();
        const { store } = this.context;
        const [x, y] = this.columns.map((column) => extremes(column) ?? [0, 1]);
        const unit = (i: number) => store.columns.get(this.names[i])?.unit ?? "";
        this.plot = new uPlot(
            {
                ...this.size(),
                padding: [10, 24, 0, 0],
                legend: { show: false },
                cursor: { show: false },
                scales: {
                    x: { time: false, range: () => paddedRange(x[0], x[1]) },
                    y: { range: () => paddedRange(y[0], y[1]) },
                },
                axes: [
                    createAxis(colors, unit(0), { size: 26 }),
                    createAxis(colors, unit(1), { size: 64, scale: "y", space: 22 }),
                ],
                series: [{}, { paths: () => null, points: { show: false } }],
                hooks: { draw: [(plot) => this.drawPath(plot, color)] },
            },
            [x, y],
            this.frame.plot,
        );
        this.dot.style.background = color;
        this.plot.over.append(this.dot);
        this.listen(this.plot.over);
    }

    /** Click or drag: the time goes to the frame nearest to the pointer. */
    private listen(over: HTMLElement): void {
        const seek = (event: PointerEvent) => {
            const plot = this.plot;
            if (!plot) {
                return;
            }
            const box = over.getBoundingClientRect();
            const [px, py] = [event.clientX - box.left, event.clientY - box.top];
            let best = Infinity;
            let frame = this.context.clock.frame;
            for (let i = 0; i < this.columns[0].length; i++) {
                const dx = plot.valToPos(this.columns[0][i], "x") - px;
                const dy = plot.valToPos(this.columns[1][i], "y") - py;
                if (dx * dx + dy * dy < best) {
                    best = dx * dx + dy * dy;
                    frame = i;
                }
            }
            this.context.clock.pause();
            this.context.clock.setFrame(frame);
        };
        over.addEventListener("pointerdown", (event) => {
            over.setPointerCapture(event.pointerId);
            seek(event);
        });
        over.addEventListener("pointermove", (event) => {
            if (over.hasPointerCapture(event.pointerId)) {
                seek(event);
            }
        });
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
