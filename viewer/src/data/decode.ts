// decode.ts - turns the text of a data element back into columns of numbers.
//
// base64 -> zlib stream -> for each column byte planes -> second differences of the bits -> numbers
// (docs/develop/page.md).
// SPDX-License-Identifier: BSD-3-Clause

const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Value of each base64 character; 255 for all others. */
const digits = (() => {
    const table = new Uint8Array(256).fill(255);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (let i = 0; i < alphabet.length; i++) {
        table[alphabet.charCodeAt(i)] = i;
    }
    return table;
})();

/** Decodes base64; white space is skipped, anything else is an error. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) + 3);
    let length = 0;
    let bits = 0;
    let held = 0;
    for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        const digit = code < 256 ? digits[code] : 255;
        if (digit === 255) {
            if (code === 0x3d) {
                break;
            }
            if (code <= 0x20) {
                continue;
            }
            throw new Error("a character that is not base64");
        }
        held = (held << 6) | digit;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[length++] = (held >> bits) & 255;
            held &= (1 << bits) - 1;
        }
    }
    return bytes.subarray(0, length);
}

/** Expands a zlib stream to exactly `size` bytes. */
export async function inflate(
    bytes: Uint8Array<ArrayBuffer>,
    size: number,
): Promise<Uint8Array<ArrayBuffer>> {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const reader = stream.getReader();
    const result = new Uint8Array(size);
    let length = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) {
            break;
        }
        if (length + value.length > size) {
            throw new Error(`more than the ${size} bytes expected`);
        }
        result.set(value, length);
        length += value.length;
    }
    if (length !== size) {
        throw new Error(`${length} bytes instead of ${size}`);
    }
    return result;
}

/** Undoes planes and differences of one column of 4-byte numbers. */
export function decodeColumn32(bytes: Uint8Array, offset: number, rows: number): Float32Array {
    const bits = new Uint32Array(rows);
    const p1 = offset + rows;
    const p2 = p1 + rows;
    const p3 = p2 + rows;
    let last = 0;
    let difference = 0;
    for (let i = 0; i < rows; i++) {
        const second =
            bytes[offset + i] |
            (bytes[p1 + i] << 8) |
            (bytes[p2 + i] << 16) |
            (bytes[p3 + i] << 24);
        difference = (difference + second) | 0;
        last = (last + difference) | 0;
        bits[i] = last;
    }
    return new Float32Array(bits.buffer);
}

/** Undoes planes and differences of one column of 8-byte numbers (as two halves with carry). */
export function decodeColumn64(bytes: Uint8Array, offset: number, rows: number): Float64Array {
    const halves = new Uint32Array(2 * rows);
    const at = (plane: number, i: number) => bytes[offset + plane * rows + i];
    const [lowPlace, highPlace] = littleEndian ? [0, 1] : [1, 0];
    let low = 0;
    let high = 0;
    let differenceLow = 0;
    let differenceHigh = 0;
    for (let i = 0; i < rows; i++) {
        const addLow = (at(0, i) | (at(1, i) << 8) | (at(2, i) << 16) | (at(3, i) << 24)) >>> 0;
        const addHigh = (at(4, i) | (at(5, i) << 8) | (at(6, i) << 16) | (at(7, i) << 24)) >>> 0;
        const difference = differenceLow + addLow;
        differenceLow = difference >>> 0;
        differenceHigh = (differenceHigh + addHigh + (difference > 0xffffffff ? 1 : 0)) >>> 0;
        const sum = low + differenceLow;
        low = sum >>> 0;
        high = (high + differenceHigh + (sum > 0xffffffff ? 1 : 0)) >>> 0;
        halves[2 * i + lowPlace] = low;
        halves[2 * i + highPlace] = high;
    }
    return new Float64Array(halves.buffer);
}
