// main.ts - puts the page together: data, clock, scene, plots, controls.
// SPDX-License-Identifier: BSD-3-Clause
import type { Scene } from "./data/format";
import { readIndex, Store } from "./data/store";
import { SharedWidth } from "./plots/axes";
import { Panels } from "./plots/panels";
import type { PlotContext, Range } from "./plots/context";
import { Clock } from "./play/clock";
import { Loop } from "./play/loop";
import { probeWebGL } from "./scene/quality";
import { View } from "./scene/view";
import { keepState, type Kept, restoreState, restoreView } from "./state/kept";
import { Signal } from "./state/signal";
import { State } from "./state/state";
import { startStudy } from "./study/page";
import { startWatching, takeKept } from "./state/watch";
import { offerTesting, type Parts } from "./testing";
import { Chooser } from "./ui/chooser";
import { Details } from "./ui/details";
import { startDivider } from "./ui/divider";
import { byId, element } from "./ui/dom";
import { createHeader } from "./ui/header";
import { createHelp } from "./ui/help";
import { listenToKeys } from "./ui/keyboard";
import { createModes } from "./ui/modes";
import { ObjectsDrawer } from "./ui/objects";
import { startTheme } from "./ui/theme";
import { createTransport } from "./ui/transport";
import { ViewControls } from "./ui/view_controls";

const parts: Parts = {
    ready: false, error: null, store: null, clock: null, loop: null, view: null, panels: null,
    scene: null, study: null, state: new State(),
};

/** Says in the page what went wrong. */
function complain(message: string): void {
    parts.error = message;
    const box = byId("message");
    box.textContent = message;
    box.hidden = false;
}

async function createView(stage: HTMLElement, store: Store, clock: Clock, loop: Loop): Promise<void> {
    const { scene, state } = parts;
    if (!scene) {
        return;
    }
    const holder = element("div", "");
    holder.id = "holder";
    stage.append(holder);
    const { works, software } = probeWebGL();
    if (!works) {
        const note = "This browser draws no 3D (WebGL is off or missing): the scene cannot be shown. The plots work.";
        holder.append(element("p", "stage-note", note));
        return;
    }
    await store.load(View.columns(scene));
    try {
        parts.view = new View(scene, store, clock, state, loop, holder, software);
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        complain(`The scene cannot be drawn (${reason}). The plots work.`);
    }
}

/** A scene may consist of wishes for plots only. */
function hasPicture(scene: Scene | null): scene is Scene {
    return scene !== null && scene.bodies.length + scene.lines.length + scene.traces.length > 0;
}

async function start(): Promise<void> {
    const { state } = parts;
    startTheme(state);
    offerTesting(parts);
    const kept = takeKept() as Kept | null;
    const index = readIndex();
    document.title = index.title || document.title;
    const store = new Store(index);
    await store.open();
    if (index.study) {
        parts.store = store;
        parts.study = await startStudy(index, store, state, complain);
        return;
    }
    const clock = new Clock(store.time);
    const loop = new Loop(clock);
    const scene = hasPicture(index.scene) ? index.scene : null;
    if (scene) {
        scene.follow ??= index.traveller ?? null;
    }
    Object.assign(parts, { store, clock, loop, scene });

    const help = createHelp(index);
    const buttons = createHeader(index, state, () => help.showModal());
    const updateTransport = createTransport(clock, store);
    const updateModes = index.method === "modes" ? await createModes(clock, store) : null;
    const chooser = new Chooser(store);
    const context: PlotContext = {
        store, clock, state, complain,
        range: new Signal<Range | null>(null),
        zoomByDrag: new Signal(false),
        axisWidth: new SharedWidth(),
    };
    const panels = new Panels(context, chooser);
    parts.panels = panels;

    let drawer: ObjectsDrawer | null = null;
    let controls: ViewControls | null = null;
    const stage = byId("stage");
    if (scene) {
        startDivider();
        await createView(stage, store, clock, loop);
        const details = new Details(scene, store, clock, state, (name) => panels.plot(name), complain);
        drawer = new ObjectsDrawer(scene, state, details.element);
        stage.append(drawer.element);
        buttons.prepend(drawer.toggleButton);
        if (parts.view) {
            controls = new ViewControls(state, scene, stage);
        }
        loop.onDraw(() => details.update());
    } else {
        document.body.classList.add("no-scene");
    }
    const { view } = parts;
    loop.onDraw((seconds) => view?.draw(seconds));
    loop.onDraw(() => {
        updateTransport();
        updateModes?.();
        panels.update();
    });
    listenToKeys(clock, state, {
        openHelp: () => help.showModal(),
        search: () => (drawer ? drawer.focusSearch() : byId("add-panel").click()),
        escape: () => {
            if (!controls?.close()) {
                if (state.selection.value) {
                    state.selection.set(null);
                } else {
                    drawer?.show(false);
                }
            }
        },
    });
    restoreState(kept, parts);
    await panels.open(kept?.panels ?? null);
    restoreView(kept, parts);
    loop.flush();
    if (index.watch) {
        startWatching(index.watch, () => keepState(parts));
    }
}

start()
    .catch((error: unknown) => complain(error instanceof Error ? error.message : String(error)))
    .finally(() => (parts.ready = true));
