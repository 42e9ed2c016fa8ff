// curves.ts - columns as uPlot wants them, ranges, and colours by the theme.
//
// uPlot itself draws only the extremes of what falls into one column of pixels.
// SPDX-License-Identifier: BSD-3-Clause
import type uPlot from "uplot";
import type { Values } from "../data/store";

/** Values to draw: what is not finite (or, on a log axis, not positive) is a gap. */
export function drawable(values: Values, log: boolean, reverse: boolean): uPlot.AlignedData[1] {
    let clean = true;
    for (let i = 0; i < values.length && clean; i++) {
        clean = Number.isFinite(values[i]) && (!log || values[i] > 0);
    }
    if (clean && !reverse) {
        return values as Float64Array;
    }
    const out = Array.from(values, (v) => (Number.isFinite(v) && (!log || v > 0) ? v : null));
    return reverse ? out.reverse() : out;
}

export interface PlotColors {
    text: string;
    quiet: string;
    line: string;
}

export function plotColors(): PlotColors {
    const style = getComputedStyle(document.documentElement);
    const get = (name: string) => style.getPropertyValue(name).trim();
    return { text: get("--text"), quiet: get("--quiet"), line: get("--line") };
}

/** The range of numbers with a margin; a constant gets room around it. */
export function paddedRange(min: number | null, max: number | null): [number, number] {
    if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) {
        return [0, 1];
    }
    const span = max - min;
    const least = 1e-7 * Math.max(Math.abs(min), Math.abs(max));
    if (!(span > least)) {
        const room = Math.max(Math.abs(max) * 0.1, 1e-12) || 1;
        return max === 0 && min === 0 ? [-1, 1] : [min - room, max + room];
    }
    return [min - 0.06 * span, max + 0.06 * span];
}

/** Powers of ten around positive numbers. */
export function logRange(min: number | null, max: number | null): [number, number] {
    if (min === null || max === null || !(min > 0) || !(max > 0)) {
        return [0.1, 1];
    }
    const low = 10 ** Math.floor(Math.log10(min) + 1e-9);
    const high = 10 ** Math.ceil(Math.log10(max) - 1e-9);
    return high > low ? [low, high] : [low, 10 * low];
}

/** Smallest and largest finite value. */
export function extremes(values: Values): [number, number] | null {
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < values.length; i++) {
        const v = values[i];
        if (v < min && v > -Infinity) {
            min = v;
        }
        if (v > max && v < Infinity) {
            max = v;
        }
    }
    return min <= max ? [min, max] : null;
}
