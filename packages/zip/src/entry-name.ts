/** Names of files from other computers, for screens and terminals, never for paths. */

const LONGEST = 200;
/** Folders that are kept of a path: those next to the file, where servers are named. */
const MOST_FOLDERS = 8;

export interface ShownName {
  /** Last part of the name, without control characters; for people, never for paths. */
  readonly name: string;
  /** The folder of the file, a hint which replica it belongs to; null without one. */
  readonly folder: string | null;
  /** The folders of the file, outermost first, separated by "/"; at most the 8 next to the file; "" for none. */
  readonly path: string;
}

/**
 * Name of a file from another computer, such as an upload or an entry of a zip, made harmless.
 * @returns null when nothing usable remains, e.g. for ".." or ""
 */
export function shownName(text: string): ShownName | null {
  const parts = text
    .normalize("NFC")
    // Control and format characters could forge log lines or turn text around on screen.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .split(/[/\\]/u)
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "." && part !== "..");
  const name = parts.at(-1);
  if (name === undefined) return null;
  const folders = parts.slice(0, -1).slice(-MOST_FOLDERS).map(shortened);
  return { name: shortened(name), folder: folders.at(-1) ?? null, path: folders.join("/") };
}

/** Keeps the end, where the extension and the rollover number are. */
function shortened(name: string): string {
  return name.length <= LONGEST ? name : `…${name.slice(name.length - LONGEST)}`;
}

/** Entries that desktop archivers add on their own. */
export const isClutter = (entry: string): boolean =>
  entry.startsWith("__MACOSX/") || /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/u.test(entry);
