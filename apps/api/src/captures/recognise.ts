/** What an uploaded file is. Light to load, because each upload starts a thread with it. */
import { createWriteStream } from "node:fs";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Gap, GapNeighbour } from "@aglens/contract";
import { agTypeOf, EVENTS, gapNeighbours, gapsOf, readEvents, recognise } from "@aglens/ag-model/events";
import type { EventColumns } from "@aglens/ag-model/events";
import { identityOf } from "@aglens/ag-model/grouping";
import { XelFormatError, filetimeText } from "xel-parser/format";
import type { FileReport } from "xel-parser/format";
import { readTopology, TopologyError, xmlText } from "@aglens/ag-model/replication";
import { TEXT_HEAD_BYTES, textKindOf, xelOfText } from "xel-parser/text-events";
import type { TextKind } from "xel-parser/text-events";
import { asSentence } from "@aglens/engine/problems";
import { chunksOf, fileOf, sourceOf } from "./event-file.ts";
import { keptIdentity } from "./kept-identity.ts";
import { NOTHING, unreadable } from "./recognised.ts";
import type { Recognised } from "./recognised.ts";

export interface FileToRecognise {
  readonly path: string;
  readonly name: string;
}

/** What is learned of a .xel file while it is recognised. */
export interface RecognitionNotes {
  /** Called with its events. */
  readonly onColumns?: (columns: EventColumns) => void;
  /** Called with its bytes in order, as far as they are read. */
  readonly onBytes?: (bytes: Uint8Array) => void;
}

/** A row of a topology has some 500 bytes; this is room for thousands of them. */
const TOPOLOGY_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file to find what it is: role, evidence, time, gaps. What cannot be read is an answer, not an error.
 */
export async function recogniseFile(
  { path, name }: FileToRecognise,
  { onColumns, onBytes }: RecognitionNotes = {},
): Promise<Recognised> {
  const head = await readHead(path);
  const kind = textKindOf(head);
  const text = xmlText(head);
  if (text !== null && kind === undefined) return recogniseXml(text, path, name);
  try {
    if (kind !== undefined) return await recogniseText(kind, path, name);
    const columns = await readEvents(sourceOf(path, onBytes), name, { fileBytes: (await stat(path)).size });
    onColumns?.(columns);
    return describe(columns);
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return unreadable(`${name}, byte ${error.offset}: ${asSentence(error.message)} ${LEFT_OUT}`);
  }
}

/** Puts a .xel file in the place of events that were saved as text: all that reads captures reads those files. */
async function recogniseText(kind: TextKind, path: string, name: string): Promise<Recognised> {
  const aside = `${path}.made`;
  try {
    const report = await writeXel(kind, path, aside);
    await rename(aside, path);
    const found = describe(await readEvents(sourceOf(path), name));
    const gaps = gapsOf(report).map((gap) => ({ ...gap, before: null, after: null }));
    return { ...found, gaps, size: (await stat(path)).size };
  } finally {
    await rm(aside, { force: true });
  }
}

async function writeXel(kind: TextKind, path: string, to: string): Promise<FileReport> {
  const made: { report?: FileReport } = {};
  async function* bytes() {
    made.report = yield* xelOfText(() => chunksOf(path), kind, { typeOf: agTypeOf });
  }
  await pipeline(bytes, createWriteStream(to));
  return made.report as FileReport;
}

const LEFT_OUT = "The file is left out of the analysis.";
function describe(columns: EventColumns): Recognised {
  const found = recognise(columns);
  const file = fileOf(columns);
  const any = columns.length > 0;
  return {
    kind: "xel",
    message: null,
    gaps: withNeighbours(file.gaps, columns),
    events: file.events,
    from: any ? filetimeText(found.fromTicks) : null,
    to: any ? filetimeText(found.toTicks) : null,
    detectedRole: found.role,
    evidence: found.evidence,
    replicaId: found.replicaId,
    partnerIds: [...found.partnerIds],
    replicaNames: {},
    databaseNames: {},
    groupNames: [],
    identity: keptIdentity(identityOf(columns)),
  };
}

/** The gaps with the readable events beside them. */
function withNeighbours(gaps: readonly Gap[], columns: EventColumns): Gap[] {
  const neighbours = gapNeighbours(gaps, columns.offset.subarray(0, columns.length));
  return gaps.map((gap, index) => ({
    ...gap,
    before: eventAt(columns, neighbours[index]?.before),
    after: eventAt(columns, neighbours[index]?.after),
  }));
}

function eventAt({ kind, ticks }: EventColumns, row = -1): GapNeighbour | null {
  const [event, at] = [kind[row], ticks[row]];
  if (event === undefined || at === undefined) return null;
  return { name: EVENTS[event]?.name ?? "another event", at: filetimeText(at) };
}

async function recogniseXml(head: string, path: string, name: string): Promise<Recognised> {
  if (head.includes("<AGInfoRoot")) {
    const { size } = await stat(path);
    if (size > TOPOLOGY_BYTES) {
      return unreadable(
        `${name} has ${size.toLocaleString("en")} bytes, more than the topology of an availability group can have (${TOPOLOGY_BYTES.toLocaleString("en")}). ${LEFT_OUT}`,
      );
    }
    return {
      ...NOTHING,
      kind: "topology",
      evidence: "AGInfoRoot, names of replicas and databases",
      ...namesIn(xmlText(await readFile(path)) ?? ""),
    };
  }
  return unreadable(
    `${name}, byte 0: the XML has no AGInfoRoot, so it is no topology of an availability group, and no event element. ${LEFT_OUT}`,
  );
}

/** Names by id. What is wrong with the rest of the file is reported when it is analysed. */
function namesIn(topology: string): Pick<Recognised, "replicaNames" | "databaseNames" | "groupNames"> {
  try {
    const { replicas, databases, groups } = readTopology(topology);
    const named = [...replicas].filter(([, { name }]) => name !== "");
    return {
      replicaNames: Object.fromEntries(named.map(([id, { name }]) => [id, name])),
      databaseNames: Object.fromEntries(databases),
      groupNames: [...groups],
    };
  } catch (error) {
    if (error instanceof TopologyError) return { replicaNames: {}, databaseNames: {}, groupNames: [] };
    throw error;
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(TEXT_HEAD_BYTES), 0, TEXT_HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
