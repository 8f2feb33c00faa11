/** The capture that the user puts together: its files on the server and those that are still being sent. */
import { createContext, use } from "react";
import { type StateCreator, type StoreApi, useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { Capture, FileCorrection, UploadInParts } from "@aglens/contract";
import * as aglensClient from "../../../data/aglens-client.ts";
import { isAglensName } from "../../../data/aglens-client.ts";
import * as capturesClient from "../../../data/captures-client.ts";
import * as partsUpload from "../../../data/parts-upload.ts";
import { sentenceOf } from "../../../data/problem.ts";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import { oneAtATime } from "../../../ui/one-at-a-time.ts";
import type {
  CaptureOnServer,
  Draft,
  DraftClient,
  GetDraft,
  SetDraft,
  UploadEvent,
  UploadRows,
} from "./draft-types.ts";
import { type FileSending, fileSending } from "./file-sending.ts";
import { findKept, mayBeKept, nothingKept } from "./kept-uploads.ts";
import { navigate } from "../../../state/navigate.ts";
import { areKnown, type PickedFile, type SortedFiles, sortOut } from "./picked-files.ts";
import { isReadHere, tooLargeFor } from "./too-large-files.ts";
import { sendingRows } from "./upload-rows.ts";

/** No draft. */
const NOTHING = {
  capture: null,
  uploads: [],
  notice: null,
  kept: [],
  readings: new Map(),
  isPaused: false,
  events: [],
  tooLarge: null,
} as const satisfies Partial<Draft>;

/** State and clients that the actions of a draft share. */
interface DraftParts {
  readonly client: DraftClient;
  readonly set: SetDraft;
  readonly get: GetDraft;
  readonly rows: UploadRows;
  readonly server: CaptureOnServer;
  readonly sending: FileSending;
  readonly note: (what: string, detail?: string) => void;
}

/** A draft that sends its files by `client`. */
export const createDraft =
  (client: DraftClient): StateCreator<Draft> =>
  (set, get) => {
    const rows = sendingRows(set);
    const server = captureOnServer(client, set, get);
    const note = (what: string, detail = ""): void =>
      set(({ events }) => ({ events: [...events, { atMs: Date.now(), what, detail }] }));
    const sending = fileSending(client, { rows, server, note });
    const parts = { client, set, get, rows, server, sending, note };
    return {
      ...NOTHING,
      ...addingTo(parts),
      ...sendingOf(parts),
      dismiss: rows.dismiss,
      correct: (file, correction) => server.change((id) => client.correctFile(id, file, correction)),
      remove: (files) =>
        server.change(async (id) => {
          for (const file of files) await client.removeFile(id, file);
        }),
      rename: (name) => server.change((id) => client.renameCapture(id, name)),
      reset() {
        sending.stop();
        set(NOTHING);
      },
    };
  };

/** Opens saved captures and shows the last one; returns a sentence for each one that could not be opened. */
async function openSaved(
  { client, set }: DraftParts,
  files: readonly PickedFile[],
): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (const { file } of files) {
    set({ notice: texts.isBeingOpened(file.name) });
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the last one is shown
      const { id } = await client.openAglensFile(file);
      navigate(`/captures/${id}`);
    } catch (error) {
      refusals.push(sentenceOf(error));
    }
  }
  set({ notice: noticeOf(refusals) });
  return refusals;
}

/** Sends what was chosen, from where an earlier sending of it ended. */
async function take(
  { client, set, get, rows, sending, note }: DraftParts,
  taken: readonly PickedFile[],
  as: FileCorrection | undefined,
): Promise<void> {
  try {
    // The server is only asked for uploads that may exist: the rows of small files show at once.
    const found = mayBeKept(taken, get()) ? await findKept(client, taken, get()) : nothingKept(taken);
    if (found.capture !== null) set({ capture: found.capture });
    if (found.carriedOn.size > 0) note(texts.filesChosenAgain, chosenText(found.carriedOn.size, found.whole));
    set(({ kept }) => ({
      kept: kept.filter((upload) => ![...found.carriedOn.values()].some(({ id }) => id === upload.id)),
    }));
    const queue = rows.append(found.toSend, found.carriedOn);
    for (const [picked, otherThan] of found.others) rows.appendOther(picked, otherThan);
    await sending.send(queue, as);
  } catch (error) {
    set({ notice: sentenceOf(error) });
  }
}

/** Files that are read before they are sent, sorted by their use; null where that failed, or the user started over meanwhile. */
async function recognized(
  { get, set, sending }: DraftParts,
  files: readonly PickedFile[],
): Promise<SortedFiles | null> {
  const signal = sending.signal();
  set({ notice: texts.areRecognized(files.length) });
  try {
    const sorted = await sortOut(files, get().capture);
    return signal.aborted ? null : sorted;
  } catch (error) {
    // The code that recognizes files may not load.
    if (!signal.aborted) set({ notice: sentenceOf(error) });
    return null;
  }
}

/** Actions that add files to a draft. */
function addingTo(parts: DraftParts): Pick<Draft, "add" | "takeTooLarge"> {
  const { set, get } = parts;
  return {
    async add(files, as) {
      const saved = files.filter(({ file }) => isAglensName(file.name));
      const refusals = saved.length > 0 ? await openSaved(parts, saved) : [];
      const others = files.filter((file) => !saved.includes(file));
      if (others.length === 0) return;
      const isAnalyzed = get().capture?.state === "ready";
      const sorted =
        areKnown(others) && !isAnalyzed
          ? { taken: others, leftOut: [], needAnalysis: [] }
          : await recognized(parts, others);
      if (sorted === null) return;
      const { taken, leftOut, needAnalysis } = sorted;
      const skipped = [...leftOutText(taken.length, leftOut), ...needAnalysisText(needAnalysis)];
      set({ notice: noticeOf([...refusals, ...skipped]) });
      if (taken.length === 0) return;
      // Files that a server reads are sent at once.
      const tooLarge = isReadHere() ? await tooLargeFor(taken, as, get()) : null;
      if (tooLarge === null) await take(parts, taken, as);
      else set({ tooLarge });
    },
    async takeTooLarge(files) {
      const as = get().tooLarge?.as;
      set({ tooLarge: null });
      if (files.length > 0)
        await take(
          parts,
          files.map(({ picked }) => picked),
          as,
        );
    },
  };
}

/** Actions that continue, pause and discard the upload. */
function sendingOf({
  client,
  set,
  get,
  rows,
  sending,
  note,
}: DraftParts): Pick<Draft, "open" | "stop" | "pause" | "goOn" | "throwAway" | "sendAnew"> {
  /** Uploads of which the server has a part, without those that this page sends. */
  const readKept = async (id: string): Promise<readonly UploadInParts[]> => {
    const all = await client.uploadsOfServer().catch(() => []);
    return all.filter((upload) => upload.captureId === id && !sending.isSending(upload.id));
  };
  return {
    async open(id) {
      try {
        set({ capture: await client.readCapture(id), notice: null });
        const kept = await readKept(id);
        set({ kept, events: eventsOfServer(kept) });
      } catch (error) {
        set({ notice: sentenceOf(error) });
      }
    },
    stop() {
      // A file of which the server keeps a part has its own row.
      const stopped = get().uploads.filter(({ parts, problem }) => parts === null && problem === null);
      sending.stop();
      set({ isPaused: false, notice: stoppedText(stopped.map(({ name }) => name)) });
      const id = get().capture?.id;
      if (id !== undefined) void readKept(id).then((kept) => set({ kept }));
    },
    pause() {
      sending.pause();
      set({ isPaused: true });
      note("paused");
    },
    goOn() {
      sending.goOn();
      set({ isPaused: false });
    },
    async throwAway() {
      sending.stop();
      const id = get().capture?.id;
      if (id === undefined) return;
      try {
        for (const upload of await readKept(id)) await client.discardUpload(upload);
        set({ kept: [], uploads: [], isPaused: false });
      } catch (error) {
        set({ notice: sentenceOf(error), kept: await readKept(id) });
      }
    },
    async sendAnew(key) {
      const other = rows.takeOther(key);
      if (other === null) return;
      try {
        await client.discardUpload(other.otherThan);
        set(({ kept }) => ({ kept: kept.filter(({ id }) => id !== other.otherThan.id) }));
        await sending.send(rows.append([other.picked]), undefined);
      } catch (error) {
        set({ notice: sentenceOf(error) });
      }
    },
  };
}

/** Events of uploads that began on another page, as the server recorded them. */
function eventsOfServer(kept: readonly UploadInParts[]): UploadEvent[] {
  const [begun] = kept.map((upload) => Date.parse(upload.begun)).toSorted((a, b) => a - b);
  const [last] = kept.map((upload) => Date.parse(upload.lastReceived)).toSorted((a, b) => b - a);
  if (begun === undefined || last === undefined) return [];
  return [
    { atMs: begun, what: "begun", detail: "" },
    { atMs: last, what: texts.lastBytesCame, detail: "" },
    { atMs: Date.now(), what: texts.pageOpenedAgain, detail: "" },
  ];
}

function chosenText(carriedOn: number, whole: number): string {
  const same = carriedOn === 1 ? texts.itsNameSize : texts.nameSizeAndFirst(carriedOn);
  return whole === 0 ? same : texts.wholeAlready(same, whole);
}

function captureOnServer(client: DraftClient, set: SetDraft, get: GetDraft): CaptureOnServer {
  let making: Promise<Capture> | null = null;
  const refresh = oneAtATime(async () => {
    const id = get().capture?.id;
    if (id === undefined) return;
    const capture = await client.readCapture(id);
    if (get().capture?.id === id) set({ capture });
  });
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
        await refresh();
      } catch (error) {
        set({ notice: sentenceOf(error) });
      }
    },
  };
}

const newDraft = (): StoreApi<Draft> =>
  createStore<Draft>()(createDraft({ ...capturesClient, ...partsUpload, ...aglensClient }));

/** The page's draft: it stays while other screens are open. */
const pageDraft = newDraft();

/** The draft of the components inside: the page's, unless another one is provided. */
export const DraftContext = createContext(pageDraft);

/** A draft that adds files to a capture, apart from that of the page. */
export function draftOf(capture: Capture): StoreApi<Draft> {
  const draft = newDraft();
  draft.setState({ capture });
  return draft;
}

function useDraftHere(): Draft;
function useDraftHere<T>(selector: (draft: Draft) => T): T;
function useDraftHere<T>(selector?: (draft: Draft) => T): T | Draft {
  const select: (draft: Draft) => T | Draft = selector ?? ((draft) => draft);
  return useStore(use(DraftContext), select);
}

/** The draft around a component; its state and functions outside of components are those of the page's draft. */
export const useDraft = Object.assign(useDraftHere, pageDraft);

const noticeOf = (sentences: readonly string[]): string | null =>
  sentences.length === 0 ? null : sentences.join(" ");

/** Names of the files that did not arrive, up to a number that a person reads. */
function stoppedText(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const shown = names.slice(0, MOST_NAMED).join(", ");
  const more = names.length > MOST_NAMED ? texts.andMore(names.length - MOST_NAMED) : "";
  return texts.stoppedDidNotArrive(shown, more);
}

const MOST_NAMED = 3;

const needAnalysisText = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [texts.needAnotherAnalysis(names.length === 1 ? texts.was(names[0]) : texts.filesWere(names.length))];

function leftOutText(taken: number, leftOut: readonly string[]): readonly string[] {
  if (leftOut.length === 0) return [];
  const what = leftOut.length === 1 ? texts.was(leftOut[0]) : texts.filesWere(leftOut.length);
  const rest = taken === 0 ? texts.addTheXelFiles : texts.othersAreRead;
  return [texts.skippedTheNameDoes(what, rest)];
}
