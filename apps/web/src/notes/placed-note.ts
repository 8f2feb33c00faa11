/** Notes with their places on screen, and their descriptions. */
import { microsecondsToTicks, ticksToMicroseconds } from "@aglens/ag-model/replication";
import type { Note } from "@aglens/contract";
import { notesTexts as texts } from "../messages/notes.ts";
import { durationText, formatShortDay } from "../ui/words.ts";
import { localIso, type Zone, zoneNameAt } from "../ui/zone.ts";

/** Range or log block of a note; µs from the capture's origin. */
export interface NotePlace {
  readonly from: number;
  readonly to: number;
  /** LSN of the note's log block; null for a range. */
  readonly lsn: string | null;
}

export interface PlacedNote extends NotePlace {
  readonly id: string;
  readonly text: string;
  /** UTC, ISO 8601. */
  readonly written: string;
  /** Name of the author; absent where none was entered. */
  readonly author?: string | undefined;
  /** False for a note of another author. */
  readonly mayChange?: boolean | undefined;
}

/** @param originTicks time 0 of the capture, FILETIME ticks */
export function placedNote({ fromTicks, toTicks, ...note }: Note, originTicks: string): PlacedNote {
  const after = (ticks: string): number => ticksToMicroseconds(BigInt(ticks) - BigInt(originTicks));
  return { ...note, from: after(fromTicks), to: after(toTicks) };
}

/** The place in its sent form: instants that stay the same when the capture's time 0 moves. */
export function ticksOfPlace(
  { from, to, lsn }: NotePlace,
  originTicks: string,
): Pick<Note, "fromTicks" | "toTicks" | "lsn"> {
  const ticksAt = (us: number): string => String(BigInt(originTicks) + microsecondsToTicks(us));
  return { fromTicks: ticksAt(from), toTicks: ticksAt(to), lsn };
}

/** `on a range, 35.6 s`, `on block …1f7` */
export function placeText({ from, to, lsn }: NotePlace): string {
  if (lsn === null) return texts.onARange(durationText(to - from));
  return texts.onBlock(lsn.split(":")[1]?.replace(/^0+/u, "") ?? "");
}

/** Name of the author of a note. */
export const authorOf = ({ author }: Pick<PlacedNote, "author">): string => author ?? "Unnamed";

/** `21 Nov 14:32` */
export function writtenText(written: string, zone: Zone): string {
  const local = localIso(zone, written);
  return `${formatShortDay(local.slice(0, 10))} ${local.slice(11, 16)}`;
}

/** `21 Nov 14:32 UTC` */
export const zonedWrittenText = (written: string, zone: Zone): string =>
  `${writtenText(written, zone)} ${zoneNameAt(zone, written)}`;
