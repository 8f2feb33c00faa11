/**
 * Short texts that this browser keeps for the next visit. Storage may be forbidden, as in some private windows, and is missing outside a
 * browser: then nothing is kept.
 */

/** The text that was kept under a key; null where none was kept. */
export function keptText(key: string): string | null {
  try {
    return globalThis.localStorage?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Keeps a text; null removes it. @returns whether the browser kept it */
export function keepText(key: string, text: string | null): boolean {
  try {
    if (text === null) globalThis.localStorage.removeItem(key);
    else globalThis.localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
