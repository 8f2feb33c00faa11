/** Files that a capture waits for: those of a link, or of a capture that was opened in this browser earlier. */
import type { CaptureFile, FileCorrection } from "@aglens/contract";
import { problem } from "@aglens/engine/problems";
import type { FileOfLink } from "../data/files-of-link.ts";

export interface ExpectedFile extends FileOfLink {
  /** The user's earlier corrections of the file. */
  readonly given: FileCorrection;
}

/** The file that one of this content is. */
export const expectedFile = (expected: readonly ExpectedFile[], sha256: string): ExpectedFile | undefined =>
  expected.find((file) => sha256.startsWith(file.sha256));

/** Those that are not among the files. */
export const missingFiles = (
  expected: readonly ExpectedFile[],
  files: readonly Pick<CaptureFile, "sha256">[],
): ExpectedFile[] => expected.filter((file) => !files.some(({ sha256 }) => sha256.startsWith(file.sha256)));

/**
 * Keeps those of the read files that the capture waits for.
 * @throws ProblemError `other-file` when none is
 */
export function onlyExpected<
  Read extends { readonly sha256: string; readonly name: { readonly name: string } },
>(expected: readonly ExpectedFile[], files: readonly CaptureFile[], read: readonly Read[]): Read[] {
  const wanted = read.filter(({ sha256 }) => expectedFile(expected, sha256) !== undefined);
  const fresh = wanted.filter(({ sha256 }) => !files.some((file) => file.sha256 === sha256));
  const [first] = read;
  if (fresh.length > 0 || first === undefined) return fresh;
  if (wanted.length > 0) throw problem("other-file", `${first.name.name} was given already.`);
  throw problem("other-file", otherWords(expected, first.name.name));
}

function otherWords(expected: readonly ExpectedFile[], name: string): string {
  const isNamed = expected.some((file) => file.name === name);
  return isNamed
    ? `${name} differs from the file of that name in this view (SHA-256). It was skipped. Provide the original file.`
    : `${name} does not belong to this view (SHA-256). It was skipped.`;
}

/** @throws ProblemError `files-missing` */
export function expectComplete(expected: readonly ExpectedFile[], files: readonly CaptureFile[]): void {
  const missing = missingFiles(expected, files);
  if (missing.length === 0) return;
  const names = missing.map(({ name, sha256 }) => (name === "" ? `a file ${sha256.slice(0, 12)}` : name));
  const what = names.length === 1 ? `${names[0]} is` : `${names.length} files are`;
  const more = names.length === 1 ? "" : `: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
  throw problem("files-missing", `${what} still missing${more}. Give all files that this view is of.`);
}
