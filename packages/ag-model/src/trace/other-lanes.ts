/** Lanes of commits, of the clocks, of other files, and of the trace itself. */
import { isSameServer, type EvidenceEvent } from "@aglens/evidence";
import { formatLsn, primaryOfBlock, type CaptureModel, type ClockFit } from "../replication/index.ts";
import { asWord, type TabledEvidence } from "../tables/index.ts";
import { releaser, type Skipped, type TracedBlocks } from "./path-lanes.ts";
import { errorArg, inNs, withFreeRow, type TraceArg, type TraceLane } from "./trace.ts";

/** The commits of a trace, by the replica that was the primary. @param rows of commits, ascending */
export function commitLanes(blocks: TracedBlocks, rows: Uint32Array, skipped: Skipped): TraceLane[] {
  const { model } = blocks;
  const primaries = [...new Set(model.phases.map((phase) => phase.primary))];
  return primaries
    .map((primary) => {
      const all = rows.filter((row) => primaryOfCommit(model, row) === primary);
      const own = withFreeRow(all, model.commits.start, model.commits.end);
      skipped.crowded += all.length - own.length;
      return {
        replica: primary,
        group: "Primary",
        name: "Commit",
        about: "A commit from its start until its session continues.",
        start: Float64Array.from(own, (row) => model.commits.start[row]),
        end: Float64Array.from(own, (row) => model.commits.end[row]),
        argsOf: (slice: number) => commitArgs(blocks, own[slice]),
        pathOf: () => 0,
      };
    })
    .filter(({ start }) => start.length > 0);
}

/** A commit whose block is not in the capture is of the first phase with its database at that time, else of the last. */
function primaryOfCommit(model: CaptureModel, row: number): number {
  const { block, database, start } = model.commits;
  if (block[row] >= 0) return primaryOfBlock(model, block[row]);
  const own = model.phases.filter(({ databases }) => databases.includes(database[row]));
  return (own.find(({ to }) => start[row] <= to) ?? own.at(-1) ?? model.phases[0]).primary;
}

function commitArgs({ model, numberOf }: TracedBlocks, row: number): TraceArg[] {
  const { block, database, gate, session, application } = model.commits;
  const client = model.clients?.applications[application?.[row] ?? 0] ?? "";
  const ofBlock: readonly TraceArg[] =
    block[row] < 0
      ? []
      : [
          ["block", numberOf(block[row])],
          ["lsn", formatLsn(model.blocks.blockId[block[row]])],
          releaser(model, block[row], gate[row]),
          errorArg(model.blocks.uncertainty[block[row]]),
        ];
  return [
    ["database", model.databases[database[row]].name],
    ...ofBlock,
    ...((session?.[row] ?? 0) === 0 ? [] : ([["session_id", session?.[row] ?? 0]] as const)),
    ...(client === "" ? [] : ([["application", client]] as const)),
  ];
}

/**
 * The part of the range in each period in which the clocks of two servers run straight, with the largest error of a
 * one-way time in that period.
 */
export const clockLanes = ({ clocks, replicas }: CaptureModel, from: number, to: number): TraceLane[] =>
  clocks.map((clock) => {
    const isAligned = clock.status === "aligned" && clock.windows.length > 0;
    const windows = isAligned ? clock.windows.filter((each) => each.from < to && each.to > from) : [null];
    return {
      replica: clock.secondary + 1,
      group: null,
      name: "Clock",
      about: `Clock of ${replicas[clock.secondary + 1].name} against ${replicas[clock.against].name}.`,
      start: Float64Array.from(windows, (each) => Math.max(from, each?.from ?? from)),
      end: Float64Array.from(windows, (each) => Math.min(to, each?.to ?? to)),
      argsOf: (slice: number) => clockArgs(clock, windows[slice], replicas[clock.against].name),
      pathOf: () => 0,
    };
  });

function clockArgs(
  { reason }: ClockFit,
  window: ClockFit["windows"][number] | null,
  against: string,
): TraceArg[] {
  if (window === null) return [["against", against], errorArg(Number.NaN), ["reason", reason]];
  return [
    ["against", against],
    ["offset_us", inNs(window.offsetUs)],
    ["drift_ppm", window.driftPpm],
    errorArg(window.uncertaintyUs),
  ];
}

/** Events that a trace has of other files, at most. */
const MOST_EVENTS = 10_000;

/** Events of the capture's other files in the range, a lane per server, and how many of them the lanes have. */
export function happenedLanes(
  { replicas }: CaptureModel,
  { events, originUs, errorAt }: TabledEvidence,
  from: number,
  to: number,
): { readonly lanes: TraceLane[]; readonly counts: readonly [drawn: number, all: number] } {
  const startOf = ({ fromUs, atUs }: EvidenceEvent): number => (fromUs ?? atUs) - originUs;
  const inRange = events.filter((event) => event.atUs - originUs >= from && startOf(event) < to);
  const drawn = inRange.slice(0, MOST_EVENTS);
  const lanes = [...new Set(drawn.map(({ server }) => server))].map((server) => {
    const own = drawn.filter((event) => event.server === server);
    const replica = replicas.findIndex(({ name }) => isSameServer(name, server));
    return {
      replica: replica < 0 ? null : replica,
      group: null,
      name: replica < 0 && server !== null ? `Server events of ${server}` : "Server events",
      nameOf: (slice: number) => asWord(own[slice].kind),
      about: "Events of ERRORLOG, AlwaysOn_health and other files.",
      start: Float64Array.from(own, startOf),
      end: Float64Array.from(own, (event) => Math.max(startOf(event), event.atUs - originUs)),
      argsOf: (slice: number) => {
        const { sources, atUs } = own[slice];
        const plusMinusUs = sources[0]?.plusMinusUs ?? Number.NaN;
        return [...eventArgs(own[slice]), errorArg(plusMinusUs + errorAt(server, atUs))];
      },
      pathOf: () => 0,
    };
  });
  return { lanes, counts: [drawn.length, inRange.length] };
}

function eventArgs({ text, group, database, replica, message, sources }: EvidenceEvent): TraceArg[] {
  const args: readonly (readonly [name: string, value: string | number | null])[] = [
    ["text", text],
    ["ag", group],
    ["database", database],
    ["replica", replica],
    ["message", message],
    ["sources", sources.map(({ file, place }) => `${file}:${place}`).join("; ")],
  ];
  return args.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

/** One slice over the range of the trace, with what the trace has and what not. */
export const aboutLane = (from: number, to: number, args: readonly TraceArg[]): TraceLane => ({
  replica: null,
  group: null,
  name: "About this trace",
  about: "Contents of the trace, its clock, and what is not in it.",
  start: Float64Array.of(from),
  end: Float64Array.of(Math.max(from, to)),
  argsOf: () => args,
  pathOf: () => 0,
});
