// numbers.ts - numbers as short text.
// SPDX-License-Identifier: BSD-3-Clause

/** Five significant digits, as short as they can be. */
export function formatNumber(value: number): string {
    if (!Number.isFinite(value)) {
        return String(value);
    }
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e5 || size < 1e-4)) {
        const [lead, power] = value.toExponential(4).split("e");
        return `${trim(lead)}e${Number(power)}`.replace("-", "\u2212");
    }
    return trim(value.toPrecision(5)).replace("-", "\u2212");
}

function trim(text: string): string {
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Digits after the point that tell neighbouring frames apart. */
export function timeDigits(times: ArrayLike<number>): number {
    const count = times.length;
    if (count < 2) {
        return 3;
    }
    const step = Math.abs(times[count - 1] - times[0]) / (count - 1);
    return step > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(step)), 0) + 1, 12) : 3;
}

/** The number with its unit; "1" and "" are no units worth writing. */
export function withUnit(text: string, unit: string): string {
    return unit && unit !== "1" ? `${text} ${unit}` : text;
}
