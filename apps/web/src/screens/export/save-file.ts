import type { WrittenFile } from "./report/write-report.tsx";

/** Gives a file to the browser, which saves it where downloads go. */
export function saveFile({ name, type, content }: WrittenFile): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content with the click.
  URL.revokeObjectURL(url);
}
