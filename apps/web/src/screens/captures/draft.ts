/** The capture that is being put together: its files on the server and what is still on the way there. */
import { create } from "zustand";
import type { Capture, CaptureFile, FileCorrection } from "@aglens/contract";
import * as client from "../../data/captures-client.ts";
import { isAbort, sentenceOf } from "../../data/problem.ts";
import { captureName, sortOut } from "./dropped.ts";

export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly problem: string | null;
}

interface Draft {
  readonly capture: Capture | null;
  readonly uploads: readonly Upload[];
  readonly notice: string | null;
  /** Takes files in; the first make the capture. `as` puts them to a replica. */
  readonly add: (files: readonly File[], as?: FileCorrection) => Promise<void>;
  /** Continues with a capture that was begun before. */
  readonly open: (id: string) => Promise<void>;
  readonly stop: () => void;
  readonly dismiss: (key: number) => void;
  readonly correct: (file: string, correction: FileCorrection) => Promise<void>;
  readonly remove: (file: string) => Promise<void>;
  readonly rename: (name: string) => Promise<void>;
  /** Starts over; the capture on the server stays. */
  readonly reset: () => void;
}

/** Uploads at a time: enough to fill the line, few enough for each to show progress. */
const AT_ONCE = 2;
let stopper = new AbortController();
let making: Promise<Capture> | null = null;
let nextKey = 1;

export const useDraft = create<Draft>()((set, get) => {
  const patch = (key: number, change: Partial<Upload>): void =>
    set(({ uploads }) => ({
      uploads: uploads.map((item) => (item.key === key ? { ...item, ...change } : item)),
    }));
  const drop = (key: number): void =>
    set(({ uploads }) => ({ uploads: uploads.filter((item) => item.key !== key) }));
  const refresh = async (): Promise<void> => {
    const id = get().capture?.id;
    if (id !== undefined) set({ capture: await client.readCapture(id) });
  };
  const guarded = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      await refresh();
    } catch (error) {
      if (!isAbort(error)) set({ notice: sentenceOf(error) });
    }
  };

  /** The capture to add to; made once, however many files arrive together. */
  const captureFor = async (name: string): Promise<Capture> => {
    const current = get().capture;
    if (current !== null) return current;
    making ??= client.createCapture(captureName(name));
    try {
      const capture = await making;
      set({ capture: get().capture ?? capture });
      return capture;
    } finally {
      making = null;
    }
  };

  const upload = async (
    capture: Capture,
    item: Upload,
    file: File,
    as: FileCorrection | undefined,
  ): Promise<void> => {
    try {
      const added = await client.uploadFile(
        capture.id,
        file,
        (sent) => patch(item.key, { sent }),
        stopper.signal,
      );
      if (as !== undefined) await Promise.all(added.map((one) => client.correctFile(capture.id, one.id, as)));
      await refresh();
      drop(item.key);
    } catch (error) {
      if (isAbort(error)) drop(item.key);
      else patch(item.key, { problem: sentenceOf(error) });
    }
  };

  return {
    capture: null,
    uploads: [],
    notice: null,
    async add(files, as) {
      const { files: taken, leftOut } = sortOut(files);
      set({ notice: leftOutWords(taken.length, leftOut) });
      if (taken.length === 0) return;
      const queue = taken.map((file) => ({
        file,
        item: { key: nextKey++, name: file.name, size: file.size, sent: 0, problem: null } as Upload,
      }));
      set(({ uploads }) => ({ uploads: [...uploads, ...queue.map((entry) => entry.item)] }));
      try {
        const capture = await captureFor(taken[0].name);
        const work = async (): Promise<void> => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            // oxlint-disable-next-line no-await-in-loop -- one file after the other, AT_ONCE of these loops run
            await upload(capture, next.item, next.file, as);
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
      } catch (error) {
        for (const { item } of queue) drop(item.key);
        set({ notice: sentenceOf(error) });
      }
    },
    open: (id) =>
      guarded(async () => {
        set({ capture: await client.readCapture(id), notice: null });
      }),
    stop() {
      stopper.abort();
      stopper = new AbortController();
    },
    dismiss: drop,
    correct: (file, correction) =>
      guarded(() => client.correctFile(get().capture?.id ?? "", file, correction)),
    remove: (file) => guarded(() => client.removeFile(get().capture?.id ?? "", file)),
    rename: (name) => guarded(() => client.renameCapture(get().capture?.id ?? "", name)),
    reset() {
      stopper.abort();
      stopper = new AbortController();
      set({ capture: null, uploads: [], notice: null });
    },
  };
});

function leftOutWords(taken: number, leftOut: readonly string[]): string | null {
  if (leftOut.length === 0) return null;
  const what = leftOut.length === 1 ? `${leftOut[0]} was` : `${leftOut.length} files were`;
  const rest =
    taken === 0 ? "Add the .xel files of the event session, or a zip of them." : "The others are read.";
  return `${what} left out: the name does not end in .xel, .zip, .xml or .csv. ${rest}`;
}

/** Files of one replica, oldest first. */
export interface ReplicaFiles {
  /** The word that groups its files, as detected or given by the user. */
  readonly replica: string;
  /** What to call it: the topology's name when the word is only a generic one. */
  readonly name: string;
  /** Lower-case GUID, when its events name it. */
  readonly id: string | null;
  readonly role: "primary" | "secondary";
  readonly files: readonly CaptureFile[];
  readonly events: number;
  /** Unix ms of the first and the last event; null when no file tells. */
  readonly from: number | null;
  readonly to: number | null;
}

/** The capture's readable files by replica: the primary first, then by name. */
export function byReplica(files: readonly CaptureFile[]): ReplicaFiles[] {
  const readable = files.filter((file) => file.kind === "xel" && file.role !== "ignored");
  const groups = Map.groupBy(readable, (file) => `${file.role} ${file.replica}`);
  const names = namesOf(files);
  return [...groups.values()]
    .map((members) => replicaFiles(members, names))
    .sort((a, b) => a.role.localeCompare(b.role) || a.replica.localeCompare(b.replica));
}

const namesOf = (files: readonly CaptureFile[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...files.map((file) => file.replicaNames)) as Record<string, string>;

/** A word the server gave for want of a name. */
const isGeneric = (word: string): boolean => /^(?:primary|secondary(?: \d+)?)$/iu.test(word);

/** A replica that events speak of and no file is from. */
export interface MissingReplica {
  readonly id: string;
  readonly name: string;
}

/**
 * Secondaries that the primary's events send to and no file is from. Needs the primary's files: a secondary's events
 * name only the primary. A secondary's file that does not name itself counts for one of them.
 */
export function missingReplicas(files: readonly CaptureFile[]): MissingReplica[] {
  const replicas = byReplica(files);
  const primary = replicas.find(({ role }) => role === "primary");
  const secondaries = replicas.filter(({ role }) => role === "secondary");
  if (primary === undefined) return [];
  const partners = new Set(primary.files.flatMap((file) => file.partnerIds));
  for (const { id } of replicas) if (id !== null) partners.delete(id);
  const names = namesOf(files);
  return [...partners]
    .slice(secondaries.filter(({ id }) => id === null).length)
    .map((id) => ({ id, name: names[id] ?? `Replica ${id.slice(0, 8)}` }));
}

function replicaFiles(files: CaptureFile[], names: Readonly<Record<string, string>>): ReplicaFiles {
  const sorted = [...files].sort((a, b) => (a.from ?? "").localeCompare(b.from ?? ""));
  const begins = sorted.map((file) => time(file.from)).filter((at) => at !== null);
  const ends = sorted.map((file) => time(file.to)).filter((at) => at !== null);
  const id = sorted.find((file) => file.replicaId !== null)?.replicaId ?? null;
  const word = sorted[0].replica;
  return {
    replica: word,
    name: (isGeneric(word) && id !== null ? names[id] : undefined) ?? word,
    id,
    role: sorted[0].role === "primary" ? "primary" : "secondary",
    files: sorted,
    events: sorted.reduce((sum, file) => sum + file.events, 0),
    from: begins.length === 0 ? null : Math.min(...begins),
    to: ends.length === 0 ? null : Math.max(...ends),
  };
}

/** Unix ms of an ISO instant with up to 7 decimals. */
export function time(iso: string | null): number | null {
  if (iso === null) return null;
  const ms = Date.parse(iso.replace(/(\.\d{3})\d*Z$/u, "$1Z"));
  return Number.isNaN(ms) ? null : ms;
}

/** The whole axis, and the part that every replica covers (null when there is none). */
export function coverage(
  replicas: readonly ReplicaFiles[],
): { from: number; to: number; common: readonly [number, number] | null } | null {
  const known = replicas.filter((replica) => replica.from !== null && replica.to !== null);
  if (known.length === 0) return null;
  const begins = known.map((replica) => replica.from ?? 0);
  const ends = known.map((replica) => replica.to ?? 0);
  const common: [number, number] = [Math.max(...begins), Math.min(...ends)];
  return {
    from: Math.min(...begins),
    to: Math.max(...ends),
    common: common[0] < common[1] && known.length === replicas.length ? common : null,
  };
}
