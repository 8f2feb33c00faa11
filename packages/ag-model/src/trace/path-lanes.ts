/** Lanes of log blocks: the log write on the primary, and the path to each replica and back. */
import { obtainedAt, SPAN_ANCHORS, type Anchor } from "../columns/index.ts";
import { laneDefinition } from "../lanes/index.ts";
import {
  formatLsn,
  Gate,
  Obtained,
  primaryOfBlock,
  REMOTE_PATH,
  replicaOfHop,
  replicaOfSlot,
  stageDefinition,
  type CaptureModel,
} from "../replication/index.ts";
import { anchorError } from "../tables/index.ts";
import { errorArg, inNs, withFreeRow, type TraceArg, type TraceLane } from "./trace.ts";

/** Slices that are not in the trace, though both of their ends have an instant. */
export interface Skipped {
  /** An end is an estimate, because its event is missing. */
  estimated: number;
  /** The clocks' error is larger than the duration, so that the end is before the start. */
  reversed: number;
  /** All rows of the lane are in use: slices of commits too. */
  crowded: number;
}

/** The log blocks of a trace. */
export interface TracedBlocks {
  readonly model: CaptureModel;
  /** Rows of `model`, ascending. */
  readonly rows: Uint32Array;
  /** Number of a row in the complete capture. */
  readonly numberOf: (row: number) => number;
}

/** A part of the path of blocks between two anchors. */
interface Part {
  readonly name: string;
  /** The replica that has the lane. */
  readonly place: "primary" | "secondary";
  /** An end is on the secondary's clock. */
  readonly isAligned: boolean;
  readonly from: Anchor;
  readonly to: Anchor;
  /** Events that both ends are taken from. */
  readonly source: string;
  readonly moreArgs?: (model: CaptureModel, slot: number, row: number) => readonly (TraceArg | null)[];
}

const known = (name: string, value: number): TraceArg | null =>
  Number.isNaN(value) ? null : [name, inNs(value)];

const LOG_WRITE: Part = {
  name: stageDefinition("localFlush").label,
  place: "primary",
  isAligned: false,
  from: "localFlushStart",
  to: "localFlushEnd",
  source: stageDefinition("localFlush").source,
  moreArgs: (model, _, row) => [
    ["commits", model.blocks.commits[row]],
    releaser(model, row, model.blocks.gate[row]),
    known("write_queue_us", model.blocks.writeQueue[row]),
    known("write_completion_us", model.blocks.writeCompletion[row]),
  ],
};

const MORE_ARGS: Readonly<Record<string, Part["moreArgs"]>> = {
  send: ({ hops }, slot, row) => [known("compression_us", hops[slot].compression[row])],
  secondaryAppend: ({ hops }, slot, row) => [known("decompression_us", hops[slot].decompression[row])],
  secondaryFlush: ({ hops }, slot, row) => [
    known("write_queue_us", hops[slot].writeQueue[row]),
    known("write_completion_us", hops[slot].writeCompletion[row]),
  ],
};

const PATH: readonly Part[] = REMOTE_PATH.map(({ id, label, place, clock, from, to, source }) => ({
  name: label,
  // Where a block or its acknowledgment arrives.
  place: place === "primary" || place === "networkBack" ? "primary" : "secondary",
  isAligned: clock !== "primary",
  from: from!,
  to: to!,
  source,
  ...(MORE_ARGS[id] && { moreArgs: MORE_ARGS[id] }),
}));

/** Without events of the secondary, its network and its disk are one part, on the primary's clock. */
const PATH_WITHOUT_FILE: readonly Part[] = [
  ...PATH.slice(0, 1),
  {
    name: laneDefinition("unseen").label,
    place: "secondary",
    isAligned: false,
    from: SPAN_ANCHORS.unseen[0],
    to: SPAN_ANCHORS.unseen[1],
    source: `${stageDefinition("send").source}, and ${stageDefinition("ackReceive").source}; no file of this replica`,
  },
  ...PATH.slice(-1),
];

/** Lanes of the blocks, in the order of their path; a part without a slice has none. */
export function pathLanes(blocks: TracedBlocks): { readonly lanes: TraceLane[]; readonly skipped: Skipped } {
  const { model, rows } = blocks;
  const skipped: Skipped = { estimated: 0, reversed: 0, crowded: 0 };
  const lanes: TraceLane[] = [];
  for (const primary of new Set(model.phases.map((phase) => phase.primary))) {
    const own = rows.filter((row) => primaryOfBlock(model, row) === primary);
    lanes.push(laneOf(blocks, { part: LOG_WRITE, primary, slot: 0, group: "Primary" }, own, skipped));
    for (let slot = 0; slot < model.hops.length; slot++)
      lanes.push(...hopLanes(blocks, primary, slot, own, skipped));
  }
  return { lanes: lanes.filter(({ start }) => start.length > 0), skipped };
}

function hopLanes(
  blocks: TracedBlocks,
  primary: number,
  slot: number,
  own: Uint32Array,
  skipped: Skipped,
): TraceLane[] {
  const { replicas, hops } = blocks.model;
  const secondary = replicas[replicaOfSlot(primary, slot)];
  const parts = secondary.hasCapture ? PATH : PATH_WITHOUT_FILE;
  const lanes = parts.map((part) => {
    const group = part.place === "primary" ? `To ${secondary.name}` : `From ${replicas[primary].name}`;
    return laneOf(blocks, { part, primary, slot, group }, own, skipped);
  });
  // An arrow needs two ends.
  const slices = new Uint8Array(blocks.model.blocks.length);
  for (const { start, pathOf } of lanes) for (let i = 0; i < start.length; i++) slices[pathOf(i)]++;
  return lanes.map((lane) => ({
    ...lane,
    pathOf: (slice) => {
      const row = lane.pathOf(slice);
      return slices[row] < 2 ? 0 : blocks.numberOf(row) * hops.length + slot + 1;
    },
  }));
}

interface LanePart {
  readonly part: Part;
  readonly primary: number;
  readonly slot: number;
  readonly group: string;
}

/** The slices of one part; `pathOf` is the row of each one's block, and 0 on the primary alone. */
function laneOf(
  blocks: TracedBlocks,
  { part, primary, slot, group }: LanePart,
  own: Uint32Array,
  skipped: Skipped,
): TraceLane {
  const { model } = blocks;
  const [starts, ends] = [columnOf(model, slot, part.from), columnOf(model, slot, part.to)];
  const drawn = own.filter((row) => {
    if (Number.isNaN(ends[row] - starts[row])) return false;
    const isEstimated = [part.from, part.to].some(
      (name) => obtainedAt(model, slot, name, row) === Obtained.fallback,
    );
    if (isEstimated) skipped.estimated++;
    else if (ends[row] < starts[row]) skipped.reversed++;
    return !isEstimated && ends[row] >= starts[row];
  });
  const rows = withFreeRow(drawn, starts, ends);
  skipped.crowded += drawn.length - rows.length;
  const isLocal = part === LOG_WRITE;
  return {
    replica: part.place === "primary" ? primary : replicaOfSlot(primary, slot),
    group,
    name: part.name,
    about: `${part.source}.`,
    start: Float64Array.from(rows, (row) => starts[row]),
    end: Float64Array.from(rows, (row) => ends[row]),
    pathOf: isLocal ? () => 0 : (slice) => rows[slice],
    argsOf: (slice) =>
      [
        ...blockArgs(blocks, rows[slice]),
        ...(isLocal ? [] : modeArg(model, slot, rows[slice])),
        ...qualityArgs(model, part, slot, rows[slice]),
        ...(part.moreArgs?.(model, slot, rows[slice]) ?? []),
      ].filter((arg) => arg !== null),
  };
}

const columnOf = ({ blocks, hops }: CaptureModel, slot: number, anchor: Anchor): Float64Array =>
  anchor in blocks ? blocks[anchor as "localFlushStart"] : hops[slot][anchor as "sendStart"];

function blockArgs({ model, numberOf }: TracedBlocks, row: number): (TraceArg | null)[] {
  const { blocks, databases } = model;
  return [
    ["block", numberOf(row)],
    ["lsn", formatLsn(blocks.blockId[row])],
    ["database", databases[blocks.database[row]].name],
    known("size_bytes", blocks.size[row]),
  ];
}

function modeArg({ phases, blocks }: CaptureModel, slot: number, row: number): TraceArg[] {
  const mode = phases[blocks.phase[row]].commitModes[slot];
  return mode == null ? [] : [["commit_mode", mode]];
}

const HOW: Partial<Record<Obtained, string>> = { [Obtained.derived]: "derived" };

/** Events of both ends, whether these are derived, and how far an end can be off. */
function qualityArgs(model: CaptureModel, part: Part, slot: number, row: number): (TraceArg | null)[] {
  const [from, to] = [part.from, part.to].map((name) => obtainedAt(model, slot, name, row));
  const clockUs = model.blocks.uncertainty[row] + (part.isAligned ? model.hops[slot].uncertainty[row] : 0);
  const errorUs = clockUs + Math.max(anchorError(part.from, from), anchorError(part.to, to));
  return [
    ["events", part.source],
    HOW[from] === undefined ? null : ["start_obtained", HOW[from]],
    HOW[to] === undefined ? null : ["end_obtained", HOW[to]],
    errorArg(errorUs),
  ];
}

/** The releaser of commits, by its name in the exported tables. */
export function releaser(model: CaptureModel, row: number, gate: number): TraceArg {
  if (gate <= Gate.localFlush) return ["released_by", gate === Gate.localFlush ? "local_flush" : "unknown"];
  return ["released_by", model.replicas[replicaOfHop(model, row, Gate.secondaryOf(gate))].name];
}
