// dom.ts - makes elements. Text goes in as text; nothing here reads HTML.
// SPDX-License-Identifier: BSD-3-Clause

type Child = Node | string | null;

/** An element with a class and children; strings become text. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    className: string,
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    if (className) {
        made.className = className;
    }
    made.append(...children.filter((child) => child !== null));
    return made;
}

export function byId(id: string): HTMLElement {
    const found = document.getElementById(id);
    if (!found) {
        throw new Error(`the template lacks #${id}`);
    }
    return found;
}

/** Outlines of icons in a box of 24 by 24. */
const icons = {
    play: "M7 4.5v15l12.5-7.5z",
    pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
    previous: "M17.5 5.5v13L9 12zM6 5.5h2.2v13H6z",
    next: "M6.5 5.5v13L15 12zM15.8 5.5H18v13h-2.2z",
    loop: "M7 7h9.2l-2-2L15.6 3.6 20 8l-4.4 4.4-1.4-1.4 2-2H8v3H6V8a1 1 0 0 1 1-1zM17 17H7.8l2 2-1.4 1.4L4 16l4.4-4.4 1.4 1.4-2 2H16v-3h2v4a1 1 0 0 1-1 1z",
    list: "M4 6h2v2H4zm4 0h12v2H8zM4 11h2v2H4zm4 0h12v2H8zM4 16h2v2H4zm4 0h12v2H8z",
    eye: "M12 5.5c4.6 0 8.2 3 9.8 6.5-1.6 3.5-5.2 6.5-9.8 6.5S3.8 15.500 2.200 12C3.800 8.500 7.400 5.500 12 5.500zm0 2A4.500 4.500 0 1 0 12 16.500 4.500 4.500 0 0 0 12 7.500zm0 2A2.500 2.500 0 1 1 12 14.500 2.500 2.500 0 0 1 12 9.500z",
    theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 0 1 0 14z",
    help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm-1 10h2v2h-2zm1-8.500c-1.900 0-3.300 1.200-3.500 3h2c.1-.7.700-1.200 1.500-1.200s1.500.5 1.500 1.300c0 .7-.4 1-1.200 1.600-.9.600-1.300 1.200-1.300 2.300v.5h2v-.3c0-.6.300-.9 1-1.400.9-.6 1.500-1.400 1.500-2.700 0-1.800-1.500-3.100-3.500-3.100z",
    close: "M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12 19 17.600 17.600 19 12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
    plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
    fit: "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4zM9 9h6v6H9z",
    target: "M11 2h2v3.100A7 7 0 0 1 18.900 11H22v2h-3.100A7 7 0 0 1 13 18.900V22h-2v-3.100A7 7 0 0 1 5.100 13H2v-2h3.100A7 7 0 0 1 11 5.100zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
    trace: "M4 17c3 0 3.500-3 5-6s2.500-5 5.500-5H17a2.500 2.500 0 1 1 0 2h-2.500c-1.700 0-2.400 1.300-3.700 4C9.400 15 8 19 4 19z",
    plot: "M4 4h2v14h14v2H4zm4.500 10.600 3.600-5 3 2.500L19 6.500l1.600 1.200-5.100 7.100-3-2.500-2.400 3.400z",
    download: "M11 4h2v8.200l2.600-2.600L17 11l-5 5-5-5 1.400-1.400 2.600 2.600zM5 18h14v2H5z",
    zoom: "M10.500 4a6.500 6.500 0 0 1 5.200 10.400l4.700 4.700-1.400 1.400-4.700-4.700A6.500 6.500 0 1 1 10.500 4zm0 2a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM9.500 7.500h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
} as const;
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", icons[name]);
    svg.append(path);
    return svg;
}

/** A button with an icon or a word; `label` is what it does. */
export function button(label: string, face: IconName | { text: string }, onClick: () => void): HTMLButtonElement {
    const made = element("button", typeof face === "string" ? "icon" : "word");
    made.type = "button";
    made.title = label;
    made.setAttribute("aria-label", label);
    made.append(typeof face === "string" ? icon(face) : face.text);
    made.addEventListener("click", onClick);
    return made;
}

/** Shows a button as pressed or not. */
export function press(target: HTMLElement, pressed: boolean): void {
    target.setAttribute("aria-pressed", String(pressed));
}

/** Offers a file to the user. */
export function download(name: string, content: Blob): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
