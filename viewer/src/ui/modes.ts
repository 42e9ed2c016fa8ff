// modes.ts - the page of modes (crank linearize --html): which one moves, with its frequency and damping.
// SPDX-License-Identifier: BSD-3-Clause
import type { Store } from "../data/store";
import { frameAt, type Clock } from "../play/clock";
import { byId, element } from "./dom";
import { formatNumber } from "./numbers";

/** The name of a mode in the list. */
export function modeText(number: number, frequency: number, damping: number): string {
    const hertz = `${number}: ${formatNumber(Number(frequency.toPrecision(4)))} Hz`;
    return Math.abs(damping) < 5e-4 ? hertz : `${hertz}, damping ${formatNumber(Number(damping.toPrecision(3)))}`;
}

/** A list of modes beside the time, of results whose time counts them; each is played on its own. */
export async function createModes(clock: Clock, store: Store): Promise<() => void> {
    const frequency = await store.values("mode.frequency");
    const damping = await store.values("mode.damping");
    const choose = element("select", "");
    choose.id = "mode";
    choose.title = "Mode";
    choose.setAttribute("aria-label", "Mode");
    const count = Math.floor(clock.end) + 1;
    for (let k = 0; k < count; k++) {
        const first = frameAt(clock.times, k + 1e-9);
        const last = frameAt(clock.times, k + 1 - 1e-9);
        clock.parts.push([clock.times[first], clock.times[last]]);
        const option = element("option", "", modeText(k + 1, frequency[first], damping[first]));
        option.value = String(k);
        choose.append(option);
    }
    choose.addEventListener("change", () => clock.setTime(clock.parts[Number(choose.value)][0]));
    const time = byId("time");
    time.classList.add("modes");
    time.replaceChildren(choose);
    return () => {
        const now = String(Math.min(Math.floor(clock.time + 1e-9), count - 1));
        if (choose.value !== now) {
            choose.value = now;
        }
    };
}
