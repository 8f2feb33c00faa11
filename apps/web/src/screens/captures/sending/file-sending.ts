/** Sends files to the server: some at a time, each at once or, when it is large, in parts. */
import type { Capture, CaptureFile, FileCorrection } from "@aglens/contract";
import type { PartsListener, PartsSending } from "../../../data/parts-upload.ts";
import { isAbort, sentenceOf } from "../../../data/problem.ts";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import { paced } from "../../../ui/paced.ts";
import { formatBytes } from "../../../ui/words.ts";
import { shortName } from "../short-name.ts";
import type { CaptureOnServer, DraftClient, Queued, UploadRows } from "./draft-types.ts";

/** Uploads at a time: enough to fill the line, few enough for each to show progress. */
const AT_ONCE = 2;
/** A browser reports its sent bytes far more often, and drawing each report slows down the upload, ms. */
const SHOW_SENT_MS = 200;
/**
 * While more files are to be sent, the capture is shown at this interval at most, ms, because all of it is read and
 * drawn each time.
 */
const SHOW_FILES_MS = 300;

interface Parts {
  readonly rows: UploadRows;
  readonly server: CaptureOnServer;
  /** Notes what happened. */
  readonly note: (what: string, detail?: string) => void;
}

interface Wish {
  /** Role and replica of the files, as far as the user chose them. */
  readonly as: FileCorrection | undefined;
  readonly signal: AbortSignal;
}

export interface FileSending {
  /** Sends a queue, AT_ONCE files at a time, until it is empty or the sending is stopped. */
  readonly send: (queue: Queued[], as: FileCorrection | undefined) => Promise<void>;
  /** Ends the sending of all queues; one that is sent later is not concerned. */
  readonly stop: () => void;
  /** Aborted as soon as the sending is stopped. */
  readonly signal: () => AbortSignal;
  readonly pause: () => void;
  readonly goOn: () => void;
  /** Whether the upload with that id is carried on here. */
  readonly isSending: (uploadId: string) => boolean;
}

/** The sending of a draft's files. */
export function fileSending(client: DraftClient, parts: Parts): FileSending {
  const { rows, server } = parts;
  let stopping = new AbortController();
  let isPaused = false;
  /** Files that are being sent in parts, with the uploads that they carry on. */
  const running = new Map<PartsSending, string | null>();

  /** @returns whether the capture has the file */
  const sendOne = async (capture: Capture, queued: Queued, { as, signal }: Wish): Promise<boolean> => {
    const { picked, item } = queued;
    try {
      const added =
        item.parts === null
          ? await client.uploadFile(capture.id, picked, showSent(rows, item.key), signal)
          : await inParts(capture, queued, signal);
      if (as !== undefined) await Promise.all(added.map((one) => client.correctFile(capture.id, one.id, as)));
      rows.keepReading(item.key, added);
      return true;
    } catch (error) {
      fail(rows, item.key, error);
      return false;
    }
  };

  const inParts = async (
    capture: Capture,
    queued: Queued,
    signal: AbortSignal,
  ): Promise<readonly CaptureFile[]> => {
    const { picked, item, carriesOn } = queued;
    const head = await client.headOf(picked.file);
    if (signal.aborted) throw new DOMException("Upload stopped", "AbortError");
    const sending = client.sendInParts({
      captureId: capture.id,
      picked,
      head,
      uploadId: carriesOn?.id ?? null,
      signal,
      listener: partsListener(parts, queued, showSent(rows, item.key)),
    });
    running.set(sending, carriesOn?.id ?? null);
    if (isPaused) sending.pause();
    try {
      return (await sending.done).files ?? [];
    } finally {
      running.delete(sending);
    }
  };

  return {
    async send(queue, as) {
      const { signal } = stopping;
      const came: number[] = [];
      const shown: Promise<void>[] = [];
      let showNext = 0;
      const show = (): void => {
        if (came.length > 0) shown.push(showInCapture(parts, came.splice(0)));
        showNext = performance.now() + SHOW_FILES_MS;
      };
      try {
        const capture = await server.toAddTo(signal);
        const work = async (): Promise<void> => {
          while (!signal.aborted) {
            const next = queue.shift();
            if (next === undefined) return;
            // oxlint-disable-next-line no-await-in-loop -- one file after the other, AT_ONCE of these loops run
            if (await sendOne(capture, next, { as, signal })) came.push(next.item.key);
            if (queue.length === 0 || performance.now() >= showNext) show();
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        show();
        await Promise.all(shown);
      } catch (error) {
        server.forgetNew();
        throw error;
      } finally {
        for (const { item } of queue) rows.dismiss(item.key);
      }
    },
    stop() {
      isPaused = false;
      stopping.abort();
      stopping = new AbortController();
      server.forgetNew();
    },
    signal: () => stopping.signal,
    pause() {
      isPaused = true;
      for (const sending of running.keys()) sending.pause();
    },
    goOn() {
      isPaused = false;
      for (const sending of running.keys()) sending.goOn();
    },
    isSending: (uploadId) => [...running.values()].includes(uploadId),
  };
}

const showSent = (rows: UploadRows, key: number): ((sent: number) => void) =>
  paced((sent) => rows.patch(key, { sent }), SHOW_SENT_MS);

function fail(rows: UploadRows, key: number, error: unknown): void {
  if (isAbort(error)) rows.dismiss(key);
  else rows.patch(key, { problem: sentenceOf(error) });
}

/** Rows of files stay until the capture is shown with these files. */
async function showInCapture({ rows, server }: Parts, keys: readonly number[]): Promise<void> {
  try {
    await server.refresh();
    keys.forEach(rows.dismiss);
  } catch (error) {
    for (const key of keys) fail(rows, key, error);
  }
}

/** Shows in its row what becomes of a file that is sent in parts. */
function partsListener(
  { rows, note }: Parts,
  { picked, item }: Queued,
  onBytes: (sent: number) => void,
): PartsListener {
  let wasBroken = false;
  return {
    onBytes,
    onWaiting: (sentence, waitMs) => {
      if (!wasBroken) note(texts.wasInterrupted(shortName(picked.file.name)), sentence);
      wasBroken = true;
      rows.patchParts(item.key, () => ({ waiting: { sentence, untilMs: Date.now() + waitMs } }));
    },
    onRead: (read) =>
      rows.patchParts(item.key, ({ reading }) => ({
        reading: { read: read ?? reading?.read ?? null, isLater: read === null },
      })),
    onKeptUntil: (keptUntilMs) => rows.patchParts(item.key, () => ({ keptUntilMs })),
    onGoesOn: (kept) => {
      wasBroken = false;
      note(texts.resumed(shortName(picked.file.name)), texts.behindThatTheServer(formatBytes(kept)));
      // The kept bytes are shown at once, in place of pending updates.
      rows.patch(item.key, { sent: kept });
      onBytes(kept);
      rows.patchParts(item.key, ({ breaks }) => ({
        kept,
        waiting: null,
        breaks: breaks.includes(kept) ? breaks : [...breaks, kept],
      }));
    },
  };
}
