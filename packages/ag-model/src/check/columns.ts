/** Expectations about the columns of events: names, types, the layout of GUIDs, and that every byte belongs to one. */
import { EVENT_REQUEST } from "../events/index.ts";
import { MOST_EXAMPLES, type Expectation } from "./expectation.ts";
import { sumOf, type CaptureFacts } from "./facts.ts";
import { expectation, listed, number } from "./row.ts";

const INTEGER = /^u?int(?:8|16|32|64)$/u;

/** Columns whose type decides the subject of an event: without them no events are joined. */
const DECISIVE: ReadonlySet<string> = new Set(["blockId", "partner", "self", "database", "group"]);

interface Column {
  readonly place: string;
  readonly column: string;
  readonly expected: "integer" | "guid" | "text";
  /** Null where the event does not have it. */
  readonly type: string | null;
  readonly count: number;
}

/** The columns that the model reads, for the events in the files. */
function columnsOf({ readings }: CaptureFacts): Column[] {
  const columnTypes = new Map(EVENT_REQUEST.columns.map(({ name, type }) => [name, type]));
  const wanted = new Map(EVENT_REQUEST.events.map((event) => [event.name, event.fields]));
  const found = readings.flatMap(({ shape }) => shape?.events ?? []);
  return found.flatMap(({ name, count, columns }) =>
    (wanted.get(name) ?? []).map(({ field, column }) => {
      const asked = columnTypes.get(column);
      const expected = asked === "guid" || asked === "text" ? asked : "integer";
      const type = columns.find((one) => one.name === field)?.type ?? null;
      return { place: `${name}.${field}`, column, expected, type, count };
    }),
  );
}

function isAsExpected({ expected, type }: Column): boolean {
  if (type === null) return false;
  if (expected === "integer") return INTEGER.test(type);
  return expected === "guid" ? type === "guid" : type.startsWith("map ") || type === "unicode_string";
}

/** A map where a number is expected counts with its code; any other type is read incorrectly. */
const isReadAllTheSame = ({ expected, type }: Column): boolean =>
  expected === "integer" && type?.startsWith("map ") === true;

const oddColumn = ({ place, expected, type }: Column): string =>
  type === null ? `${place} is missing` : `${place} is ${type}, ${expected} expected`;

export function columnsExpectation(facts: CaptureFacts): Expectation {
  const columns = columnsOf(facts);
  const odd = columns.filter((column) => !isAsExpected(column));
  const wrong = odd.filter(
    (column) => column.type !== null && !isReadAllTheSame(column) && DECISIVE.has(column.column),
  );
  const types = new Set(columns.map(({ place }) => place.split(".")[0])).size;
  return expectation({
    id: "columns",
    group: "columns",
    title: "Columns by name and type",
    met: columns.length - odd.length,
    notMet: odd.length,
    unit: "columns",
    isCritical: wrong.length > 0,
    expected: "Each event has the columns that AG Lens reads, with a type that holds their values.",
    found: `${number(columns.length)} columns in ${number(types)} event types`,
    results: "All stages",
    examples: [...new Set(odd.map(oddColumn))],
  });
}

/** Sizes of values by the reader; a pointer may have 4 bytes (docs/reference/xel-format.md 5.1). */
const SIZES: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    int8: [1], int16: [2], int32: [4], int64: [8], uint8: [1], uint16: [2], uint32: [4], uint64: [8],
    float32: [4], float64: [8], cpu_cycle: [8], filetime: [8], ptr: [4, 8], boolean: [1],
    ansi_string: [0], unicode_string: [0], guid: [0], binary_data: [0], callstack: [0], xml: [0],
    activity_id: [20], activity_id_xfer: [20],
  }),
); // prettier-ignore

export function typesExpectation({ readings }: CaptureFacts): Expectation {
  const types = readings.flatMap(({ shape }) => shape?.types ?? []).filter(({ name }) => SIZES.has(name));
  const odd = types.filter(({ name, size }) => SIZES.get(name)?.includes(size) === false);
  return expectation({
    id: "types",
    group: "columns",
    title: "Sizes of types",
    met: types.length - odd.length,
    notMet: odd.length,
    unit: "types",
    isCritical: odd.some(({ name }) => name !== "guid"),
    expected: "The metadata declares the sizes of types that values are read by.",
    found: `${number(types.length)} types in ${number(readings.length)} files`,
    results: "All results",
    examples: [...new Set(odd.map(({ name, size }) => `${name} has ${number(size)} bytes`))],
  });
}

export function guidsExpectation(facts: CaptureFacts): Expectation {
  const guids = columnsOf(facts).filter(({ expected, type }) => expected === "guid" && type === "guid");
  const values = sumOf(guids, ({ count }) => count);
  const inPlace = facts.readings.some(({ shape }) => shape?.guidsInPlace === true);
  const { replicas = [], databases = [] } = facts.model ?? {};
  const ids = [...replicas.flatMap((replica) => replica.ids), ...databases.map(({ id }) => id)];
  const odd = ids.filter((id) => id !== "" && !isGuid(id)).length;
  const isOverwritten = ids.some(isOverwrittenGuid);
  const isWrong = odd > 0 || isOverwritten;
  return expectation({
    id: "guids",
    group: "columns",
    title: "GUIDs in SQL Server's layout",
    met: inPlace || isWrong ? 0 : values,
    notMet: inPlace || isWrong ? values : 0,
    unit: "values",
    isCritical: isWrong,
    expected: "A GUID has 16 bytes after the fixed part of the event.",
    found: inPlace ? "16 bytes inside the fixed part" : "16 bytes after the fixed part",
    results: "Replicas, databases",
    examples: [
      ...(inPlace
        ? ["The files declare a size for GUIDs. SQL Server doesn't: a tool wrote them again."]
        : []),
      ...(isOverwritten
        ? ["Ids were overwritten by an earlier version of AG Lens. Upload the files again."]
        : []),
      ...(odd > 0 ? [`${number(odd)} ids don't have 16 bytes.`] : []),
    ],
  });
}

const isGuid = (id: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);

/**
 * Whether the second half of an id has only bytes 0xFF and 0x00. Up to November 2026, dropping sensitive values
 * overwrote ids in uploaded files with 0xFF and left bytes that were zero. Up to eight bytes of the first id after an
 * event's fixed part stayed: AG Lens read those as another column.
 */
export const isOverwrittenGuid = (id: string): boolean =>
  isGuid(id) && /^(?:ff|00|-)+$/u.test(id.slice(HALF_GUID)) && id.includes("ff", HALF_GUID);

/** Characters of the first eight bytes, with the hyphens between them and after them. */
const HALF_GUID = "00000000-0000-0000-".length;

export function payloadExpectation({ readings }: CaptureFacts): Expectation {
  const shaped = readings.filter(({ shape }) => shape !== undefined);
  const events = sumOf(shaped, ({ shape }) => sumOf(shape!.events, ({ count }) => count));
  const odd = shaped.flatMap(({ unclaimed }) => unclaimed);
  const oddEvents = sumOf(odd, (one) => one.events);
  const bytes = sumOf(odd, (one) => one.bytes);
  return expectation({
    id: "payload-bytes",
    group: "columns",
    title: "Payload bytes claimed",
    met: events - oddEvents,
    notMet: oddEvents,
    unit: "events",
    isCritical: oddEvents > events * MOST_ODD_SHARE,
    expected: "The columns of an event take every byte of its payload.",
    found: bytes === 0 ? "no byte unclaimed" : `${number(bytes)} bytes unclaimed`,
    results: "All results",
    examples: odd
      .slice(0, MOST_EXAMPLES)
      .map(
        (one) =>
          `${one.package}.${one.event}: ${number(one.bytes)} bytes in ${number(one.events)} events, the first at byte ${number(one.offset)}`,
      ),
  });
}

/** Fewer odd values are damage of single events; more are a layout that is read incorrectly. */
const MOST_ODD_SHARE = 0.01;

export function actionsExpectation({ readings }: CaptureFacts): Expectation {
  const actions = new Set(readings.flatMap(({ shape }) => shape?.actions ?? []));
  const names = [...actions].map((name) => name.replace(/^[^.]*\./u, "")).toSorted();
  return expectation({
    id: "actions",
    group: "completeness",
    title: "Actions present",
    met: names.length,
    notMet: 0,
    unit: "actions",
    expected: "The session collects event_sequence, so that lost events can be counted exactly.",
    found: names.length === 0 ? "no action is recorded" : listed(names),
    results: "Exact loss",
    examples: [],
  });
}

export function buffersExpectation({ readings }: CaptureFacts): Expectation {
  const shapes = readings.flatMap(({ shape }) => shape ?? []);
  const buffers = sumOf(shapes, (shape) => shape.buffers);
  const foreign = sumOf(shapes, (shape) => shape.foreignBuffers);
  return expectation({
    id: "buffers",
    group: "completeness",
    title: "Buffers of one session",
    met: buffers - foreign,
    notMet: foreign,
    unit: "buffers",
    expected: "All buffers of a file have the signature of its metadata.",
    found: `${number(buffers)} buffers`,
    results: "Coverage",
    examples: foreign === 0 ? [] : [`${number(foreign)} buffers have another signature than the metadata.`],
  });
}
