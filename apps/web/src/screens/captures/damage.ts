/** The effect of a gap in a file: the missing time and its replica, and the share of the capture that this is. */
import type { Capture, CaptureFile, Gap } from "@aglens/contract";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { durationText, formatBytes, formatCount, formatPercent } from "../../ui/words.ts";
import { byReplica, coverageOf, unixMs } from "./replica-files.ts";

/** Event files with gaps that take part in the analysis. */
export function damagedFiles(capture: Capture): CaptureFile[] {
  return capture.files.filter(
    (file) => file.kind === "xel" && file.role !== "ignored" && file.gaps.length > 0,
  );
}

/** The replica of a file and the file's place among its rollovers: "SQL1, primary, rollover 2 of 3". */
export function whereaboutsOf(capture: Capture, file: CaptureFile): string {
  const replica = replicaOf(capture, file);
  if (replica === undefined) return "";
  const at = replica.files.findIndex(({ id }) => id === file.id) + 1;
  const rollover = replica.files.length === 1 ? "" : texts.rolloverOf(at, replica.files.length);
  const role = replica.name.toLowerCase() === replica.role ? "" : `, ${replica.role}`;
  return `${replica.name}${role}${rollover}`;
}

export interface Loss {
  /** Readable events on both sides, UTC time of day; null where the capture has none. */
  readonly from: string | null;
  readonly to: string | null;
  /**
   * Estimated number of events, from the size of the readable ones; null when the file was cut, because bytes that were
   * never copied cannot be counted.
   */
  readonly events: number | null;
  /** Share of the time that all replicas cover, 0..1; null when the ends of the loss are not known. */
  readonly share: number | null;
  /** Length of the loss, µs; null as `share`. */
  readonly us: number | null;
  /**
   * For a file that is cut at its end: the time by which the other replicas' files are longer, µs, so that no more was
   * lost; else null.
   */
  readonly atMostUs: number | null;
}

/** Data that one gap lost. For a gap at a file's end, the next rollover file shows when events continue. */
export function lossOf(capture: Capture, file: CaptureFile, gap: Gap): Loss {
  const replicas = byReplica(capture.files);
  const siblings = replicaOf(capture, file)?.files ?? [];
  const index = siblings.findIndex(({ id }) => id === file.id);
  const from = gap.before?.at ?? siblings[index - 1]?.to ?? null;
  const to = gap.after?.at ?? siblings[index + 1]?.from ?? null;
  const begin = unixMs(from);
  const end = unixMs(to);
  const lost = file.gaps.reduce((sum, one) => sum + one.bytes, 0);
  const bytesPerEvent = file.events > 0 ? (file.size - lost) / file.events : 0;
  const estimated =
    bytesPerEvent > 0 && gap.code !== "truncated" ? Math.round(gap.bytes / bytesPerEvent) : null;
  const ends = begin === null || end === null ? null : ([begin, Math.max(begin, end)] as const);
  const common = coverageOf(replicas)?.common ?? null;
  return {
    from: from?.slice(11, 21) ?? null,
    to: to?.slice(11, 21) ?? null,
    events: gap.eventsLost ?? estimated,
    us: ends === null ? null : (ends[1] - ends[0]) * 1000,
    atMostUs: end === null && begin !== null ? beyond(replicas, siblings, begin) : null,
    share: ends === null || common === null ? null : overlap(ends, common) / (common[1] - common[0]),
  };
}

/**
 * Time by which the files of the other replicas extend beyond an instant, µs; null where none does. @param at Unix ms
 */
function beyond(
  replicas: ReturnType<typeof byReplica>,
  siblings: readonly CaptureFile[],
  at: number,
): number | null {
  const others = replicas.filter(({ files }) => files !== siblings);
  const last = Math.max(...others.map(({ to }) => to ?? -Infinity));
  return last > at ? (last - at) * 1000 : null;
}

/** "SQL1 from 20:13:21.4 to 20:13:25.5, about 4,700 events". */
export function lostText(replica: string, { from, to, events, us, atMostUs }: Loss, bytes: number): string {
  const what = events === null ? texts.numberOfLostEvents : countText(events, bytes);
  if (from !== null && to !== null)
    return texts.fromTo({ replica, from, to, us: us === null ? "" : ` (${durationText(us)})`, what });
  if (from !== null && atMostUs !== null)
    return texts.afterTheOtherFiles(replica, from, durationText(atMostUs), what);
  if (from !== null) return texts.after(replica, from, what);
  if (to !== null) return texts.before(replica, to, what);
  return `${replica}, ${what}`;
}

function countText(events: number, bytes: number): string {
  if (events === 0) return formatBytes(bytes);
  return events === 1 ? "about 1 event" : texts.aboutEvents(formatCount(events));
}

/** The effect of the loss on the verdict, as far as it is known. */
export function effectText(role: CaptureFile["role"], loss: Loss): string {
  const missing = role === "primary" ? texts.noCommitAndNo : texts.noLogWrite;
  if (loss.atMostUs !== null) return texts.blocksOfUp(durationText(loss.atMostUs), missing);
  if (loss.share === null || loss.us === null) return texts.blocksOfTheLost(missing);
  if (loss.share === 0) return texts.noneItLiesOutside;
  const share = loss.share < 0.01 ? "under 1\u2009%" : formatPercent(loss.share);
  return texts.blocks(durationText(loss.us), share, missing);
}

const replicaOf = (capture: Capture, file: CaptureFile): ReturnType<typeof byReplica>[number] | undefined =>
  byReplica(capture.files).find(({ files }) => files.some(({ id }) => id === file.id));

function overlap(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]));
}

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

/** `One of five files is damaged. The rest is usable.` */
export function damageTitle(damaged: number, all: number): string {
  const count = NUMBERS[damaged] ?? formatCount(damaged);
  const of = (NUMBERS[all] ?? formatCount(all)).toLowerCase();
  if (all === 1) return texts.fileIsDamaged;
  return texts.filesDamaged(count, of, damaged);
}

/** Bytes of a file that could not be read. */
export function lostBytes(file: CaptureFile): number {
  return file.gaps.reduce((sum, gap) => sum + gap.bytes, 0);
}

/** Name of the replica of a file. */
export function replicaNameOf(capture: Capture, file: CaptureFile): string {
  return replicaOf(capture, file)?.name ?? file.replica;
}

/** How much of a file could be read. */
export function readText(capture: Capture, file: CaptureFile): string {
  const read = formatBytes(Math.max(0, file.size - lostBytes(file)));
  const all = formatBytes(file.size);
  const events = texts.events(formatCount(file.events));
  const name = replicaNameOf(capture, file);
  const whose = name.toLowerCase() === file.role ? texts.fileOfRole(file.role) : texts.fileOf(name);
  // Bytes that were never copied have no known size: only bytes that are in the file and can't be read are counted.
  return read === all ? texts.endsEarlyAfter(whose, events) : texts.couldBeRead(whose, read, all, events);
}

/** `0x0000F3A0` */
export function hexOffset(offset: number): string {
  return `0x${offset.toString(16).toUpperCase().padStart(8, "0")}`;
}

/** All gaps of the files as text, for a ticket or a mail. */
export function damageReport(capture: Capture, files: readonly CaptureFile[]): string {
  const gapLine = (gap: Gap): string =>
    texts.offsetBytes(gap.offset, hexOffset(gap.offset), gap.bytes, gap.message);
  return files
    .map((file) => {
      const head = `${file.name} (${whereaboutsOf(capture, file)}). ${readText(capture, file)}`;
      return [head, ...file.gaps.map(gapLine)].join("\n");
    })
    .join("\n");
}
