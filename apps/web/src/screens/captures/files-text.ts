/** Text of the first screen about a replica's files: how many there are, and whether they follow each other. */
import type { Capture, CaptureFile } from "@aglens/contract";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { durationText } from "../../ui/words.ts";
import { instantText, localIso, type Zone } from "../../ui/zone.ts";
import { type ReplicaFiles, unixMs } from "./replica-files.ts";

/** Maximum time between two files of a session that continues in the next file, ms. */
const CONTIGUOUS_MS = 1000;

/** `3 files`, and the longest time between two of them where they do not follow each other. */
export function rolloverText({ files }: Pick<ReplicaFiles, "files">): string {
  const hole = longestHole(files);
  const count = texts.file(files.length);
  return hole <= CONTIGUOUS_MS ? count : texts.upToBetweenThem(count, durationText(hole * 1000));
}

/** Longest time that no file covers between the first and the last of them, ms. */
function longestHole(files: readonly CaptureFile[]): number {
  let covered = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (const file of files) {
    const from = unixMs(file.from);
    const to = unixMs(file.to);
    if (from === null || to === null) continue;
    longest = Math.max(longest, from - covered);
    covered = Number.isFinite(covered) ? Math.max(covered, to) : to;
  }
  return longest;
}

/**
 * `02:16:55.8 to 02:18:28.2 UTC`, from the first event of these files to the last; files are in order of their
 * beginning.
 */
export function rangeText(files: readonly CaptureFile[], zone: Zone): string {
  const froms = files.flatMap(({ from }) => (from === null ? [] : [from]));
  const tos = files.flatMap(({ to }) => (to === null ? [] : [to]));
  const [first] = froms.toSorted();
  const last = tos.toSorted().at(-1);
  if (first === undefined || last === undefined) return texts.noEvent;
  return `${localIso(zone, first).slice(11, 21)} to ${instantText(zone, last, 21)}`;
}

/** `File 2 of 3`, in order of their beginning. */
export function fileOf(replica: ReplicaFiles, file: CaptureFile): string {
  return texts.fileOfLabel(replica.files.indexOf(file) + 1, replica.files.length);
}

/** True where the user assigned a role to a file whose events show no role: the user has to check it. */
export const needsLook = (replicas: readonly ReplicaFiles[]): boolean =>
  replicas.some(({ files }) =>
    files.some((file) => file.detectedRole === "unknown" && file.given.role !== undefined),
  );

/** Beginning of a capture: `2016-05-06`, or with 16 digits `2016-05-06 02:16 UTC`; empty when no file shows it. */
export function begunText({ files }: Pick<Capture, "files">, digits: 10 | 16 = 10): string {
  const [first] = files
    .flatMap(({ from, role }) => (from === null || role === "ignored" ? [] : [from]))
    .toSorted((a, b) => a.localeCompare(b));
  return instantWords(first ?? null, digits);
}

/** A UTC instant up to its day or its minute; empty without an instant. */
export function instantWords(instant: string | null, digits: 10 | 16): string {
  if (instant === null) return "";
  return digits === 10 ? instant.slice(0, 10) : texts.utc(instant.slice(0, 10), instant.slice(11, 16));
}

/**
 * True where the replica has a name of its own. A replica without one is named after its role, which is already shown
 * next to it.
 */
export const isNamed = ({ name, role }: Pick<ReplicaFiles, "name" | "role">): boolean =>
  name.toLowerCase() !== role;
