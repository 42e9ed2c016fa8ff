// store.ts - the columns of the page by name; blocks are decoded when first needed.
//
// Names come from the user's model: they are keys of Maps only, so that a column may be called
// `__proto__` or anything else.
// SPDX-License-Identifier: BSD-3-Clause
import { decodeBase64, decodeColumn32, decodeColumn64, inflate } from "./decode";
import type { Block, Column, PageIndex } from "./format";

export type Values = Float32Array | Float64Array;

export class Store {
    readonly rows: number;
    /** Column 0: the independent variable. */
    time: Float64Array = new Float64Array(0);
    /** All columns with data, by name; the first of equal names wins. */
    readonly columns = new Map<string, Column>();
    private readonly blocks: Block[];
    private readonly decoded = new Map<number, Promise<Values[]>>();
    private readonly held = new Map<number, Values[]>();

    constructor(readonly index: PageIndex) {
        this.rows = index.rows;
        this.blocks = index.blocks;
        for (const column of index.columns) {
            if (!this.columns.has(column.name)) {
                this.columns.set(column.name, column);
            }
        }
    }

    get timeColumn(): Column {
        return this.index.columns[0];
    }

    /** Decodes the time column; must be awaited before anything else. */
    async open(): Promise<void> {
        const time = await this.block(0);
        this.time = time[0] instanceof Float64Array ? time[0] : Float64Array.from(time[0]);
    }

    has(name: string): boolean {
        return this.columns.has(name);
    }

    /** Makes the columns ready for `get`; names without data are passed over. */
    async load(names: Iterable<string>): Promise<void> {
        const numbers = new Set<number>();
        for (const name of names) {
            const column = this.columns.get(name);
            if (column) {
                numbers.add(column.block);
            }
        }
        await Promise.all([...numbers].map((number) => this.block(number)));
    }

    /** A column that was loaded, or null. */
    get(name: string): Values | null {
        const column = this.columns.get(name);
        return column ? (this.held.get(column.block)?.[column.slot] ?? null) : null;
    }

    /** A column, decoded now if need be. */
    async values(name: string): Promise<Values> {
        await this.load([name]);
        const values = this.get(name);
        if (!values) {
            throw new Error(`there is no column '${name}'`);
        }
        return values;
    }

    private block(number: number): Promise<Values[]> {
        let promise = this.decoded.get(number);
        if (!promise) {
            promise = this.decode(number);
            this.decoded.set(number, promise);
        }
        return promise;
    }

    private async decode(number: number): Promise<Values[]> {
        const columns = await decodeBlock("block", number, this.blocks[number], this.rows);
        this.held.set(number, columns);
        return columns;
    }
}

/** The columns of a data element, which is given up. */
export async function decodeBlock(kind: "block" | "course", number: number, block: Block | undefined, rows: number): Promise<Values[]> {
    const element = document.getElementById(`crank-${kind}-${number}`);
    if (!block || !element) {
        throw new Error(`The page is damaged: ${kind} ${number} of its data is missing.`);
    }
    const width = block.type === "f64" ? 8 : 4;
    const step = width * rows;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
        const packed = decodeBase64(element.textContent ?? "");
        element.remove();
        bytes = await inflate(packed, step * block.columns);
    } catch (error) {
        const reason = error instanceof Error && error.message ? error.message : String(error);
        throw new Error(`The page is damaged: ${kind} ${number} of its data cannot be decoded (${reason}).`);
    }
    const decode = width === 8 ? decodeColumn64 : decodeColumn32;
    return Array.from({ length: block.columns }, (_, i) => decode(bytes, i * step, rows));
}

/** Colours reach style sheets, where other texts could ask for files: what is not #rrggbb counts as not given. */
function checkColors(scene: PageIndex["scene"]): void {
    const painted: { color?: string | null }[] = [
        ...(scene?.bodies ?? []),
        ...(scene?.bodies ?? []).flatMap((body) => body.shapes),
        ...(scene?.lines ?? []),
        ...(scene?.traces ?? []),
    ];
    for (const part of painted) {
        if (!/^#[0-9a-f]{6}$/i.test(part.color ?? "")) {
            delete part.color;
        }
    }
}

/** Reads the index from the page; throws in plain words what is wrong. */
export function readIndex(): PageIndex {
    const element = document.getElementById("crank-index");
    if (!element) {
        throw new Error(
            "This file is the empty template: crank view RESULT -o PAGE.html puts a result into it.",
        );
    }
    let index: PageIndex;
    try {
        index = JSON.parse(element.textContent ?? "") as PageIndex;
    } catch {
        throw new Error("The page is damaged: the index of its data cannot be read.");
    }
    element.remove();
    if (index.format !== 1) {
        throw new Error(
            `The page's data have format ${String(index.format)}; this viewer reads format 1.`,
        );
    }
    if (!Array.isArray(index.columns) || !index.columns.length || !Array.isArray(index.blocks)) {
        throw new Error("The page is damaged: its index names no columns.");
    }
    checkColors(index.scene);
    return index;
}
