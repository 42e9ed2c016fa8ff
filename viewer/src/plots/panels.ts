// panels.ts - the list of panels: what is open first, adding, removing, saving.
// SPDX-License-Identifier: BSD-3-Clause
import type { Chooser } from "../ui/chooser";
import { button, byId, download, element, icon, press } from "../ui/dom";
import type { Panel, PanelState, PlotContext } from "./context";
import { PhasePanel } from "./phase_panel";
import { TimePanel } from "./time_panel";

/** While playing, numbers change at most this often (ms); lines and dots always follow. */
const legendPause = 60;

export class Panels {
    private readonly list: Panel[] = [];
    private readonly holder = element("div", "");
    private lastUpdate = 0;

    constructor(
        private readonly context: PlotContext,
        private readonly chooser: Chooser,
    ) {
        this.holder.id = "panels";
        const outlined = (label: string, id: string, onClick: () => void) => {
            const made = button(label, { text: "" }, onClick);
            made.replaceChildren(icon("plus"), label);
            made.id = id;
            made.classList.add("outlined");
            return made;
        };
        const zoom = button("Drag to zoom (else Shift and drag)", "zoom", () =>
            context.zoomByDrag.set(!context.zoomByDrag.value),
        );
        const save = button("Save the curves as CSV", "download", () => void this.saveCsv());
        const addPanel = () => this.choose(this.addTime([], false));
        const tools = element(
            "div",
            "panel-tools",
            outlined("Plot", "add-panel", addPanel),
            outlined("Phase portrait", "add-phase", () => this.choosePhase(null)),
            zoom,
            save,
        );
        context.zoomByDrag.on((on) => press(zoom, on));
        press(zoom, false);
        byId("side").append(this.holder, tools);
        context.state.theme.on(() => {
            for (const panel of this.list) {
                void panel.rebuild();
            }
        });
    }

    get state(): PanelState[] {
        return this.list.map((panel) => panel.state);
    }

    /** Opens what was open, what the scene asks for, or the first few columns. */
    async open(kept: PanelState[] | null): Promise<void> {
        const { store } = this.context;
        const known = (names: string[]) => names.filter((name) => store.has(name));
        const wanted: PanelState[] = kept ?? this.wishes();
        for (const { kind, names, log } of wanted) {
            if (kind === "time" && (known(names).length || !names.length)) {
                this.addTime(known(names), log);
            } else if (kind === "phase" && known(names).length === 2) {
                this.addPhase(names as [string, string]);
            }
        }
        if (!kept && !this.list.length) {
            this.firstChoice();
        }
        await Promise.all(this.list.map((panel) => panel.rebuild()));
    }

    /** Follows the time shown. */
    update(): void {
        const now = performance.now();
        if (this.context.clock.playing && now - this.lastUpdate < legendPause) {
            return;
        }
        this.lastUpdate = now;
        for (const panel of this.list) {
            panel.update();
        }
    }

    /** Plots a column: in the last panel that has its unit, else in a new one. */
    plot(name: string): void {
        const unit = this.context.store.columns.get(name)?.unit;
        const fits = (panel: Panel) =>
            panel.state.kind === "time" &&
            panel.state.names.every((other) => this.context.store.columns.get(other)?.unit === unit);
        const showing = this.list.find((p) => p.state.kind === "time" && p.state.names.includes(name));
        const panel = showing ?? [...this.list].reverse().find(fits);
        if (panel && panel.state.names.length < 6) {
            panel.toggle(name);
            panel.element.scrollIntoView({ block: "nearest" });
        } else {
            const added = this.addTime([name], false);
            void added.rebuild();
            added.element.scrollIntoView({ block: "nearest" });
        }
    }

    private wishes(): PanelState[] {
        const scene = this.context.store.index.scene;
        const plots = (scene?.plots ?? []).map((names) => ({ kind: "time" as const, names, log: false }));
        const phase = (scene?.phase ?? []).map((names) => ({ kind: "phase" as const, names, log: false }));
        return [...plots, ...phase];
    }

    /** Without wishes: the first columns, one panel for each unit. */
    private firstChoice(): void {
        const byUnit = new Map<string, string[]>();
        const alone = !this.context.store.index.scene;
        for (const column of this.context.store.index.columns.slice(1, 13)) {
            const names = byUnit.get(column.unit) ?? [];
            if (names.length < 4) {
                names.push(column.name);
            }
            byUnit.set(column.unit, names);
        }
        for (const names of [...byUnit.values()].slice(0, alone ? 5 : 3)) {
            this.addTime(names, false);
        }
        const [, x, y] = this.context.store.index.columns;
        if (alone && x && y) {
            this.addPhase([x.name, y.name]);
        }
        if (!this.list.length) {
            this.addTime([], false);
        }
    }

    private addTime(names: string[], log: boolean): TimePanel {
        const panel = new TimePanel(this.context, names, log, {
            choose: (one) => this.choose(one),
            remove: (one) => this.remove(one),
        });
        this.add(panel);
        return panel;
    }

    private addPhase(names: [string, string]): PhasePanel {
        const panel = new PhasePanel(this.context, names, {
            choose: (one) => this.choosePhase(one),
            remove: (one) => this.remove(one),
        });
        this.add(panel);
        return panel;
    }

    private add(panel: Panel): void {
        this.list.push(panel);
        this.holder.append(panel.element);
    }

    private remove(panel: Panel): void {
        this.list.splice(this.list.indexOf(panel), 1);
        panel.destroy();
    }

    private choose(panel: TimePanel): void {
        void panel.rebuild();
        this.chooser.open({
            title: "Variables to plot",
            selected: () => panel.state.names,
            pick: (name) => panel.toggle(name),
            closed: () => {
                if (!panel.state.names.length && this.list.length > 1 && this.list.includes(panel)) {
                    this.remove(panel);
                }
            },
        });
    }

    private choosePhase(panel: PhasePanel | null): void {
        this.chooser.open({
            title: "Phase portrait: horizontal axis",
            selected: () => [],
            pick: (first) => {
                this.chooser.open({
                    title: `Phase portrait: vertical axis over ${first}`,
                    selected: () => [first],
                    pick: (second) => {
                        this.chooser.close();
                        if (panel) {
                            panel.setNames([first, second]);
                        } else {
                            const added = this.addPhase([first, second]);
                            void added.rebuild();
                            added.element.scrollIntoView({ block: "nearest" });
                        }
                    },
                });
            },
        });
    }

    /** All columns of all panels, with time first, as CSV. */
    private async saveCsv(): Promise<void> {
        const { store } = this.context;
        const time = store.timeColumn.name;
        const names = [...new Set([time, ...this.list.flatMap((panel) => panel.state.names)])];
        await store.load(names);
        const columns = names.map((name) => store.get(name)).filter((c) => c !== null);
        const quote = (name: string) => (/[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
        const lines = [names.map(quote).join(",")];
        for (let i = 0; i < store.rows; i++) {
            lines.push(columns.map((column) => String(column[i])).join(","));
        }
        download("curves.csv", new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
    }
}
