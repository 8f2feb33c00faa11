/** Event files that a capture lacks, added to it later: they are identified by their content alone. */
import type { CaptureFile } from "@aglens/contract";
import { problem } from "../problems/problems.ts";

/**
 * Whether a capture was received without its event files and still lacks some of them: it can't be analyzed again until
 * then.
 */
export const lacksFiles = ({ files }: { readonly files: readonly CaptureFile[] }): boolean =>
  files.some(({ isMissing }) => isMissing === true);

/** A file that was read, under its original name. */
interface GivenFile {
  readonly name: string;
  /** SHA-256 of the bytes as they arrived, hex. */
  readonly sha256: string;
}

/** A file of a capture, and the provided file that equals it. */
export interface ReturnedFile<Given> {
  readonly file: CaptureFile;
  readonly given: Given;
}

/**
 * Matches the provided files to the files that the capture lacks; others are skipped.
 * @param missing of the capture
 * @throws ProblemError `other-file` when none is
 */
export function returnedFiles<Given extends GivenFile>(
  missing: readonly CaptureFile[],
  given: readonly Given[],
): ReturnedFile<Given>[] {
  const returned = missing.flatMap((file) => {
    // A file of a live session has no content that a user could provide again.
    const same = file.sha256 === "" ? undefined : given.find(({ sha256 }) => sha256 === file.sha256);
    return same === undefined ? [] : [{ file, given: same }];
  });
  if (returned.length > 0) return returned;
  throw problem("other-file", otherWords(missing, given));
}

function otherWords(missing: readonly CaptureFile[], given: readonly GivenFile[]): string {
  const name = given[0]?.name ?? "The file";
  const sameName = missing.some((file) => file.name === name);
  return sameName
    ? `${name} doesn't match the file that was analyzed (different SHA-256), so it was skipped. Provide the original file.`
    : `${name} isn't one of the missing files of this capture (SHA-256 doesn't match), so it was skipped. Provide the missing files.`;
}
