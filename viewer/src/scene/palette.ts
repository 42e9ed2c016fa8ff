// palette.ts - colours of bodies and curves.
// SPDX-License-Identifier: BSD-3-Clause
import type { Theme } from "../state/state";
import type { Body } from "../data/format";
import type { Rgb } from "./batch";

/** Distinct, also for most colour-blind readers, on light and on dark ground. */
const bodies = [
    "#4c78a8", "#e4843a", "#54a24b", "#b279a2", "#72a8a6", "#d6604d",
    "#c9a227", "#8c6bb1", "#6b8e9f", "#9d755d",
];

const curves: Record<Theme, string[]> = {
    light: ["#2f6db5", "#d9661f", "#2c8a43", "#a1459b", "#b58900", "#c0392b", "#16919a", "#6c5ce7"],
    dark: ["#6cb2f7", "#ff9d57", "#6fd08c", "#dc8fdb", "#e9c46a", "#ff7b72", "#58d0d8", "#a99cff"],
};

/** Colour number of what has none: lines, paths. */
export function bodyColor(number: number): string {
    return bodies[number % bodies.length];
}

/** The colour of a body: its own, or that of its part. */
export function colorOf(body: Body, number: number): string {
    return body.color ?? bodyColor(body.part ?? number);
}

export function curveColor(number: number, theme: Theme): string {
    const list = curves[theme];
    return list[number % list.length];
}

/** "#rgb" or "#rrggbb" as numbers in 0 .. 1; anything else is grey. */
export function parseColor(text: string): Rgb {
    const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
    const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(text);
    const parts = long ?? short;
    if (!parts) {
        return [0.6, 0.6, 0.6];
    }
    const scale = long ? 255 : 15;
    return [1, 2, 3].map((k) => parseInt(parts[k], 16) / scale) as Rgb;
}

/** Colours of the scene that depend on the theme. */
export interface SceneColors {
    background: string;
    shadow: string;
    grid: string;
    accent: Rgb;
}

export const sceneColors: Record<Theme, SceneColors> = {
    light: { background: "#f4f6f9", shadow: "#d6dbe2", grid: "#9aa7b8", accent: [1.0, 0.62, 0.1] },
    dark: { background: "#14181f", shadow: "#0a0d11", grid: "#4a5666", accent: [1.0, 0.7, 0.2] },
};

/** Glyphs stand out on both grounds. */
export const glyphColors = {
    metal: [0.42, 0.46, 0.52] as Rgb,
    pin: [0.92, 0.93, 0.95] as Rgb,
    ground: [0.55, 0.58, 0.62] as Rgb,
    spring: [0.25, 0.6, 0.45] as Rgb,
    damper: [0.45, 0.5, 0.58] as Rgb,
    force: [0.86, 0.26, 0.22] as Rgb,
    reaction: [0.55, 0.3, 0.8] as Rgb,
    torque: [0.8, 0.45, 0.1] as Rgb,
    contact: [0.95, 0.75, 0.1] as Rgb,
    actuator: [0.75, 0.55, 0.2] as Rgb,
};
