// ticks.ts - numbers along an axis: as short as they can be, with what they have in common
// (a power of ten, the unit) written once.
// SPDX-License-Identifier: BSD-3-Clause

export interface Ticks {
    texts: string[];
    /** What all numbers are to be multiplied by, such as "\u00d710\u00b3"; "" for none. */
    factor: string;
}

/** Numbers from `small` to below `large` are written as they are. */
const small = 1e-3;
const large = 1e5;
/** A tick that near to 0, as part of the largest one, is meant to be 0. */
const nothing = 1e-9;

const raised = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

/** 10 to the power n, with raised digits. */
export function powerOfTen(n: number): string {
    const digits = [...String(Math.abs(n))].map((digit) => raised[Number(digit)]).join("");
    return `10${n < 0 ? "\u207b" : ""}${digits}`;
}

function plain(value: number, digits: number): string {
    const text = value.toFixed(digits);
    return (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "\u2212");
}

/** Digits after the point that tell numbers this far apart from each other. */
function digitsFor(step: number): number {
    for (let digits = 0; digits < 12; digits++) {
        const scaled = step * 10 ** digits;
        if (scaled > 0.5 && Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(scaled, 1)) {
            return digits;
        }
    }
    return 12;
}

/** Evenly spaced numbers; what is null stays empty. */
export function linearTicks(splits: (number | null)[]): Ticks {
    const numbers = splits.filter((split): split is number => typeof split === "number" && Number.isFinite(split));
    const most = Math.max(...numbers.map(Math.abs), 0);
    if (!(most > 0)) {
        return { texts: splits.map((split) => (split === null ? "" : "0")), factor: "" };
    }
    const exponent = Math.floor(Math.log10(most) + 1e-9);
    const power = most < small || most >= large ? 3 * Math.floor(exponent / 3) : 0;
    const scale = 10 ** power;
    const steps = numbers.slice(1).map((number, i) => Math.abs(number - numbers[i])).filter((step) => step > 0);
    const digits = digitsFor((steps.length ? Math.min(...steps) : most) / scale);
    const text = (split: number) => plain(Math.abs(split) < nothing * most ? 0 : split / scale, digits);
    return {
        texts: splits.map((split) => (split === null || split === undefined ? "" : text(split))),
        factor: power ? `\u00d7${powerOfTen(power)}` : "",
    };
}

/** Numbers on a logarithmic axis: powers of ten, and what stands between them. */
export function logTicks(splits: (number | null)[]): Ticks {
    const text = (value: number) => {
        const exponent = Math.floor(Math.log10(value) + 1e-9);
        const lead = value / 10 ** exponent;
        if (exponent >= -3 && exponent <= 4) {
            return plain(value, Math.max(-exponent, 0));
        }
        const whole = Math.round(lead);
        return whole === 1 ? powerOfTen(exponent) : `${whole}\u00b7${powerOfTen(exponent)}`;
    };
    return {
        texts: splits.map((split) => (typeof split === "number" && split > 0 ? text(split) : "")),
        factor: "",
    };
}
