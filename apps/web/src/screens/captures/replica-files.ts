/** The files of a capture by replica: their replica, the time that they cover, and the replicas without a file. */
import type { CaptureFile } from "@aglens/contract";

/** Files of one replica, oldest first. */
export interface ReplicaFiles {
  /** The word that groups its files, as detected or given by the user. */
  readonly replica: string;
  /** Name to show: the topology's name when the word is only a generic one. */
  readonly name: string;
  /** Lower-case GUID, when its events name it. */
  readonly id: string | null;
  readonly role: "primary" | "secondary";
  readonly files: readonly CaptureFile[];
  readonly events: number;
  /** Unix ms of the first and the last event; null when no file contains them. */
  readonly from: number | null;
  readonly to: number | null;
}

/** The capture's readable files by replica: the primary first, then by name. */
export function byReplica(files: readonly CaptureFile[]): ReplicaFiles[] {
  const readable = files.filter((file) => file.kind === "xel" && file.role !== "ignored");
  const groups = Map.groupBy(readable, (file) => `${file.role} ${file.replica}`);
  const names = namesOf(files);
  return [...groups.values()]
    .map((members) => replicaFiles(members, whoseFiles(members, names)))
    .sort((a, b) => a.role.localeCompare(b.role) || a.replica.localeCompare(b.replica));
}

const namesOf = (files: readonly CaptureFile[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...files.map((file) => file.replicaNames)) as Record<string, string>;

/** A name that the server generated because no name is known. */
const isGeneric = (word: string): boolean => /^(?:primary|secondary(?: \d+)?)$/iu.test(word);

type Whose = Pick<ReplicaFiles, "name" | "id" | "role">;

function whoseFiles(files: readonly CaptureFile[], names: Readonly<Record<string, string>>): Whose {
  const id = files.find((file) => file.replicaId !== null)?.replicaId ?? null;
  const { replica, role } = files[0] ?? { replica: "", role: "secondary" };
  return {
    name: (isGeneric(replica) && id !== null ? names[id] : undefined) ?? replica,
    id,
    role: role === "primary" ? "primary" : "secondary",
  };
}

/** The files of one replica with what they cover. */
export function replicaFiles(files: readonly CaptureFile[], whose: Whose): ReplicaFiles {
  const sorted = [...files].sort((a, b) => (a.from ?? "").localeCompare(b.from ?? ""));
  const begins = sorted.map((file) => unixMs(file.from)).filter((at) => at !== null);
  const ends = sorted.map((file) => unixMs(file.to)).filter((at) => at !== null);
  return {
    replica: sorted[0]?.replica ?? whose.name,
    ...whose,
    files: sorted,
    events: sorted.reduce((sum, file) => sum + file.events, 0),
    from: begins.length === 0 ? null : Math.min(...begins),
    to: ends.length === 0 ? null : Math.max(...ends),
  };
}

/** Unix ms of an ISO instant with up to 7 decimals. */
export function unixMs(iso: string | null): number | null {
  if (iso === null) return null;
  const ms = Date.parse(iso.replace(/(\.\d{3})\d*Z$/u, "$1Z"));
  return Number.isNaN(ms) ? null : ms;
}

/** The complete axis, and the part that every replica covers (null when there is no such part). */
export function coverageOf(
  replicas: readonly ReplicaFiles[],
): { from: number; to: number; common: readonly [number, number] | null } | null {
  const timed = replicas.filter((replica) => replica.from !== null && replica.to !== null);
  if (timed.length === 0) return null;
  const begins = timed.map((replica) => replica.from ?? 0);
  const ends = timed.map((replica) => replica.to ?? 0);
  const common: [number, number] = [Math.max(...begins), Math.min(...ends)];
  return {
    from: Math.min(...begins),
    to: Math.max(...ends),
    common: common[0] < common[1] && timed.length === replicas.length ? common : null,
  };
}
