/** Rules of captures on a server and in a browser. */
import {
  type CaptureFile,
  type CaptureGroup,
  type FileCorrection,
  LONGEST_CAPTURE_NAME,
  type Progress,
} from "@aglens/contract";
import { problem } from "../problems/problems.ts";

/**
 * The events of a replica with one file are prepared while they are received. Replicas of a capture with few files
 * usually have one; in a capture with more files replicas have several, which have to be prepared together.
 */
export const FEW_FILES = 4;

/** @returns the name of its newest group until the user names it; a capture of no group keeps the name that it has */
export function captureNameOf(
  { name, isUnnamed }: { readonly name: string; readonly isUnnamed: boolean },
  groups: readonly CaptureGroup[],
): string {
  const found = isUnnamed ? groups[0]?.name : undefined;
  return found?.slice(0, LONGEST_CAPTURE_NAME) ?? name;
}

/**
 * One event file replaces another one of the same side; any other replacement would change the subject of the capture.
 * @param files received for it
 * @returns the new file, with the user's corrections of the old one
 * @throws ProblemError `not-a-replacement`
 */
export function replacementOf(old: CaptureFile, files: readonly CaptureFile[]): CaptureFile {
  const [file] = files;
  if (file === undefined || files.length > 1) throw notReplacing(`The zip holds ${files.length} files.`, old);
  if (file.kind !== "xel") throw notReplacing(file.message ?? `${file.name} is not an event file.`, old);
  if (file.detectedRole === old.detectedRole) return { ...file, given: old.given };
  throw notReplacing(`${file.name} is not of the same side: ${file.evidence}.`, old);
}

const notReplacing = (reason: string, old: CaptureFile): Error =>
  problem("not-a-replacement", `${reason} ${old.name} stays as it was.`);

/** The progress of an analysis before its first bytes. */
export function noProgress(files: readonly CaptureFile[]): Progress {
  return {
    phase: "decode",
    bytesDone: 0,
    bytesTotal: files.reduce((sum, { size }) => sum + size, 0),
    events: 0,
    blocks: 0,
    files: files.map(({ id }) => ({ id, bytesDone: 0, events: 0, at: null })),
  };
}

/** @throws ProblemError `bad-request` for a correction that files of this kind don't have */
export function expectFits(
  { name, kind }: Pick<CaptureFile, "name" | "kind">,
  { replica, utcOffsetMinutes }: FileCorrection,
): void {
  if (kind !== "xel" && replica !== undefined)
    throw problem(
      "bad-request",
      `Can't choose a replica for ${name}: it has no data-movement events. Choose replicas for event files.`,
    );
  if (kind !== "evidence" && utcOffsetMinutes !== undefined)
    throw problem(
      "bad-request",
      `Can't choose a time zone for ${name}: its times are in UTC. Choose time zones for files such as ERRORLOG.`,
    );
}
