// session.ts - what outlives a reload. Pages opened from disk may be refused any storage.
// SPDX-License-Identifier: BSD-3-Clause

export function remember(key: string, value: string): boolean {
    try {
        sessionStorage.setItem(key, value);
        return true;
    } catch {
        return false;
    }
}

export function recall(key: string): string | null {
    try {
        return sessionStorage.getItem(key);
    } catch {
        return null;
    }
}

export function forget(key: string): void {
    try {
        sessionStorage.removeItem(key);
    } catch {
        // Nothing was kept then.
    }
}
