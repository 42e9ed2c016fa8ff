// divider.ts - the border between scene and plots can be moved, also by arrow keys.
// SPDX-License-Identifier: BSD-3-Clause
import { byId } from "./dom";

const least = 0.15;
const most = 0.85;

export function startDivider(): void {
    const divider = byId("divider");
    const stage = byId("stage");
    const side = byId("side");
    let part = 0.58;
    const apply = () => {
        part = Math.min(Math.max(part, least), most);
        stage.style.flexBasis = `${100 * part}%`;
        side.style.flexBasis = `${100 * (1 - part)}%`;
        divider.setAttribute("aria-valuenow", String(Math.round(100 * part)));
    };
    divider.addEventListener("pointerdown", (event) => {
        divider.setPointerCapture(event.pointerId);
        event.preventDefault();
    });
    divider.addEventListener("pointermove", (event) => {
        if (divider.hasPointerCapture(event.pointerId)) {
            part = event.clientX / document.documentElement.clientWidth;
            apply();
        }
    });
    divider.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (step) {
            part += step;
            apply();
        }
    });
    divider.setAttribute("aria-valuemin", String(100 * least));
    divider.setAttribute("aria-valuemax", String(100 * most));
    apply();
}
