const LONGEST = 200;

export interface UploadedName {
  /** Last part of what the client sent, without control characters; for people, never for paths. */
  readonly name: string;
  /** The folder it came from, a hint which replica the file belongs to; null without one. */
  readonly folder: string | null;
  /** All folders it came from, outermost first, parted by "/"; "" for none. */
  readonly path: string;
}

/**
 * Name of an uploaded file or zip entry, made harmless.
 * @returns null when nothing usable is left, e.g. for ".." or ""
 */
export function uploadedName(text: string): UploadedName | null {
  const parts = text
    .normalize("NFC")
    // Control and format characters could forge log lines or turn text around on screen.
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .split(/[/\\]/u)
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "." && part !== "..");
  const name = parts.at(-1);
  if (name === undefined) return null;
  const folders = parts.slice(0, -1).map(shortened);
  return { name: shortened(name), folder: folders.at(-1) ?? null, path: folders.join("/") };
}

/** Keeps the end, where the extension and the rollover number are. */
function shortened(name: string): string {
  return name.length <= LONGEST ? name : `…${name.slice(name.length - LONGEST)}`;
}

/**
 * Each file with a name that no other one has, so that a file of the model can be found by its name: the second "a.xel" is
 * "a.xel (2)".
 */
export function withUniqueNames<File extends { readonly name: string }>(
  files: readonly File[],
): { readonly file: File; readonly uniqueName: string }[] {
  const taken = new Set<string>();
  return files.map((file) => {
    let uniqueName = file.name;
    for (let count = 2; taken.has(uniqueName); count += 1) uniqueName = `${file.name} (${count})`;
    taken.add(uniqueName);
    return { file, uniqueName };
  });
}
