/**
 * Checks that a stored model is one that an analysis could have stored. A file from another program may have other
 * types, and may refer to rows, replicas or databases that aren't there; all answers rely on valid references.
 */
import {
  CLIENT_COLUMNS,
  Gate,
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  WRITE_PARTS,
  MARKER_KINDS,
  type AvailabilityDatabase,
  type BlockTable,
  type CaptureModel,
  type ClockFit,
  type CommitClients,
  type CommitTable,
  type CountedLoss,
  type EventRun,
  type HopTable,
  type MarkerTable,
  type Phase,
  type Replica,
  type SourceFile,
} from "@aglens/ag-model/replication";
import { LOSS_CAUSES, type FileReading } from "@aglens/ag-model/events";
import { UnclaimedPayload } from "./shapes/files.ts";
import { Summary, UtcOffset } from "./shapes/summary.ts";
import { TableError, type Column } from "./arrow-columns.ts";
import { z } from "./zod.ts";

export { TableError };

/** A stored model has null for NaN, so any number that may be missing reads as NaN. */
const us = z.union([z.number(), z.nan()]);
const count = z.number().int().min(0);

/** A schema for each field of a type: a type that gets another field doesn't compile without a schema for it. */
const schemaOf = <Type>(shape: { readonly [Key in keyof Required<Type>]: z.ZodType }) => z.object(shape);

const ReplicaShape = schemaOf<Replica>({
  id: z.string(),
  ids: z.array(z.string()),
  name: z.string(),
  role: z.enum(["primary", "secondary"]),
  hasCapture: z.boolean(),
  hasCounter: z.boolean(),
  commitMode: z.enum(["sync", "async", "undetermined"]),
  events: count,
  from: us,
  to: us,
  restarts: z.array(z.number()).optional(),
  utcChanges: z.array(z.object({ from: z.number(), to: z.number(), us: z.number() })).optional(),
  utcOffsetMinutes: UtcOffset.optional(),
});

const DatabaseShape = schemaOf<AvailabilityDatabase>({
  id: z.string(),
  name: z.string(),
  group: count,
  replicaIds: z.array(z.string()),
  localIds: z.array(z.number()),
});

const PhaseShape = schemaOf<Phase>({
  databases: z.array(count),
  primary: count,
  from: us,
  to: us,
  commitModes: z.array(z.union([z.enum(["sync", "async", "undetermined"]), z.nan()])),
});

const Range = z.tuple([us, us]);
const ClockShape = schemaOf<ClockFit>({
  secondary: count,
  against: count,
  status: z.enum(["aligned", "cannotAlign"]),
  reason: z.string(),
  blocksUsed: count,
  driftPpm: us,
  driftPpmFeasible: Range,
  oneWayUncertaintyUs: us,
  minNetworkRoundTripUs: us,
  utcAheadOfPrimaryUs: us,
  causalityViolationsAfter: count,
  outOfOrderByUtc: count,
  windows: z.array(
    schemaOf<ClockFit["windows"][number]>({
      from: us,
      to: us,
      offsetUs: us,
      driftPpm: us,
      driftPpmFeasible: Range,
      uncertaintyUs: us,
    }),
  ),
});

type Shape = NonNullable<FileReading["shape"]>;
type Numbers = NonNullable<FileReading["numbers"]>;

const ReadingShape = schemaOf<FileReading>({
  shape: schemaOf<Shape>({
    events: z.array(
      schemaOf<Shape["events"][number]>({
        package: z.string(),
        name: z.string(),
        count,
        columns: z.array(z.object({ name: z.string(), type: z.string() })),
      }),
    ),
    actions: z.array(z.string()),
    types: z.array(
      schemaOf<Shape["types"][number]>({ index: z.number(), name: z.string(), size: z.number() }),
    ),
    frequencies: z.array(z.string()),
    guidsInPlace: z.boolean(),
    buffers: count,
    foreignBuffers: count,
  }).optional(),
  unclaimed: z.array(UnclaimedPayload),
  numbers: schemaOf<Numbers>({ events: count, odd: count, sessions: z.array(z.never()) }).optional(),
  modes: z.array(count),
  times: count,
  wholeMs: count,
  events: count,
  counters: z.object({ known: count, jumps: count }),
  blockIds: z.object({ known: count, falling: count }),
  acknowledgments: z.object({ known: count, atBlockEnds: count }),
  controlActions: z.array(z.string()),
  writes: z.object({ pairs: count, inOrder: count, inMs: count }),
});

const FileShape = schemaOf<SourceFile>({
  name: z.string(),
  size: count,
  events: count,
  gaps: z.array(
    z.object({
      code: z.string(),
      offset: count,
      bytes: count,
      message: z.string(),
      eventsLost: z.number().optional(),
    }),
  ),
  metadata: z
    .array(z.object({ offset: count, length: count, restart: z.literal(true).optional() }))
    .optional(),
  reading: ReadingShape.optional(),
  replica: count,
});

const Counts = schemaOf<CaptureModel["counts"]>({
  primary: count,
  secondary: count,
  onBoth: count,
  primaryOnly: count,
  secondaryOnly: count,
  completeEndToEnd: count,
  withoutAcknowledgement: count,
  withCommit: count,
  common: z.object({ primaryOnly: count, secondaryOnly: count, withoutAcknowledgement: count }).optional(),
});

const ClientsShape = schemaOf<CommitClients>({
  applications: z.array(z.string()).min(1),
  statements: z.array(z.string()).min(1),
  dropped: z.array(z.enum(["application", "statement"])),
});

type Rest = Omit<CaptureModel, "blocks" | "hops" | "commits" | "markers" | "events">;

const RestShape = schemaOf<Rest>({
  origin: z.bigint(),
  duration: z.number().min(0),
  replicas: z.array(ReplicaShape).min(1),
  databases: z.array(DatabaseShape),
  phases: z.array(PhaseShape),
  files: z.array(FileShape),
  countedLosses: z
    .array(
      schemaOf<CountedLoss>({
        replica: count,
        events: count,
        lost: count,
        places: z.array(
          schemaOf<CountedLoss["places"][number]>({
            from: z.number(),
            to: z.number(),
            events: count,
            cause: z.enum(LOSS_CAUSES),
            before: count,
            after: count,
            isJoined: z.boolean().optional(),
          }),
        ),
        isPart: z.boolean().optional(),
      }),
    )
    .optional(),
  clocks: z.array(ClockShape),
  engine: z.enum(["pre2016", "2016+"]),
  source: z.enum(["files", "live"]),
  warnings: z.array(z.string()),
  counts: Counts,
  clients: ClientsShape.optional(),
});

type ColumnType = new (length: number) => Column;
type Types<Table> = Readonly<Record<Exclude<keyof Table, "length">, ColumnType>>;

const float64Columns = <Name extends string>(names: readonly Name[]): Record<Name, ColumnType> =>
  Object.fromEntries(names.map((name) => [name, Float64Array as ColumnType])) as Record<Name, ColumnType>;

const BLOCK_TYPES: Types<BlockTable> = {
  ...float64Columns([...LOCAL_ANCHORS, ...WRITE_PARTS, "size", "time", "timeEnd", "uncertainty"]),
  database: Uint16Array,
  phase: Uint16Array,
  blockId: BigUint64Array,
  commits: Uint16Array,
  gate: Uint8Array,
  vlfStart: Uint8Array,
  obtained: Uint32Array,
};
const HOP_TYPES: Types<HopTable> = {
  ...float64Columns([...HOP_ANCHORS, ...WRITE_PARTS, "compression", "decompression", "uncertainty"]),
  obtained: Uint32Array,
};
type StoredCommits = Omit<CommitTable, (typeof CLIENT_COLUMNS)[number]>;
const COMMIT_TYPES: Types<StoredCommits> = {
  ...float64Columns(["start", "end", "timeToCommit"]),
  block: Int32Array,
  database: Uint16Array,
  gate: Uint8Array,
};
const MARKER_TYPES: Types<MarkerTable> = {
  ...float64Columns(["time", "duration"]),
  kind: Uint8Array,
  replica: Uint8Array,
};

/** The end of the year 9999, the last that a date is written of, FILETIME ticks. */
const LAST_TICKS = 2_650_467_743_999_999_999n;
const TICKS_PER_US = 10;
/** No instant of a capture is farther from its origin (`CaptureTime`), µs. */
const FARTHEST_US = Number.MAX_SAFE_INTEGER;

/**
 * Checks that a model from `decodeModel` is one that an analysis stores: its types, and its references to rows,
 * replicas and databases.
 * @throws TableError with a sentence about the first difference
 */
export function expectValidModel(model: CaptureModel): void {
  const { blocks, hops, commits, markers, events, ...rest } = model;
  expectShape(RestShape, rest, "model.json");
  expectTimes(model);
  expectReferences(model);
  const gates = hops.length + 2;
  expectTable("blocks.arrow", blocks, BLOCK_TYPES, blocks.length);
  for (const hop of hops) expectTable("blocks.arrow", hop, HOP_TYPES, blocks.length);
  expectBelow("blocks.arrow", blocks.database, model.databases.length);
  expectBelow("blocks.arrow", blocks.phase, model.phases.length);
  expectBelow("blocks.arrow", blocks.gate, gates);
  expectAscending("blocks.arrow", blocks.time);
  expectTable<StoredCommits>("commits.arrow", commits, COMMIT_TYPES, commits.length);
  expectBelow("commits.arrow", commits.block, blocks.length, -1);
  expectBelow("commits.arrow", commits.database, model.databases.length);
  expectBelow("commits.arrow", commits.gate, gates);
  expectAscending("commits.arrow", commits.start);
  expectClients(model);
  // The releaser of a commit is known from its block.
  if (commits.gate.some((gate, row) => gate > Gate.localFlush && commits.block[row] === -1))
    throw new TableError("commits.arrow refers to a missing row");
  expectTable("markers.arrow", markers, MARKER_TYPES, markers.length);
  expectBelow("markers.arrow", markers.kind, MARKER_KINDS.length);
  expectBelow("markers.arrow", markers.replica, model.replicas.length);
  for (const run of events.runs) expectSoundRun(run, model);
}

/**
 * Checks a stored summary against the contract, and against the replicas, databases and phases of the model of the same
 * capture.
 * @param stored as JSON has it
 * @throws TableError
 */
export function expectValidSummary(stored: unknown, model: CaptureModel): void {
  const summary = expectShape(Summary, stored, "summary.json");
  const differs = (["replicas", "databases", "phases"] as const).find(
    (each) => summary[each].length !== model[each].length,
  );
  if (differs !== undefined) throw new TableError(`summary.json has other ${differs} than model.json`);
}

/** A column of clients is of numbers, whose texts the model has. */
function expectClients({ commits, clients }: CaptureModel): void {
  for (const name of CLIENT_COLUMNS) {
    const column: unknown = commits[name];
    if (column === undefined) continue;
    if (!(column instanceof Uint16Array) || column.length !== commits.length)
      throw new TableError(`commits.arrow has another column "${name}"`);
    if (name === "application") expectBelow("commits.arrow", column, clients?.applications.length ?? 0);
    if (name === "statement") expectBelow("commits.arrow", column, clients?.statements.length ?? 0);
  }
}

function expectShape<Value>(schema: z.ZodType<Value>, value: unknown, file: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TableError(`${file} has no valid ${parsed.error.issues[0]?.path.join(".") || "form"}`);
}

function expectTimes({ origin, duration }: CaptureModel): void {
  const end = origin + BigInt(Math.ceil(Math.min(duration, FARTHEST_US)) * TICKS_PER_US);
  if (origin < 0n || end > LAST_TICKS || duration > FARTHEST_US)
    throw new TableError("model.json has a time that isn't valid");
}

function expectReferences({
  replicas,
  databases,
  phases,
  files,
  countedLosses = [],
  clocks,
  hops,
}: CaptureModel): void {
  const isReplica = (index: number): boolean => index < replicas.length;
  const isSound =
    hops.length === replicas.length - 1 &&
    databases.every(
      ({ replicaIds, localIds }) =>
        replicaIds.length === replicas.length && localIds.length === replicas.length,
    ) &&
    phases.every(
      ({ primary, databases: own, commitModes }) =>
        isReplica(primary) &&
        commitModes.length === hops.length &&
        own.every((database) => database < databases.length),
    ) &&
    files.every(({ replica }) => isReplica(replica)) &&
    countedLosses.every(
      ({ replica, places }) =>
        isReplica(replica) && places.every(({ before, after }) => Math.max(before, after) < files.length),
    ) &&
    clocks.every(({ secondary, against }) => isReplica(secondary + 1) && isReplica(against));
  if (!isSound) throw new TableError("model.json refers to missing replicas or databases");
}

function expectTable<Table extends object>(
  file: string,
  table: Table,
  types: Types<Table>,
  length: number,
): void {
  for (const [name, type] of Object.entries<ColumnType>(types)) {
    const column: unknown = table[name as keyof Table];
    if (!(column instanceof type) || column.length !== length)
      throw new TableError(`${file} has another column "${name}"`);
    if (column instanceof Float64Array && column.some(isTooFar))
      throw new TableError(`${file} has a "${name}" that isn't a time`);
  }
}

const isTooFar = (value: number): boolean => Math.abs(value) > FARTHEST_US;

function expectBelow(file: string, column: Column, end: number, least = 0): void {
  if ((column as Int32Array).some((value) => value < least || value >= end))
    throw new TableError(`${file} refers to a missing row`);
}

/** Expects whole instants in ascending order. */
function expectAscending(file: string, column: Float64Array): void {
  if (column.some((value, row) => !(value >= (row === 0 ? -FARTHEST_US : column[row - 1]!))))
    throw new TableError(`${file} is in another order`);
}

function expectSoundRun(run: EventRun, { replicas, files, blocks }: CaptureModel): void {
  const { fraction } = run.parts;
  const isOf = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end;
  let isSound =
    isOf(run.replica, replicas.length) && (fraction.length === 0 || fraction.length === blocks.length);
  let before = -FARTHEST_US;
  for (let row = 0; isSound && row < run.length; row++) {
    const instant = run.fireAt(row);
    isSound =
      isOf(run.blockAt(row), blocks.length) &&
      isOf(run.fileAt(row), files.length) &&
      isOf(run.offsetAt(row), Number.MAX_SAFE_INTEGER) &&
      // Events with an unknown instant are last.
      (Number.isNaN(instant) || (instant >= before && instant <= FARTHEST_US));
    before = Number.isNaN(instant) ? Infinity : instant;
  }
  if (!isSound) throw new TableError("events.arrow refers to missing entries");
}
