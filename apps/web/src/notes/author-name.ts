/** The name that somebody gives for their notes, where nobody signs in; kept in this browser. */
const KEY = "aglens-author";

/** Empty before one was given, and where the browser keeps nothing. */
export function authorName(): string {
  try {
    return globalThis.localStorage?.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

export function rememberAuthorName(name: string): void {
  try {
    globalThis.localStorage?.setItem(KEY, name);
  } catch {
    // It is given again with the next note.
  }
}
