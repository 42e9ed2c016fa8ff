// transport.ts - play, step, scrub, speed, loop, and the time shown.
// SPDX-License-Identifier: BSD-3-Clause
import type { Clock } from "../play/clock";
import type { Store } from "../data/store";
import { button, byId, element, icon, press } from "./dom";
import { formatNumber, timeDigits, withUnit } from "./numbers";

export function createTransport(clock: Clock, store: Store): () => void {
    const bar = byId("transport");
    const play = button("Play (space)", "play", () => clock.toggle());
    play.id = "play";
    const previous = button("One frame back (left)", "previous", () => clock.step(-1));
    previous.id = "previous";
    const next = button("One frame on (right)", "next", () => clock.step(1));
    next.id = "next";
    const loop = button("Begin again at the end", "loop", () => clock.setLoop(!clock.loop));
    loop.id = "loop";

    const scrub = element("input", "");
    scrub.id = "scrub";
    scrub.type = "range";
    scrub.min = "0";
    scrub.max = String(Math.max(clock.rows - 1, 0));
    scrub.step = "1";
    scrub.setAttribute("aria-label", "Frame");
    scrub.addEventListener("input", () => {
        clock.pause();
        clock.setFrame(Number(scrub.value));
    });

    const speed = element("select", "");
    speed.id = "speed";
    speed.title = "Simulated seconds per second";
    speed.setAttribute("aria-label", "Speed: simulated seconds per second");
    speed.addEventListener("change", () => clock.setSpeed(Number(speed.value)));

    const unit = store.timeColumn.unit;
    const digits = timeDigits(clock.times);
    const time = element("output", "");
    time.id = "time";
    const now = element("strong", "");
    const total = element("span", "quiet", ` / ${withUnit(formatNumber(clock.end), unit).replace(" ", "\u00a0")}`);
    time.append(now, total);
    const width = Math.max(clock.end.toFixed(digits).length, clock.start.toFixed(digits).length);
    now.style.minWidth = `${width}ch`;

    bar.append(
        element("div", "transport-buttons", previous, play, next),
        scrub,
        time,
        element("div", "transport-mode", speed, loop),
    );

    const showMode = () => {
        play.replaceChildren(icon(clock.playing ? "pause" : "play"));
        play.setAttribute("aria-label", clock.playing ? "Pause (space)" : "Play (space)");
        play.title = clock.playing ? "Pause (space)" : "Play (space)";
        press(loop, clock.loop);
        const choices = clock.speeds.includes(clock.speed)
            ? clock.speeds
            : [...clock.speeds, clock.speed].sort((a, b) => a - b);
        speed.replaceChildren(
            ...choices.map((choice) => {
                const option = element("option", "", `${formatNumber(choice)}\u00d7`);
                option.value = String(choice);
                return option;
            }),
        );
        speed.value = String(clock.speed);
    };
    clock.onMode(showMode);
    showMode();
    if (clock.rows < 2) {
        for (const control of [play, previous, next, loop, scrub, speed]) {
            control.disabled = true;
        }
    }
    return () => {
        scrub.value = String(clock.frame);
        const text = clock.time.toFixed(digits).replace("-", "\u2212");
        now.textContent = text;
        scrub.setAttribute("aria-valuetext", withUnit(text, unit));
    };
}
