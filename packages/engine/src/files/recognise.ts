/** Recognizes the kind of a file, on any storage. Light to load: a server starts a thread with it for each upload. */
import type { Gap, GapNeighbor } from "@aglens/contract";
import {
  agTypeOf,
  EVENTS,
  fileOf,
  gapNeighbors,
  gapsOf,
  ImpossibleIds,
  readEventPieces,
  readEvents,
  RecognitionOfParts,
} from "@aglens/ag-model/events";
import type { EventColumns, EventFile } from "@aglens/ag-model/events";
import { IdentityOfParts } from "@aglens/ag-model/grouping";
import {
  buffersOfEvents,
  prepareInOrder,
  readTopology,
  TopologyError,
  xmlText,
} from "@aglens/ag-model/replication";
import { XelFormatError, filetimeText } from "xel-parser/format";
import type { DecodeOptions, FileReport } from "xel-parser/format";
import { TEXT_HEAD_BYTES, textKindOf, xelOfText } from "xel-parser/text-events";
import type { TextKind } from "xel-parser/text-events";
import { asSentence } from "../problems/problems.ts";
import { unlessOverwritten } from "./earlier-version.ts";
import { eventsIn } from "./events-in.ts";
import { EVIDENCE_HEAD_BYTES, recognizeEvidence } from "./recognize-evidence.ts";
import { keptIdentity } from "./kept-identity.ts";
import type { Preparing, ReadableFile, RecognizeOptions } from "./readable-file.ts";
import { NOTHING, unreadable } from "./recognised.ts";
import type { Recognized } from "./recognised.ts";

/** A row of a topology has some 500 bytes, so this is enough for thousands of them. */
const TOPOLOGY_BYTES = 4 * 1024 * 1024;

/** Reads a file to find its role, evidence, time and gaps. An unreadable file is an answer, not an error. */
export async function recognizeFile(file: ReadableFile, options: RecognizeOptions): Promise<Recognized> {
  const { replace, onColumns, preparing, onProgress = () => {} } = options;
  const { name, size } = file;
  const decoding: DecodeOptions = { fileBytes: size, onProgress };
  const head = await file.head(EVIDENCE_HEAD_BYTES);
  const kind = textKindOf(head);
  const text = kind === undefined ? xmlText(head.subarray(0, TEXT_HEAD_BYTES)) : null;
  if (text?.includes("<AGInfoRoot") === true) return recognizeTopology(file);
  const evidence = await recognizeEvidence(file, head, options);
  if (evidence !== null) return evidence;
  try {
    if (kind !== undefined) return await recognizeText(kind, file, replace);
    const described = preparing === undefined ? null : await describeInPieces(file, preparing, decoding);
    if (described !== null) return described;
    const columns = await readEvents(file.bytes(), name, decoding);
    // Events that are refused belong to no capture.
    const found = unlessOverwritten(name, describe(columns));
    if (found.kind === "xel") onColumns?.(columns);
    return found;
  } catch (error) {
    if (error instanceof ImpossibleIds)
      return unreadable(`${name}: ${error.message} ${LEFT_OUT} ${COPY_AGAIN}`);
    if (!(error instanceof XelFormatError)) throw error;
    return unreadable(`${name}, byte ${error.offset}: ${asSentence(error.message)} ${LEFT_OUT}`);
  }
}

async function recognizeText(
  kind: TextKind,
  file: ReadableFile,
  replace: RecognizeOptions["replace"],
): Promise<Recognized> {
  const made: { report?: FileReport } = {};
  async function* bytes() {
    made.report = yield* xelOfText(() => file.chunks(), kind, { typeOf: agTypeOf });
  }
  const written = await replace(bytes());
  const found = describe(await readEvents(written.bytes(), file.name));
  const gaps = gapsOf(made.report as FileReport).map((gap) => ({ ...gap, before: null, after: null }));
  return { ...found, gaps: [...gaps, ...found.gaps], size: written.size };
}

const LEFT_OUT = "The analysis skips the file.";
const COPY_AGAIN = "Copy it from the server again.";

/** Description of a file by its events. */
function describe(columns: EventColumns): Recognized {
  const description = new Description();
  description.add(columns);
  const { gaps } = fileOf(columns);
  return { ...description.recognised(), gaps: withNeighbors(gaps, columns) };
}

/**
 * The same, prepared and described piece by piece; null where that needs all events at once: to put them in order, and
 * to find the events next to a gap.
 */
async function describeInPieces(
  file: ReadableFile,
  { onPrepared, giveBack }: Preparing,
  decoding: DecodeOptions,
): Promise<Recognized | null> {
  const { name, size } = file;
  let description = new Description();
  async function* read(): AsyncGenerator<EventColumns> {
    // Pieces are read a second time where late ones explain earlier ones.
    description = new Description();
    for await (const piece of readEventPieces(file.bytes(), name, decoding)) {
      description.add(piece);
      yield piece;
    }
  }
  const prepared = await prepareInOrder({
    files: [read],
    events: eventsIn(size),
    release: (columns) => giveBack(buffersOfEvents({ columns })),
  });
  if (prepared === null || fileOf(prepared).gaps.length > 0) return null;
  const found = unlessOverwritten(name, description.recognised());
  if (found.kind === "xel") onPrepared(prepared);
  return found;
}

/** Collects facts about a file from its events, which arrive in the order of publish time. */
class Description {
  readonly #found = new RecognitionOfParts();
  readonly #identity = new IdentityOfParts();
  /** Known after the last piece. */
  readonly #files: EventFile[] = [];

  add(columns: EventColumns): void {
    this.#found.add(columns);
    this.#identity.add(columns);
    this.#files.push(...columns.files);
  }

  /** Without gaps. */
  recognised(): Recognized {
    const found = this.#found.recognition();
    const file = fileOf({ files: this.#files });
    const unclaimed = file.reading?.unclaimed ?? [];
    const any = found.events > 0;
    return {
      kind: "xel",
      message: null,
      gaps: [],
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
      identity: keptIdentity(this.#identity.identity()),
      ...(unclaimed.length === 0 ? {} : { unclaimed: [...unclaimed] }),
    };
  }
}

/** The gaps with the readable events next to them. */
function withNeighbors(gaps: readonly Gap[], columns: EventColumns): Gap[] {
  const neighbors = gapNeighbors(gaps, columns.offset.subarray(0, columns.length));
  return gaps.map((gap, index) => ({
    ...gap,
    before: eventAt(columns, neighbors[index]?.before),
    after: eventAt(columns, neighbors[index]?.after),
  }));
}

function eventAt({ kind, ticks }: EventColumns, row = -1): GapNeighbor | null {
  const [event, at] = [kind[row], ticks[row]];
  if (event === undefined || at === undefined) return null;
  return { name: EVENTS[event]?.name ?? "another event", at: filetimeText(at) };
}

async function recognizeTopology(file: ReadableFile): Promise<Recognized> {
  const { name, size } = file;
  if (size > TOPOLOGY_BYTES) {
    return unreadable(
      `${name} has ${size.toLocaleString("en")} bytes, more than the topology of an availability group can have (${TOPOLOGY_BYTES.toLocaleString("en")}). ${LEFT_OUT}`,
    );
  }
  return {
    ...NOTHING,
    kind: "topology",
    evidence: "AGInfoRoot, names of replicas and databases",
    ...namesIn(xmlText(await file.head(size)) ?? ""),
  };
}

/** Names by id. Faults of the rest of the file are reported when it is analyzed. */
function namesIn(topology: string): Pick<Recognized, "replicaNames" | "databaseNames" | "groupNames"> {
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
