// table.ts - members as a table, a page at a time, sorted by any column: for readers of numbers, keyboards and screen
// readers. The number of a member is a button that chooses it.
// SPDX-License-Identifier: BSD-3-Clause
import { button, element, press } from "../ui/dom";
import { formatNumber, withUnit } from "../ui/numbers";
import type { Members } from "./members";

const size = 25;

export class MemberTable {
    readonly element: HTMLElement;
    private readonly body = element("tbody", "");
    private readonly where = element("output", "quiet");
    private readonly order: number[];
    private first = 0;
    private sorted = -1;
    private rising = true;
    private onlyLost = false;

    constructor(private readonly members: Members) {
        this.order = Array.from({ length: members.count }, (_, row) => row);
        const head = element("tr", "", this.heading("member", -1));
        members.variables.forEach((v, i) => head.append(this.heading(withUnit(v.name, v.unit && `in ${v.unit}`), i)));
        head.append(element("th", "", "ended"));
        const lost = this.order.filter((row) => members.isLost(row)).length;
        const only = button("Only members without a result", { text: `${lost} without a result` }, () => {
            this.onlyLost = !this.onlyLost;
            press(only, this.onlyLost);
            this.go(0);
        });
        only.id = "only-lost";
        press(only, false);
        only.disabled = lost === 0;
        this.element = element("section", "study-part", element("div", "study-head", element("h2", "", "Members"), only,
            button("Members before", "previous", () => this.go(this.first - size)), this.where,
            button("Members behind", "next", () => this.go(this.first + size))),
            element("div", "study-table", element("table", "", element("thead", "", head), this.body)));
        this.element.id = "members";
        this.go(0);
    }

    /** The member before or behind the chosen one, in the order of the table. */
    step(by: number): void {
        const rows = this.rows();
        const at = rows.indexOf(this.members.chosen.value.at(-1) ?? -1);
        const next = Math.min(Math.max(at + by, 0), rows.length - 1);
        if (rows.length) {
            this.first = Math.floor(next / size) * size;
            this.members.choose(rows[next], false);
        }
    }

    show(): void {
        const { members } = this;
        const rows = this.rows();
        const shown = rows.slice(this.first, this.first + size);
        this.where.textContent = rows.length ? `${this.first + 1} to ${this.first + shown.length} of ${rows.length}` : "none";
        this.body.replaceChildren(...shown.map((row) => {
            const number = String(members.number(row));
            const choose = button(`Member ${number}`, { text: number }, () => {});
            choose.addEventListener("click", (event) => members.choose(row, event.shiftKey || event.ctrlKey || event.metaKey));
            press(choose, members.chosen.value.includes(row));
            const cells = members.variables.map((v) => element("td", "", Number.isFinite(v.values[row]) ? formatNumber(v.values[row]) : "\u2013"));
            const reason = members.reason(row);
            return element("tr", members.isLost(row) ? "lost" : "", element("td", "", choose), ...cells,
                element("td", "why", members.ended(row) + (reason ? `: ${reason}` : "")));
        }));
    }

    private rows(): number[] {
        return this.onlyLost ? this.order.filter((row) => this.members.isLost(row)) : this.order;
    }

    private go(first: number): void {
        this.first = first >= 0 && first < this.rows().length ? first : first < 0 ? 0 : this.first;
        this.show();
    }

    private heading(text: string, column: number): HTMLElement {
        const sort = button(`Sort by ${text}`, { text }, () => {
            this.rising = this.sorted === column ? !this.rising : true;
            this.sorted = column;
            const value = (row: number) => (column < 0 ? row : this.members.variables[column].values[row]);
            this.order.sort((a, b) => {
                const [x, y] = [value(a), value(b)];
                const known = Number(Number.isFinite(y)) - Number(Number.isFinite(x)); // what has no value comes last
                return known || (this.rising ? x - y : y - x) || a - b;
            });
            this.element.querySelectorAll("th").forEach((th) => th.removeAttribute("aria-sort"));
            cell.setAttribute("aria-sort", this.rising ? "ascending" : "descending");
            this.go(0);
        });
        const cell = element("th", "", sort);
        return cell;
    }
}
