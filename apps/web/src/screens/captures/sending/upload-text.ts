/** Rows and texts of an upload in parts. */
import type { CaptureFile } from "@aglens/contract";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import { formatBytes, formatCount, formatPercent } from "../../../ui/words.ts";
import type { Draft, Reading, Upload } from "./draft-types.ts";
import { remainingText } from "../progress/remaining.ts";

/** A file of an upload: complete, being sent, or to be chosen by the user. */
export interface UploadRow {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Bytes that the server had when the sending last continued. */
  readonly kept: number;
  /** Sent bytes, including those that the server had. */
  readonly sent: number;
  /** Bytes after each interruption. */
  readonly breaks: readonly number[];
  /** The file in the capture; null until it is complete. */
  readonly file: CaptureFile | null;
  /** The file that is being sent; null for all others. */
  readonly upload: Upload | null;
  /** Part of the file that the server read while this page sent it; null where this page does not send it. */
  readonly reading: Reading | null;
}

type Shown = Pick<Draft, "capture" | "uploads" | "kept" | "readings">;

/** Whether the draft has incomplete files in parts. */
export const isInParts = ({ uploads, kept }: Pick<Draft, "uploads" | "kept">): boolean =>
  kept.length > 0 || uploads.some(({ parts }) => parts !== null);

/**
 * The files: those that were complete before, then those that this page sends, which keep their place when they are
 * complete, then those that the user has to choose.
 */
export function uploadRows({ capture, uploads, kept, readings }: Shown): UploadRow[] {
  const whole = (capture?.files ?? []).map((file): UploadRow => {
    const { id, name, size } = file;
    const reading = readings.get(id) ?? null;
    const key = reading === null ? id : String(reading.key);
    return { key, name, size, kept: size, sent: size, breaks: [], file, upload: null, reading };
  });
  const becameWhole = Map.groupBy(whole, ({ key }) => key);
  const sending = uploads
    .map((upload): UploadRow => {
      const { key, name, size, sent, parts } = upload;
      const { kept = 0, breaks = [], reading = null } = parts ?? {};
      return { key: String(key), name, size, kept, sent, breaks, file: null, upload, reading };
    })
    .filter(({ key }) => !becameWhole.has(key));
  const before = whole.filter(({ reading }) => reading === null);
  const fromHere = [...whole.filter(({ reading }) => reading !== null), ...sending];
  const toChoose = kept
    .filter(({ id }) => !uploads.some(({ parts }) => parts?.otherThan?.id === id))
    .map(({ id, name, size, received }): UploadRow => {
      return {
        key: id,
        name,
        size,
        kept: received,
        sent: received,
        breaks: [received],
        file: null,
        upload: null,
        reading: null,
      };
    });
  return [...before, ...fromHere.toSorted((a, b) => Number(a.key) - Number(b.key)), ...toChoose];
}

/** Expiry of the server's parts of all files, ms since 1970; null while it is not known. */
export function keptUntil({ uploads, kept }: Pick<Draft, "uploads" | "kept">): number | null {
  const ends = [
    ...kept.map(({ expires }) => Date.parse(expires)),
    ...uploads.flatMap(({ parts }) => parts?.keptUntilMs ?? []),
  ];
  return ends.length === 0 ? null : Math.min(...ends);
}

export interface UploadSums {
  readonly size: number;
  readonly kept: number;
  readonly sent: number;
}

export function sumsOfRows(rows: readonly UploadRow[]): UploadSums {
  const total = (of: (row: UploadRow) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    size: total(({ size }) => size),
    kept: total(({ kept }) => kept),
    sent: total(({ sent }) => sent),
  };
}

/** Current state of the upload. */
export type UploadState =
  | { readonly is: "sending" | "goes-on" | "paused" | "choose" | "stopped" }
  | { readonly is: "waiting"; readonly untilMs: number; readonly sentence: string };

export function stateOfUpload({
  uploads,
  kept,
  isPaused,
}: Pick<Draft, "uploads" | "kept" | "isPaused">): UploadState {
  const running = uploads.filter(({ problem }) => problem === null);
  if (running.length === 0) return { is: kept.length > 0 ? "choose" : "stopped" };
  if (isPaused) return { is: "paused" };
  const waits = running.flatMap(({ parts }) => parts?.waiting ?? []);
  const [first] = waits.toSorted((a, b) => a.untilMs - b.untilMs);
  const inParts = running.filter(({ parts }) => parts !== null);
  if (first !== undefined && waits.length === inParts.length) return { is: "waiting", ...first };
  return { is: inParts.some(({ parts }) => (parts?.breaks.length ?? 0) > 0) ? "goes-on" : "sending" };
}

/** @param rate bytes per second; null while it is not known @param nowMs since 1970 */
export function uploadHeadline(
  state: UploadState,
  sums: UploadSums,
  rate: number | null,
  nowMs: number,
): string {
  const share = formatPercent(Math.floor((100 * sums.sent) / Math.max(1, sums.size)) / 100);
  const left = rate === null ? "" : texts.left(remainingText((sums.size - sums.sent) / rate));
  if (state.is === "waiting") {
    const seconds = Math.max(0, Math.ceil((state.untilMs - nowMs) / 1000));
    return texts.interruptedAtTryingAgain(share, seconds);
  }
  if (state.is === "choose") return texts.chooseTheSameFiles(formatBytes(sums.kept));
  if (state.is === "paused") return texts.uploadIsPausedAt(share);
  if (state.is === "stopped") return texts.uploadStoppedAt(share);
  return `${state.is === "goes-on" ? texts.uploadResumesAt : texts.sendingTheFiles} ${share}${left}`;
}

export function uploadLeadText(state: UploadState, sums: UploadSums): string {
  const kept = formatBytes(sums.kept);
  if (state.is === "waiting") return texts.whatTheServer(state.sentence);
  if (state.is === "choose") {
    return texts.serverHasOfDrop(kept, formatBytes(sums.size));
  }
  if (state.is === "paused") return texts.serverKeepsPressSpace(formatBytes(sums.sent));
  if (state.is === "goes-on") return texts.wereKept(kept);
  if (state.is === "stopped") return texts.seeBelowWhyThen;
  return texts.connectionThatBreaks;
}

/** Text next to a row's bytes. */
export function rowText({ file, upload, size, sent }: UploadRow): string {
  if (file !== null)
    return file.kind === "xel" ? texts.completeEvents(formatCount(file.events)) : texts.complete;
  if (upload === null) return texts.toBeChosen;
  if (upload.problem !== null) return texts.notSent;
  if (sent >= size) return texts.isRead;
  return upload.parts?.waiting === undefined || upload.parts?.waiting === null ? texts.onItsWay : texts.waits;
}
