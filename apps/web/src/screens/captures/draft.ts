/** The capture that is being put together: its files on the server and what is still on the way there. */
import { create, type StateCreator } from "zustand";
import type { Capture, FileCorrection } from "@aglens/contract";
import * as capturesClient from "../../data/captures-client.ts";
import { isAbort, sentenceOf } from "../../data/problem.ts";
import { type PickedFile, sortOut } from "./picked-files.ts";

export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly problem: string | null;
}

export interface Draft {
  readonly capture: Capture | null;
  readonly uploads: readonly Upload[];
  readonly notice: string | null;
  /** Takes files in; the first make the capture. `as` puts them to a replica. */
  readonly add: (files: readonly PickedFile[], as?: FileCorrection) => Promise<void>;
  /** Continues with a capture that was begun before. */
  readonly open: (id: string) => Promise<void>;
  /** Ends the sending of everything that is not on the server yet. */
  readonly stop: () => void;
  readonly dismiss: (key: number) => void;
  readonly correct: (file: string, correction: FileCorrection) => Promise<void>;
  readonly remove: (file: string) => Promise<void>;
  readonly rename: (name: string) => Promise<void>;
  /** Starts over; the capture on the server stays. */
  readonly reset: () => void;
}

export type DraftClient = Pick<
  typeof capturesClient,
  "createCapture" | "readCapture" | "uploadFile" | "correctFile" | "removeFile" | "renameCapture"
>;

type SetDraft = (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;
type GetDraft = () => Draft;

/** A draft that sends its files by `client`. */
export const createDraft =
  (client: DraftClient): StateCreator<Draft> =>
  (set, get) => {
    const rows = uploadRows(set);
    const server = captureOnServer(client, set, get);
    const sending = fileSending(client, rows, server);
    return {
      capture: null,
      uploads: [],
      notice: null,
      async add(files, as) {
        const { taken, leftOut } = sortOut(files);
        set({ notice: leftOutWords(taken.length, leftOut) });
        if (taken.length === 0) return;
        try {
          await sending.send(rows.append(taken), as);
        } catch (error) {
          set({ notice: sentenceOf(error) });
        }
      },
      async open(id) {
        try {
          set({ capture: await client.readCapture(id), notice: null });
        } catch (error) {
          set({ notice: sentenceOf(error) });
        }
      },
      stop: sending.stop,
      dismiss: rows.dismiss,
      correct: (file, correction) => server.change((id) => client.correctFile(id, file, correction)),
      remove: (file) => server.change((id) => client.removeFile(id, file)),
      rename: (name) => server.change((id) => client.renameCapture(id, name)),
      reset() {
        sending.stop();
        set({ capture: null, uploads: [], notice: null });
      },
    };
  };

interface Queued {
  readonly picked: PickedFile;
  readonly item: Upload;
}

interface UploadRows {
  readonly append: (files: readonly PickedFile[]) => Queued[];
  readonly patch: (key: number, change: Partial<Upload>) => void;
  readonly dismiss: (key: number) => void;
}

/** The rows of files that are on their way, or did not arrive. */
function uploadRows(set: SetDraft): UploadRows {
  let nextKey = 1;
  return {
    append(files) {
      const queue = files.map((picked): Queued => {
        const { name, size } = picked.file;
        return { picked, item: { key: nextKey++, name, size, sent: 0, problem: null } };
      });
      set(({ uploads }) => ({ uploads: [...uploads, ...queue.map((entry) => entry.item)] }));
      return queue;
    },
    patch: (key, change) =>
      set(({ uploads }) => ({
        uploads: uploads.map((item) => (item.key === key ? { ...item, ...change } : item)),
      })),
    dismiss: (key) => set(({ uploads }) => ({ uploads: uploads.filter((item) => item.key !== key) })),
  };
}

interface CaptureOnServer {
  /** The capture to add to; made once, however many files arrive together. */
  readonly toAddTo: (signal: AbortSignal) => Promise<Capture>;
  /** The next file makes another one, if none is there by then. */
  readonly forgetNew: () => void;
  /** Reads the capture anew, unless another one has taken its place meanwhile. */
  readonly refresh: (id: string) => Promise<void>;
  readonly change: (work: (id: string) => Promise<unknown>) => Promise<void>;
}

function captureOnServer(client: DraftClient, set: SetDraft, get: GetDraft): CaptureOnServer {
  let making: Promise<Capture> | null = null;
  const refresh = async (id: string): Promise<void> => {
    const capture = await client.readCapture(id);
    if (get().capture?.id === id) set({ capture });
  };
  return {
    async toAddTo(signal) {
      const current = get().capture;
      if (current !== null) return current;
      making ??= client.createCapture();
      const capture = await making;
      if (!signal.aborted) set({ capture: get().capture ?? capture });
      return capture;
    },
    forgetNew: () => (making = null),
    refresh,
    async change(work) {
      const id = get().capture?.id;
      if (id === undefined) return;
      try {
        await work(id);
        await refresh(id);
      } catch (error) {
        set({ notice: sentenceOf(error) });
      }
    },
  };
}

/** Uploads at a time: enough to fill the line, few enough for each to show progress. */
const AT_ONCE = 2;

interface FileSending {
  /** Sends a queue, AT_ONCE files at a time, until it is empty or the sending is stopped. */
  readonly send: (queue: Queued[], as: FileCorrection | undefined) => Promise<void>;
  /** Ends the sending of all queues; one that is sent later is not concerned. */
  readonly stop: () => void;
}

function fileSending(client: DraftClient, rows: UploadRows, server: CaptureOnServer): FileSending {
  let sending = new AbortController();
  const sendOne = async (
    capture: Capture,
    { picked, item }: Queued,
    as: FileCorrection | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    try {
      const onBytes = (sent: number): void => rows.patch(item.key, { sent });
      const added = await client.uploadFile(capture.id, picked, onBytes, signal);
      if (as !== undefined) await Promise.all(added.map((one) => client.correctFile(capture.id, one.id, as)));
      await server.refresh(capture.id);
      rows.dismiss(item.key);
    } catch (error) {
      if (isAbort(error)) rows.dismiss(item.key);
      else rows.patch(item.key, { problem: sentenceOf(error) });
    }
  };
  return {
    async send(queue, as) {
      const { signal } = sending;
      try {
        const capture = await server.toAddTo(signal);
        const work = async (): Promise<void> => {
          while (!signal.aborted) {
            const next = queue.shift();
            if (next === undefined) return;
            // oxlint-disable-next-line no-await-in-loop -- one file after the other, AT_ONCE of these loops run
            await sendOne(capture, next, as, signal);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
      } catch (error) {
        server.forgetNew();
        throw error;
      } finally {
        for (const { item } of queue) rows.dismiss(item.key);
      }
    },
    stop() {
      sending.abort();
      sending = new AbortController();
      server.forgetNew();
    },
  };
}

/** The page's draft: it stays while other screens are open. */
export const useDraft = create<Draft>()(createDraft(capturesClient));

function leftOutWords(taken: number, leftOut: readonly string[]): string | null {
  if (leftOut.length === 0) return null;
  const what = leftOut.length === 1 ? `${leftOut[0]} was` : `${leftOut.length} files were`;
  const rest =
    taken === 0 ? "Add the .xel files of the event session, or a zip of them." : "The others are read.";
  return `${what} left out: the name does not end in .xel, .zip, .xml or .csv. ${rest}`;
}
