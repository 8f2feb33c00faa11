/** Makes a capture like any other of a run's recorded data: its event files, and a topology with the names. */
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Topology } from "@aglens/ag-model/replication";
import { Owner } from "@aglens/contract";
import { z } from "zod";
import type { Captures } from "../../captures/captures.ts";
import { type RecordedMark, RecordedMarks } from "../../captures/kept/recorded-marks.ts";
import { newId } from "../../kernel/identity.ts";
import { writeAside } from "../../kernel/write-aside.ts";
import { evidenceIn, evidenceName } from "./evidence-files.ts";
import type { EvidenceFile } from "./evidence-files.ts";
import type { SpilledFile } from "./spill.ts";

export interface KeptReplica {
  readonly name: string;
  readonly role: "primary" | "secondary" | "unknown";
  /** The session that was created there and has not been dropped; absent without one. */
  readonly session?: string | undefined;
}

export interface KeptRun {
  readonly title: string;
  readonly replicas: readonly KeptReplica[];
  readonly topology: Topology;
  readonly marks: readonly RecordedMark[];
  readonly files: readonly SpilledFile[];
  /** Events of the servers; go along with event files, and make no capture alone. */
  readonly evidence: readonly EvidenceFile[];
  /** The person who began the run; absent where users don't sign in. */
  readonly owner?: Owner | undefined;
  /** Decided before there is a capture; absent for runs of people. */
  readonly as?: KeptAs | undefined;
}

/** Id, tags and life of the capture that a run becomes. */
const KeptAs = z.object({
  captureId: z.string(),
  tags: z.array(z.string()),
  /** Days until it is deleted; null: as other captures. */
  keepDays: z.number().nullable(),
});
export type KeptAs = z.infer<typeof KeptAs>;

/**
 * Makes the capture and starts its analysis; the files move. The plan is stored first, so that a process that ends at
 * any moment loses nothing: the next one continues from there (`recoverRun`).
 * @param directory that contains the files
 * @returns the capture's id, null when there are no files
 */
export async function keepAsCapture(
  captures: Captures,
  directory: string,
  run: KeptRun,
): Promise<string | null> {
  if (run.files.length === 0) return null;
  const plan = planOf(run);
  await writeAside(join(directory, PLAN), JSON.stringify(plan));
  return carryOut(captures, directory, plan);
}

/** Each step finds out whether it was done before. @returns the capture's id */
async function carryOut(captures: Captures, directory: string, plan: Plan): Promise<string> {
  const { captureId: id, title, files, owner, marks, as } = plan;
  await captures.ofLiveRun(id, title, owner, { marks, ...as });
  // The analysis is begun last. One that a kill interrupted may have begun again already, and takes no files meanwhile.
  if ((await captures.get(id)).state === "analysing") return id;
  const adopted = await Promise.allSettled(
    files.map(({ from, ...file }) => captures.files.adopt(id, { ...file, path: join(directory, from) })),
  );
  for (const each of adopted) if (each.status === "rejected") throw each.reason;
  const topology = topologyIn(plan);
  const { files: kept, state } = await captures.get(id);
  if (topology.replicas.size > 0 && kept.every((file) => file.kind !== "topology"))
    await captures.files.receive(id, "topology.xml", once(topologyXml(topology)));
  const hasEvents = kept.some((file) => file.kind === "xel" && file.role !== "ignored");
  if (hasEvents && state === "receiving") await captures.analyses.startUnasked(id);
  return id;
}

function planOf({ title, replicas, topology, files, evidence, owner, marks, as }: KeptRun): Plan {
  const counts = new Map<number, number>();
  const events = evidence.map(({ replica, path }) => {
    const { name } = replicas[replica] ?? nameless(replica);
    return { fileId: newId(), from: basename(path), name: evidenceName(name), given: { replica: name } };
  });
  return {
    captureId: as?.captureId ?? newId(),
    title,
    owner,
    as,
    topology: topologyForNote(topology),
    marks: [...marks],
    files: [...files]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ replica, path }): Plan["files"][number] => {
        const { name, role } = replicas[replica] ?? nameless(replica);
        const count = (counts.get(replica) ?? 0) + 1;
        counts.set(replica, count);
        return {
          fileId: newId(),
          from: basename(path),
          name: `${name.replaceAll(/[^A-Za-z0-9_.-]/gu, "_")}_${count}.xel`,
          given: { replica: name, ...(role === "unknown" ? {} : { role }) },
        };
      })
      .concat(events),
  };
}

/** The topology as the query of the guide would write it. */
export function topologyXml({ replicas, databases, serverOffsets }: Topology): string {
  const rows = [
    ...[...replicas].map(([id, { name, commitMode }]) => {
      const mode =
        commitMode === null
          ? ""
          : ` availability_mode_desc="${commitMode === "sync" ? "SYNCHRONOUS_COMMIT" : "ASYNCHRONOUS_COMMIT"}"`;
      const minutes = serverOffsets?.get(id);
      const offset = minutes === undefined ? "" : ` utc_offset_minutes="${minutes}"`;
      return `  <row replica_id="${escaped(id)}" replica_server_name="${escaped(name)}"${mode}${offset}/>`;
    }),
    ...[...databases].map(
      ([id, name]) => `  <row group_database_id="${escaped(id)}" database_name="${escaped(name)}"/>`,
    ),
  ];
  return `<AGInfoRoot>\n${rows.join("\n")}\n</AGInfoRoot>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const TopologyNote = z.object({
  replicas: z.array(
    z.tuple([z.string(), z.object({ name: z.string(), commitMode: z.enum(["sync", "async"]).nullable() })]),
  ),
  databases: z.array(z.tuple([z.string(), z.string()])),
  serverOffsets: z.array(z.tuple([z.string(), z.number()])).default([]),
});

const NOTE = "run.json";
const Note = z.object({
  title: z.string(),
  replicas: z.array(
    z.object({
      name: z.string(),
      role: z.enum(["primary", "secondary", "unknown"]),
      session: z.string().optional(),
    }),
  ),
  topology: TopologyNote,
  marks: RecordedMarks.default([]),
  owner: Owner.optional(),
  as: KeptAs.optional(),
});

const PLAN = "keep.json";
const Plan = z.object({
  captureId: z.string(),
  title: z.string(),
  topology: TopologyNote,
  marks: RecordedMarks.default([]),
  owner: Owner.optional(),
  as: KeptAs.optional(),
  files: z.array(
    z.object({
      fileId: z.string(),
      /** Name in the run's directory. */
      from: z.string(),
      name: z.string(),
      given: z.object({ replica: z.string(), role: z.enum(["primary", "secondary"]).optional() }),
    }),
  ),
});
type Plan = z.infer<typeof Plan>;

function topologyForNote({ replicas, databases, serverOffsets }: Topology): z.infer<typeof TopologyNote> {
  return {
    replicas: [...replicas],
    databases: [...databases],
    serverOffsets: [...(serverOffsets ?? [])],
  };
}

function topologyIn({ topology }: { readonly topology: z.infer<typeof TopologyNote> }): Topology {
  return {
    replicas: new Map(topology.replicas),
    databases: new Map(topology.databases),
    serverOffsets: new Map(topology.serverOffsets),
  };
}

/**
 * Stores the owner of the files in a run's directory, and its marks. Contains no logins. A note that is cut off leaves
 * the previous one.
 */
export async function writeNote(
  directory: string,
  { title, replicas, topology, owner, marks, as }: Omit<KeptRun, "files" | "evidence">,
): Promise<void> {
  const note: z.infer<typeof Note> = {
    title,
    owner,
    as,
    replicas: [...replicas],
    topology: topologyForNote(topology),
    marks: [...marks],
  };
  await writeAside(join(directory, NOTE), JSON.stringify(note));
}

/** A session that a process which was cut off had made and not dropped, with the name of its server and whose run it was of. */
export interface NotedSession {
  readonly name: string;
  readonly session: string;
  readonly owner: Owner | undefined;
}

/** The sessions of the run that was recorded in a directory. */
export async function sessionsNotedIn(directory: string): Promise<NotedSession[]> {
  const { replicas, owner } = await readNote(directory);
  return replicas.flatMap(({ name, session }) => (session === undefined ? [] : [{ name, session, owner }]));
}

/**
 * Makes a capture of a run that was interrupted, or continues to make it, and removes its directory. Does the same for
 * parts that were being kept.
 * @returns the capture's id, null when nothing was recorded
 */
export async function recoverRun(captures: Captures, directory: string): Promise<string | null> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    // The events of a part without a plan are in the files of the run too.
    if (entry.isDirectory()) await goOn(captures, join(directory, entry.name));
  }
  const begun = await goOn(captures, directory);
  const files = await recordedIn(directory);
  const rest = { ...(await readNote(directory)), files, evidence: await evidenceIn(directory) };
  const id = begun ?? (await keepAsCapture(captures, directory, rest));
  await removeEmptied(directory);
  return id;
}

/** Continues the plan of an earlier process. @returns the capture's id, null without a plan */
async function goOn(captures: Captures, directory: string): Promise<string | null> {
  const text = await readFile(join(directory, PLAN), "utf8").catch(() => "");
  const plan = Plan.safeParse(parsed(text));
  return plan.success ? carryOut(captures, directory, plan.data) : null;
}

/** Removes a run's directory, unless a recording is still in it: its events are nowhere else. */
export async function removeEmptied(directory: string): Promise<void> {
  if ((await recordedIn(directory)).length > 0) return;
  await rm(directory, { recursive: true, force: true });
}

/** Files with events, in the order of their names. */
async function recordedIn(directory: string): Promise<SpilledFile[]> {
  const files: SpilledFile[] = [];
  for (const name of (await readdir(directory)).toSorted()) {
    const replica = /^(\d+)_\d+\.xel$/u.exec(name)?.[1];
    if (replica === undefined) continue;
    const path = join(directory, name);
    const { size } = await stat(path);
    if (size > 0) files.push({ replica: Number(replica), path, bytes: size });
  }
  return files;
}

/** A replica that is missing in the note. */
function nameless(replica: number): KeptReplica {
  return { name: `Replica ${replica + 1}`, role: "unknown" };
}

/** Facts about the run of these files, with its owner; no owner without a readable note. */
async function readNote(directory: string): Promise<Omit<KeptRun, "files" | "evidence">> {
  const text = await readFile(join(directory, NOTE), "utf8").catch(() => "");
  const note = Note.safeParse(parsed(text));
  const found = note.success ? note.data : NO_NOTE;
  const { title, replicas, owner, marks, as } = found;
  return { title, replicas, topology: topologyIn(found), owner, marks, as };
}

const NO_NOTE: z.infer<typeof Note> = {
  title: "Live run that was cut off",
  replicas: [],
  topology: { replicas: [], databases: [], serverOffsets: [] },
  marks: [],
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
