/**
 * One phase of a capture as a capture of its own: its primary is replica 0 and each slot leads to the replica after it,
 * as in any capture with one primary. Percentiles, episodes and verdicts never reach across a change of roles or from
 * one availability group into another, because they are computed per phase.
 */
import { eventIndexOf } from "../replication/shapes/event-runs.ts";
import { pickEvents } from "../replication/event-index/pack-events.ts";
import { replicaOfSlot } from "../replication/shapes/slots.ts";
import {
  Gate,
  type CaptureModel,
  type ClockFit,
  type CommitTable,
  type CountedLoss,
  type LossPlace,
  type MarkerTable,
  type Phase,
  type Replica,
} from "../replication/shapes/tables.ts";
import {
  allRows,
  gatherFloat64,
  gatherInt32,
  gatherUint16,
  gatherUint8,
  keepRows,
} from "../numbers/index.ts";
import { perModel } from "./per-model.ts";
import { pickBlocks, pickHops } from "./pick.ts";

export interface PhaseScope {
  /** The blocks, commits and markers of the phase; times and databases are those of the complete capture. */
  readonly model: CaptureModel;
  /** Replica in the complete capture of each of its replicas. */
  readonly replicas: readonly number[];
  /** Slot in the complete capture of each of its slots. */
  readonly slots: readonly number[];
}

/** The phase with this index, computed once. */
export const phaseScope = perModel((model: CaptureModel, phase: number): PhaseScope => scopeOf(model, phase));

function scopeOf(model: CaptureModel, index: number): PhaseScope {
  const phase = model.phases[index];
  const slots = slotsOf(phase);
  const replicas = replicasOf(phase);
  const rows = keepRows(allRows(model.blocks.length), (row) => model.blocks.phase[row] === index);
  const gateOf = gatesOf(slots);
  const blocks = pickBlocks(model.blocks, rows);
  return {
    replicas,
    slots,
    model: {
      ...model,
      replicas: replicas.map((replica, k) => ({
        ...model.replicas[replica],
        role: k === 0 ? "primary" : "secondary",
        commitMode: phase.commitModes[slots[k - 1]] ?? "sync",
        ...coverageWithin(model.replicas[replica], phase),
      })),
      databases: model.databases.map((database) => ({
        ...database,
        replicaIds: replicas.map((replica) => database.replicaIds[replica]),
        localIds: replicas.map((replica) => database.localIds[replica]),
      })),
      phases: [{ ...phase, primary: 0, commitModes: slots.map((slot) => phase.commitModes[slot]) }],
      files: model.files.map((file) => ({ ...file, replica: replicas.indexOf(file.replica) })),
      ...(model.countedLosses && { countedLosses: lossesWithin(model, index, replicas) }),
      blocks: {
        ...blocks,
        phase: new Uint16Array(rows.length),
        gate: blocks.gate.map(gateOf),
      },
      hops: slots.map((slot) => pickHops(model.hops[slot], rows)),
      commits: pickCommits(model, index, rows, gateOf),
      markers: pickMarkers(model.markers, phase, replicas),
      events: eventIndexOf(
        model.events.runs
          .filter(({ replica }) => replicas.includes(replica))
          .map((run) => pickEvents(run, rows, model.blocks.length, replicas.indexOf(run.replica))),
      ),
      clocks: clocksOf(model.clocks, replicas),
    },
  };
}

const slotsOf = ({ commitModes }: Phase): number[] =>
  commitModes.flatMap((mode, slot) => (mode === null ? [] : [slot]));

/** The primary of a phase, and the replicas that it sends to. */
const replicasOf = (phase: Phase): number[] => [
  phase.primary,
  ...slotsOf(phase).map((slot) => replicaOfSlot(phase.primary, slot)),
];

/** The part of a phase that a replica's files cover; a replica whose files cover no part of it has no files there. */
function coverageWithin(
  { hasCapture, ...replica }: Replica,
  phase: Phase,
): Pick<Replica, "hasCapture" | "from" | "to"> {
  const from = Math.max(replica.from, phase.from);
  const to = Math.min(replica.to, phase.to);
  return from > to ? { hasCapture: false, from: Number.NaN, to: Number.NaN } : { hasCapture, from, to };
}

/**
 * The counted losses of a phase. Each place is of the one phase that has its middle, or began last before it; losses
 * without a time are of the first phase.
 */
function lossesWithin(model: CaptureModel, index: number, replicas: readonly number[]): CountedLoss[] {
  const { countedLosses = [], phases, blocks } = model;
  const withBlocks = new Set(blocks.phase);
  const rows = blocks.phase.reduce((sum, phase) => sum + (phase === index ? 1 : 0), 0);
  return countedLosses.flatMap(({ replica, places, lost, events }): CountedLoss[] => {
    if (!replicas.includes(replica)) return [];
    const joined = [...phases.keys()].filter(
      (each) =>
        (blocks.length === 0 || withBlocks.has(each)) &&
        replicasOf(phases[each]).includes(replica) &&
        coverageWithin(model.replicas[replica], phases[each]).hasCapture,
    );
    const phaseAt = (us: number): number | undefined =>
      joined.find((each) => phases[each].from <= us && us <= phases[each].to) ??
      joined.findLast((each) => phases[each].from <= us) ??
      joined[0];
    const own = places.filter(({ from, to }) => phaseAt((from + to) / 2) === index);
    const untimed = joined[0] === index ? lost - sumOfEvents(places) : 0;
    return [
      {
        replica: replicas.indexOf(replica),
        events: blocks.length === 0 ? events : Math.round((events * rows) / blocks.length),
        lost: sumOfEvents(own) + untimed,
        places: own,
        isPart: phases.length > 1,
      },
    ];
  });
}

const sumOfEvents = (places: readonly LossPlace[]): number =>
  places.reduce((sum, { events }) => sum + events, 0);

/** Gates of the complete capture by those of a phase. */
const gatesOf =
  (slots: readonly number[]) =>
  (gate: number): number =>
    gate <= Gate.localFlush ? gate : Gate.ofSecondary(slots.indexOf(Gate.secondaryOf(gate)));

/** Commits of the phase's blocks, and those of its time and databases whose block is not in the capture. */
function pickCommits(
  { blocks, commits, phases }: CaptureModel,
  index: number,
  rows: Uint32Array,
  gateOf: (gate: number) => number,
): CommitTable {
  const phase = phases[index];
  const rowOf = new Int32Array(blocks.length).fill(-1);
  for (let k = 0; k < rows.length; k++) rowOf[rows[k]] = k;
  const isOwn = (c: number): boolean =>
    commits.block[c] >= 0
      ? rowOf[commits.block[c]] >= 0
      : phase.databases.includes(commits.database[c]) &&
        commits.start[c] >= phase.from &&
        commits.start[c] <= phase.to;
  const own = keepRows(allRows(commits.length), isOwn);
  return {
    length: own.length,
    block: gatherInt32(commits.block, own).map((row) => (row < 0 ? row : rowOf[row])),
    database: gatherUint16(commits.database, own),
    start: gatherFloat64(commits.start, own),
    end: gatherFloat64(commits.end, own),
    gate: gatherUint8(commits.gate, own).map(gateOf),
    timeToCommit: gatherFloat64(commits.timeToCommit, own),
  };
}

function pickMarkers(
  markers: MarkerTable,
  { from, to }: CaptureModel["phases"][number],
  replicas: readonly number[],
): MarkerTable {
  const own = keepRows(
    allRows(markers.length),
    (m) => replicas.includes(markers.replica[m]) && markers.time[m] >= from && markers.time[m] <= to,
  );
  return {
    length: own.length,
    kind: gatherUint8(markers.kind, own),
    replica: gatherUint8(markers.replica, own).map((replica) => replicas.indexOf(replica)),
    time: gatherFloat64(markers.time, own),
    duration: gatherFloat64(markers.duration, own),
  };
}

/**
 * The clocks of the phase's secondaries against its primary; one that was fitted in the other direction is inverted.
 */
function clocksOf(clocks: readonly ClockFit[], replicas: readonly number[]): ClockFit[] {
  const [primary] = replicas;
  return replicas.slice(1).flatMap((replica, k) => {
    const own = clocks.find((fit) => fit.secondary + 1 === replica && fit.against === primary);
    if (own) return [{ ...own, secondary: k, against: 0 }];
    const other = clocks.find((fit) => fit.secondary + 1 === primary && fit.against === replica);
    if (other) return [turned(other, k)];
    const any = clocks.find((fit) => fit.secondary + 1 === replica && fit.status === "cannotAlign");
    return any ? [{ ...any, secondary: k, against: 0 }] : [];
  });
}

const turned = (fit: ClockFit, secondary: number): ClockFit => ({
  ...fit,
  secondary,
  against: 0,
  driftPpm: -fit.driftPpm,
  driftPpmFeasible: [-fit.driftPpmFeasible[1], -fit.driftPpmFeasible[0]],
  utcAheadOfPrimaryUs: -fit.utcAheadOfPrimaryUs,
  windows: fit.windows.map((window) => ({
    ...window,
    offsetUs: -window.offsetUs,
    driftPpm: -window.driftPpm,
    driftPpmFeasible: [-window.driftPpmFeasible[1], -window.driftPpmFeasible[0]],
  })),
});
