// watch.ts - reloads the page when a newer one was written, and keeps what the user had set.
//
// A page from disk may not fetch files, but it may show pictures: the width of the version
// image is the version.
// SPDX-License-Identifier: BSD-3-Clause
import { forget, recall, remember } from "./session";

const pause = 1000;
const key = "crank-kept";
const hashMark = "#crank=";

/** Polls the version image; `keep` gives what to keep over the reload. */
export function startWatching(watch: { version: number; image: string }, keep: () => unknown): void {
    const ask = () => {
        const image = new Image();
        image.onload = () => {
            if (image.naturalWidth > 0 && image.naturalWidth !== watch.version) {
                const text = JSON.stringify(keep());
                if (!remember(key, text)) {
                    history.replaceState(null, "", hashMark + encodeURIComponent(text));
                }
                location.reload();
            } else {
                setTimeout(ask, pause);
            }
        };
        image.onerror = () => setTimeout(ask, pause);
        image.src = `${watch.image}?${Date.now()}`;
    };
    setTimeout(ask, pause);
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
