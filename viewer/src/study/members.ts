// members.ts - the members of a study: values, how they ended, courses over time; which are chosen.
// SPDX-License-Identifier: BSD-3-Clause
import type { PageIndex, StudyIndex } from "../data/format";
import { decodeBlock, type Store, type Values } from "../data/store";
import { Signal } from "../state/signal";

const words = new Map([[-1, "not run"], [0, "done"], [1, "stopped by an event"], [2, "failed"], [3, "too slow"]]);
/** Members whose courses are compared at most: as many as there are colours. */
export const mostChosen = 8;

export interface Variable {
    name: string;
    unit: string;
    values: Values;
    min: number;
    max: number;
}

export class Members {
    readonly count: number;
    readonly study: StudyIndex;
    /** Factors, then what was kept of whole runs. */
    readonly variables: Variable[] = [];
    readonly factors: number;
    readonly chosen = new Signal<readonly number[]>([]);
    private readonly status: Values;
    private readonly run: Float64Array;
    private readonly blocks = new Map<number, Promise<Values[]>>();

    private constructor(index: PageIndex, store: Store) {
        this.study = index.study as StudyIndex;
        this.count = store.rows;
        this.factors = this.study.factors;
        this.run = store.time;
        this.status = store.get("status") ?? new Float32Array(this.count);
        for (const column of index.columns.slice(1)) {
            const values = store.get(column.name);
            if (values && column.name !== "status" && column.name !== "rows") {
                let [min, max] = [Infinity, -Infinity];
                for (const v of values) {
                    if (Number.isFinite(v)) {
                        min = Math.min(min, v);
                        max = Math.max(max, v);
                    }
                }
                this.variables.push({ name: column.name, unit: column.unit, values, min, max });
            }
        }
    }

    static async open(index: PageIndex, store: Store): Promise<Members> {
        await store.load(index.columns.map((column) => column.name));
        return new Members(index, store);
    }

    /** Number of the member in the study; row: in the page. */
    number(row: number): number {
        return this.run[row];
    }
    ended(row: number): string {
        return words.get(this.status[row]) ?? "not known";
    }
    /** Failed, too slow or not run: it has no values. */
    isLost(row: number): boolean {
        return this.status[row] !== 0 && this.status[row] !== 1;
    }
    reason(row: number): string {
        return this.study.reasons[String(this.number(row))] ?? "";
    }

    /** Chooses a member alone, or adds it to the others, or takes it away. */
    choose(row: number, add: boolean): void {
        const before = this.chosen.value;
        const others = before.filter((other) => other !== row);
        const next = !add ? [row] : others.length < before.length ? others : [...before, row].slice(-mostChosen);
        this.chosen.set(next);
    }

    /** The shell's command that runs the member. */
    command(row: number): string | null {
        const sets = this.variables.slice(0, this.factors).map((v) => `--set ${v.name.replace(/^vary\./, "")}=${v.values[row]}`);
        return this.study.command === null ? null
            : `${this.study.command} ${sets.join(" ")} --html run-${this.number(row)}.html`;
    }

    /** Column k over time; null: not in the page. */
    async course(row: number, k: number): Promise<Values | null> {
        const { study } = this;
        const member = this.number(row);
        const wanted = k * study.members_kept + member;
        let first = 0;
        for (let b = 0; b < study.blocks.length && member < study.members_kept; b++) {
            const { courses, type } = study.blocks[b];
            if (wanted < first + courses) {
                let block = this.blocks.get(b);
                if (!block) {
                    block = decodeBlock("course", b, { columns: courses, type }, study.times.length);
                    this.blocks.set(b, block);
                }
                return (await block)[wanted - first];
            }
            first += courses;
        }
        return null;
    }
}
