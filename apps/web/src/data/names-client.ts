/**
 * Names of a capture, its group, servers and databases. Names by id are kept as a topology file of the capture, so that everything that
 * reads its files has them: grouping, analysis, tables, exports and saved captures.
 */
import { type Capture, type CaptureFile, NAMES_FILE, type Summary } from "@aglens/contract";
import { correctFile, removeFile, renameCapture, startAnalysis, uploadFile } from "./captures-client.ts";

/** A server or a database that can be named. */
export interface Named {
  /** availability_replica_ids, or one group_database_id; empty where no event shows an id. */
  readonly ids: readonly string[];
  readonly name: string;
  readonly from?: NameSource | undefined;
}

/** A name from a user, from a topology file or AlwaysOn_health of the capture, or remembered for the same id (another capture, a live check). */
export type NameSource = "renamed" | "topology" | "health" | "remembered";

export interface Names {
  readonly capture: string;
  /** Name of the availability group; empty where it is unknown. */
  readonly group: string;
  readonly groupFrom?: NameSource | undefined;
  /** In the order of the summary's replicas. */
  readonly servers: readonly Named[];
  readonly databases: readonly Named[];
}

/** The names that a capture has. */
export function namesOf({ name, files }: Pick<Capture, "name" | "files">, summary: Summary): Names {
  const named = files.filter(({ groupNames }) => groupNames.length > 0);
  // Event files have remembered names, which a topology outweighs.
  const groups = lastOfTopologies(named) ?? named.at(-1);
  return {
    capture: name,
    group: groups?.groupNames.length === 1 ? (groups.groupNames[0] ?? "") : "",
    groupFrom: groups && sourceOf(groups),
    servers: summary.replicas.map((server) => ({
      ids: server.ids,
      name: server.name,
      from: isGiven(files, server.name)
        ? "renamed"
        : sourceOfName(files, "replicaNames", server.ids, server.name),
    })),
    databases: summary.databases.map((database) => ({
      ids: [database.id],
      name: database.name,
      from: sourceOfName(files, "databaseNames", [database.id], database.name),
    })),
  };
}

/** A user named the server for its files. */
const isGiven = (files: Capture["files"], name: string): boolean =>
  files.some(({ kind, given }) => kind === "xel" && given.replica === name);

function sourceOf(file: CaptureFile): NameSource {
  if (isNamesFile(file)) return "renamed";
  return file.kind === "topology" ? "topology" : file.kind === "evidence" ? "health" : "remembered";
}

/** The last topology; without one, a file with names of its own. */
const lastOfTopologies = (files: readonly CaptureFile[]): CaptureFile | undefined =>
  files.findLast(({ kind }) => kind === "topology") ?? files.find(({ kind }) => kind === "evidence");

/** Source of a name: the last topology with it, otherwise another file that has it; undefined for none. */
function sourceOfName(
  files: Capture["files"],
  kind: "replicaNames" | "databaseNames",
  ids: readonly string[],
  name: string,
): NameSource | undefined {
  const found = files.filter((file) => ids.some((id) => file[kind][id] === name));
  const file = lastOfTopologies(found) ?? found[0];
  return file && sourceOf(file);
}

/** A topology as SQL Server's query returns it (FOR XML RAW, root AGInfoRoot), with names only. */
export function namesXml({ group, servers, databases }: Omit<Names, "capture">): string {
  const rows = [
    ...servers.flatMap(({ ids, name }) =>
      ids.map((id) => row({ replica_id: id, replica_server_name: name })),
    ),
    ...databases.flatMap(({ ids, name }) =>
      ids.map((id) => row({ group_database_id: id, database_name: name })),
    ),
    ...(group === "" ? [] : [row({ group_name: group })]),
  ];
  return `<AGInfoRoot>\n${rows.join("\n")}\n</AGInfoRoot>\n`;
}

function row(attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `  <row${written.join("")}/>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/gu, (sign) => ENTITIES[sign] ?? sign);

/**
 * Sets names of a capture, for all users. The capture is analyzed again where a group, a server or a database has
 * another name.
 * @param capture as it is
 * @param before names that it has
 * @returns whether it is analyzed again
 */
export async function giveNames(capture: Capture, before: Names, names: Names): Promise<boolean> {
  const { id, files } = capture;
  if (names.capture !== before.capture) await renameCapture(id, names.capture);
  if (isSame(before, names)) return false;
  const file = new File([namesXml(names)], NAMES_FILE, { type: "application/xml" });
  await uploadFile(id, { file, path: NAMES_FILE }, () => {}, new AbortController().signal);
  await removeAll(id, files.filter(isNamesFile));
  await correct(id, files, before.servers, names.servers);
  await startAnalysis(id);
  return true;
}

function isSame(a: Names, b: Names): boolean {
  const [one, other] = [a, b].map(({ group, servers, databases }) =>
    JSON.stringify([group, [...servers, ...databases].map(({ name }) => name)]),
  );
  return one === other;
}

/** Restores the names that the files have for servers and databases. @returns true: it is analyzed again */
export async function restoreNames({ id, files }: Capture): Promise<boolean> {
  await removeAll(id, files.filter(isNamesFile));
  await startAnalysis(id);
  return true;
}

/** Whether the user set names that differ from those in the files. */
export const hasRenames = ({ files }: Capture): boolean => files.some(isNamesFile);

const isNamesFile = ({ name, kind }: CaptureFile): boolean => kind === "topology" && name === NAMES_FILE;

async function removeAll(id: string, files: readonly CaptureFile[]): Promise<void> {
  for (const file of files) await removeFile(id, file.id);
}

/** A server that the user named for its files, or that has no id, is named for its files: that outweighs a topology. */
async function correct(
  id: string,
  files: readonly CaptureFile[],
  before: readonly Named[],
  servers: readonly Named[],
): Promise<void> {
  for (const [i, { ids, name }] of servers.entries()) {
    const old = before[i]?.name;
    if (old === name) continue;
    const own = files.filter(({ kind, replica }) => kind === "xel" && replica === old);
    for (const { id: file, given } of own)
      if (given.replica !== undefined || ids.length === 0) await correctFile(id, file, { replica: name });
  }
}
