// watch.ts - reloads the page when a newer one was written, and keeps what the user had set.
//
// A page from disk may not fetch files, but it may show pictures: the size of the version image
// tells the version. An image that is missing means that nobody watches any more. Browsers
// note each such try on their console, so the page asks ever more seldom, then only when
// someone comes back to it.
// SPDX-License-Identifier: BSD-3-Clause
import { forget, recall, remember } from "./session";

const pause = 1000;
/** Tries without an image, each after twice the time of the one before, until it rests. */
const mostMissing = 5;
const key = "crank-kept";
const hashMark = "#crank=";

export interface Watch {
    version: number;
    image: string;
    width: number;
    height: number;
}

/** Polls the version image; `keep` gives what to keep over the reload. */
export function startWatching(watch: Watch, keep: () => unknown): void {
    let missing = 0;
    let count = 0;
    let resting = false;
    const later = (delay: number) => setTimeout(ask, delay);
    const reload = () => {
        const text = JSON.stringify(keep());
        if (!remember(key, text)) {
            history.replaceState(null, "", hashMark + encodeURIComponent(text));
        }
        location.reload();
    };
    const ask = () => {
        const image = new Image();
        image.onload = () => {
            missing = 0;
            const { naturalWidth, naturalHeight } = image;
            if (naturalWidth > 0 && (naturalWidth !== watch.width || naturalHeight !== watch.height)) {
                reload();
            } else {
                later(pause);
            }
        };
        image.onerror = () => {
            missing++;
            resting = missing >= mostMissing;
            if (!resting) {
                later(pause * 2 ** missing);
            }
        };
        image.src = `${watch.image}?${Date.now()}-${count++}`;
    };
    const wake = () => {
        if (resting && document.visibilityState === "visible") {
            resting = false;
            ask();
        }
    };
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("focus", wake);
    later(pause);
}

/** What was kept over a reload, once. */
export function takeKept(): unknown {
    let text = recall(key);
    forget(key);
    if (text === null && location.hash.startsWith(hashMark)) {
        try {
            text = decodeURIComponent(location.hash.slice(hashMark.length));
        } catch {
            text = null;
        }
        history.replaceState(null, "", location.pathname + location.search);
    }
    try {
        return text === null ? null : JSON.parse(text);
    } catch {
        return null;
    }
}
