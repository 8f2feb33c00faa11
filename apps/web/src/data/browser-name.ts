/**
 * The name that this browser has for itself. Where nobody signs in, the server recognizes by it the author of a draft or a note. It is
 * random, is kept in this browser and is sent to the server alone, which keeps a hash of it.
 */
const KEY = "aglens-browser";

export const BROWSER_HEADER = "x-aglens-browser";

let name: string | null = null;

export function browserName(): string {
  name ??= remembered() ?? newName();
  return name;
}

function remembered(): string | null {
  try {
    return globalThis.localStorage?.getItem(KEY) ?? null;
  } catch {
    return null;
  }
}

function newName(): string {
  // `randomUUID` is missing where a page comes by plain HTTP from another computer.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    globalThis.localStorage?.setItem(KEY, made);
  } catch {
    // Without storage the name is that of this page.
  }
  return made;
}
