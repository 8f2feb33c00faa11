/** What a run recorded becomes a capture like any other: its event files, and a topology with the names. */
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Topology } from "@aglens/ag-model/replication";
import { z } from "zod";
import type { Captures } from "../../captures/captures.ts";
import { writeAside } from "../../write-aside.ts";
import type { SpilledFile } from "./spill.ts";

export interface KeptReplica {
  readonly name: string;
  readonly role: "primary" | "secondary" | "unknown";
}

export interface KeptRun {
  readonly title: string;
  readonly replicas: readonly KeptReplica[];
  readonly topology: Topology;
  readonly files: readonly SpilledFile[];
}

/** Makes the capture and starts its analysis; the files move. @returns null when there are none */
export async function keepAsCapture(
  captures: Captures,
  { title, replicas, topology, files }: KeptRun,
): Promise<string | null> {
  if (files.length === 0) return null;
  const { id } = captures.create(title, true);
  const adopt = async ({ replica, path }: SpilledFile): Promise<void> => {
    const { name, role } = replicas[replica] ?? nameless(replica);
    const count = files.filter((file) => file.replica === replica && file.path <= path).length;
    const taken = await captures.files.adopt(
      id,
      `${name.replaceAll(/[^A-Za-z0-9_.-]/gu, "_")}_${count}.xel`,
      path,
    );
    if (taken.kind !== "xel") return;
    captures.files.correct(id, taken.id, { replica: name, ...(role === "unknown" ? {} : { role }) });
  };
  await Promise.all(files.map(adopt));
  if (topology.replicas.size > 0)
    await captures.files.receive(id, "topology.xml", once(topologyXml(topology)));
  if (captures.get(id).files.some((file) => file.kind === "xel" && file.role !== "ignored"))
    captures.analyses.startUnasked(id);
  return id;
}

/** The topology as the query of the guide would write it. */
export function topologyXml({ replicas, databases }: Topology): string {
  const rows = [
    ...[...replicas].map(([id, { name, commitMode }]) => {
      const mode =
        commitMode === null
          ? ""
          : ` availability_mode_desc="${commitMode === "sync" ? "SYNCHRONOUS_COMMIT" : "ASYNCHRONOUS_COMMIT"}"`;
      return `  <row replica_id="${escaped(id)}" replica_server_name="${escaped(name)}"${mode}/>`;
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

const NOTE = "run.json";
const Note = z.object({
  title: z.string(),
  replicas: z.array(z.object({ name: z.string(), role: z.enum(["primary", "secondary", "unknown"]) })),
  topology: z.object({
    replicas: z.array(
      z.tuple([z.string(), z.object({ name: z.string(), commitMode: z.enum(["sync", "async"]).nullable() })]),
    ),
    databases: z.array(z.tuple([z.string(), z.string()])),
  }),
});

/** Writes down whose files lie in a run's directory. Holds names only. A note that is cut off leaves the one before. */
export async function writeNote(
  directory: string,
  { title, replicas, topology }: Omit<KeptRun, "files">,
): Promise<void> {
  const note: z.infer<typeof Note> = {
    title,
    replicas: [...replicas],
    topology: { replicas: [...topology.replicas], databases: [...topology.databases] },
  };
  await writeAside(join(directory, NOTE), JSON.stringify(note));
}

/**
 * Makes a capture of a run that did not come to its end, and removes its directory.
 * @returns the capture's id, null when nothing was recorded
 */
export async function recoverRun(captures: Captures, directory: string): Promise<string | null> {
  const files = await recordedIn(directory);
  const id = await keepAsCapture(captures, { ...(await readNote(directory)), files });
  await removeEmptied(directory);
  return id;
}

/** Removes a run's directory, unless a recording still lies in it: nothing else has those events. */
export async function removeEmptied(directory: string): Promise<void> {
  if ((await recordedIn(directory)).length > 0) return;
  await rm(directory, { recursive: true, force: true });
}

/** Files that hold events, in the order of their names. */
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

/** A replica of which the note says nothing. */
function nameless(replica: number): KeptReplica {
  return { name: `Replica ${replica + 1}`, role: "unknown" };
}

/** Whose files these are; nobody's without a note that can be read. */
async function readNote(directory: string): Promise<Omit<KeptRun, "files">> {
  const text = await readFile(join(directory, NOTE), "utf8").catch(() => "");
  const note = Note.safeParse(parsed(text));
  const { title, replicas, topology } = note.success ? note.data : NO_NOTE;
  const maps = { replicas: new Map(topology.replicas), databases: new Map(topology.databases) };
  return { title, replicas, topology: maps };
}

const NO_NOTE: z.infer<typeof Note> = {
  title: "Live run that was cut off",
  replicas: [],
  topology: { replicas: [], databases: [] },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
