/** A file that is written in the browser and saved where downloads go. */
export interface WrittenFile {
  readonly name: string;
  readonly type: string;
  readonly content: BlobPart;
}

/** Passes a file to the browser, which saves it in the download folder. */
export function saveFile({ name, type, content }: WrittenFile): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the content with the click.
  URL.revokeObjectURL(url);
}

/** A name that every file system accepts: lower case, words joined by hyphens. */
export const fileName = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, 80) || "capture";
