/** Files of other facts than data movement: which they are, and the facts that are kept in their place. */
import {
  decodeFacts,
  encodeFacts,
  type FileFacts,
  FactsFormatError,
  HEAD_BYTES,
  isFacts,
  mergeFacts,
  readFacts,
  type RecognizedFile,
  recognizeFile,
  sessionKind,
  TAIL_BYTES,
  withoutSensitive,
} from "@aglens/evidence";
import type { CaptureFile } from "@aglens/contract";
import { looksLikeXel } from "xel-parser/format";
import { textKindOf } from "xel-parser/text-events";
import type { ReadableFile, RecognizeOptions } from "./readable-file.ts";
import { NOTHING, type Recognized } from "./recognised.ts";

/** Sessions that SQL Server and the cluster record themselves. A session with data movement is of another kind. */
const HEALTH: ReadonlySet<RecognizedFile["kind"]> = new Set([
  "alwaysOnHealth",
  "clusterDiagnostics",
  "systemHealth",
]);

/** Bytes of a file's beginning that show whether it is one of other facts. */
export const EVIDENCE_HEAD_BYTES = HEAD_BYTES;

/** Whether an event file is read for its own facts, by its first bytes. */
export const isHealthFile = (head: Uint8Array): boolean => {
  const kind = looksLikeXel(head) ? sessionKind(head) : null;
  return kind !== null && HEALTH.has(kind);
};

/** @returns null for a file of data movement, and for one that can't be read */
export async function recognizeEvidence(
  file: ReadableFile,
  head: Uint8Array,
  { replace, keepSensitive = false }: Pick<RecognizeOptions, "replace" | "keepSensitive">,
): Promise<Recognized | null> {
  const facts = await factsOf(file, head, keepSensitive);
  if (facts === null) return null;
  const { size } = await replace(single(encodeFacts(facts)));
  // The size of the file that facts were read from is unknown.
  const bytes = isFacts(head) ? undefined : (file.completeBytes ?? file.size);
  return { ...recognizedFacts(facts, bytes), size, dropped: droppedOf(facts, file.size, keepSensitive) };
}

async function factsOf(
  file: ReadableFile,
  head: Uint8Array,
  keepSensitive: boolean,
): Promise<FileFacts | null> {
  if (file.completeBytes !== undefined) return factsOfBeginning(file, head, file.completeBytes);
  if (isFacts(head)) return factsIn(file, keepSensitive);
  if (looksLikeXel(head) && !isHealthFile(head)) return null;
  const { size } = file;
  const tail = size > head.length ? await file.tail(TAIL_BYTES) : new Uint8Array();
  const recognized = recognizeFile(nameWithPath(file), head, size, tail);
  const isEvents = textKindOf(head) !== undefined;
  if (isEvents ? !HEALTH.has(recognized.kind) : recognized.state === "damaged") return null;
  if (recognized.kind === "topology") return null;
  const facts = await readFacts(recognized, () => file.chunks(), { keepSensitive });
  return keepSensitive ? facts : withoutSensitive(facts);
}

/** @returns null for a file that is used: without its other bytes it is a cut one */
async function factsOfBeginning(
  file: ReadableFile,
  head: Uint8Array,
  bytes: number,
): Promise<FileFacts | null> {
  const recognized = recognizeFile(nameWithPath(file), head, bytes);
  const isUnused = recognized.state === "notUsed" || recognized.state === "convert";
  return isUnused ? readFacts(recognized, () => file.chunks()) : null;
}

const nameWithPath = ({ name, path = "" }: ReadableFile): string => (path === "" ? name : `${path}/${name}`);

/** Facts that were read before: of a capture that was saved or lost, or of a live run. */
async function factsIn(file: ReadableFile, keepSensitive: boolean): Promise<FileFacts | null> {
  if (file.size > MOST_FACTS_BYTES) return null;
  try {
    const facts = decodeFacts(await file.head(file.size));
    return keepSensitive ? facts : withoutSensitive(facts);
  } catch (error) {
    if (error instanceof FactsFormatError) return null;
    throw error;
  }
}

/** Several times as many as the facts of a file have at most. */
const MOST_FACTS_BYTES = 128 * 1024 * 1024;

function recognizedFacts(
  facts: FileFacts,
  bytes: number | undefined,
): Recognized & Pick<CaptureFile, "evidenceFile"> {
  const { files, names, groups } = mergeFacts([facts]);
  const [{ kind, server, serverFrom, utcOffsetMinutes, state, use }] = files as [RecognizedFile];
  const { count = 0, first = [] } = facts.notUnderstood ?? {};
  return {
    ...NOTHING,
    kind: "evidence",
    replicaNames: Object.fromEntries(names.map(({ replicaId, server: name }) => [replicaId, name])),
    groupNames: [...new Set(groups.map(({ name }) => name))],
    evidenceFile: {
      kind,
      server,
      serverFrom,
      utcOffsetMinutes,
      state,
      use,
      isLocal: isLocal(facts),
      ...(bytes === undefined ? {} : { bytes }),
      events: facts.events.length,
      samples: facts.series.reduce((sum, { values }) => sum + values.length, 0),
      notUnderstood: { count, first: [...first] },
    },
  };
}

const isLocal = ({ isLocal: hasLocalEvents, events, series }: FileFacts): boolean =>
  (hasLocalEvents && events.length > 0) || (series.length > 0 && series.every((one) => one.isLocal));

/** A file without events and samples has no fact that is kept. */
function droppedOf(
  { events, series, dropped }: FileFacts,
  bytes: number,
  keepSensitive: boolean,
): CaptureFile["dropped"] {
  if (keepSensitive) return null;
  return events.length + series.length > 0 ? { values: dropped, bytes: 0 } : { values: 0, bytes };
}

// oxlint-disable-next-line typescript/require-await -- bytes are written as they arrive
async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
