// axes.ts - axes in the page's colours, as wide as their numbers; all panels share one width, so
// that equal times lie below each other.
// SPDX-License-Identifier: BSD-3-Clause
import type uPlot from "uplot";
import type { PlotColors } from "./curves";
import { linearTicks, logTicks } from "./ticks";

const axisFont = "11px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
const gap = 6;
const leastWidth = 44;
const mostWidth = 120;
/** Room above the plot: for half a number, or for a line of text. */
const plainTop = 10;
const captionTop = 19;

const ruler = document.createElement("canvas").getContext("2d");

function widthOf(texts: readonly string[]): number {
    if (!ruler) {
        return 0;
    }
    ruler.font = axisFont;
    return Math.max(0, ...texts.map((text) => ruler.measureText(text).width));
}

/** The width that the vertical axes of all panels have. */
export class SharedWidth {
    private readonly wishes = new Map<object, number>();
    private readonly listeners = new Map<object, () => void>();

    get value(): number {
        return Math.max(leastWidth, ...this.wishes.values());
    }

    /** A panel says what it needs; the others follow if that changes the width of all. */
    wish(panel: object, width: number): void {
        const before = this.value;
        this.wishes.set(panel, Math.min(Math.ceil(width), mostWidth));
        this.tell(before, panel);
    }

    follow(panel: object, listener: () => void): void {
        this.listeners.set(panel, listener);
    }

    leave(panel: object): void {
        const before = this.value;
        this.wishes.delete(panel);
        this.listeners.delete(panel);
        this.tell(before, panel);
    }

    private tell(before: number, panel: object): void {
        if (this.value !== before) {
            for (const [other, listener] of this.listeners) {
                if (other !== panel) {
                    // Not now: uPlot is in the midst of its layout.
                    requestAnimationFrame(listener);
                }
            }
        }
    }
}

export interface AxesOptions {
    colors: PlotColors;
    units: [across: string, up: string];
    log: boolean;
    width: SharedWidth;
    panel: object;
}

export interface Axes {
    axes: uPlot.Axis[];
    padding: uPlot.Padding;
    /** Draws what stands above the vertical axis. */
    caption: (plot: uPlot) => void;
}

/** Axes, padding and a hook for uPlot: the last number carries the unit; where numbers have a
 *  factor in common, both stand above the vertical axis and at the end of the other. */
export function createAxes(options: AxesOptions): Axes {
    const { colors, log, width, panel } = options;
    const [across, up] = options.units.map((unit) => (unit === "1" ? "" : unit));
    let caption = "";
    let right = 24;
    const common = { stroke: colors.quiet, font: axisFont, grid: { stroke: colors.line, width: 1 }, ticks: { show: false }, gap };
    const withLast = (texts: string[], more: string): string[] => {
        const last = texts.reduce((found, text, i) => (text ? i : found), -1);
        return texts.map((text, i) => (i === last && more ? `${text} ${more}` : text));
    };
    const horizontal: uPlot.Axis = {
        ...common,
        size: 26,
        values: (_plot, splits) => {
            const { texts, factor } = linearTicks(splits);
            const all = withLast(texts, [factor, across].filter((part) => part).join(" "));
            right = Math.max(24, 0.5 * widthOf(all.slice(-2)) + 4);
            return all;
        },
    };
    const vertical: uPlot.Axis = {
        ...common,
        scale: "y",
        space: (plot) => Math.min(Math.max(plot.height / 8, 22), 44),
        values: (_plot, splits) => {
            const { texts, factor } = log ? logTicks(splits) : linearTicks(splits);
            caption = factor ? [factor, up].filter((part) => part).join(" ") : "";
            return factor ? texts : withLast(texts, up);
        },
        size: (_plot, values) => {
            width.wish(panel, widthOf([...(values ?? []), caption]) + gap + 4);
            return width.value;
        },
    };
    return {
        axes: [horizontal, vertical],
        padding: [() => (caption ? captionTop : plainTop), () => right, 0, 0],
        caption: (plot) => {
            if (!caption) {
                return;
            }
            const pen = plot.ctx;
            const ratio = plot.bbox.width / plot.over.clientWidth || 1;
            pen.save();
            pen.font = axisFont.replace("11px", `${11 * ratio}px`);
            pen.fillStyle = colors.quiet;
            pen.textAlign = "right";
            pen.textBaseline = "bottom";
            pen.fillText(caption, plot.bbox.left - gap * ratio, plot.bbox.top - 7 * ratio);
            pen.restore();
        },
    };
}
