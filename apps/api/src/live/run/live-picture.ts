/** The picture of a run for clients: results of the model, and facts of the run itself. */
import type { LiveGap, LivePicture, LiveReplica } from "@aglens/contract";
import type { LiveModelPicture } from "@aglens/ag-model/live";
import type { Attachment } from "./attachment.ts";
import { modelPart } from "./model-part.ts";
import type { TimedPoll } from "./poll-history.ts";
import type { Moment, RunClock } from "./run-clock.ts";

/** A label that a person put at a time of the run. */
export interface Mark {
  readonly moment: Moment;
  readonly label: string;
  readonly byRule: boolean;
}

/** Facts of the run at `nowMs` of this machine's clock. */
export interface RunPart extends Pick<
  LivePicture,
  | "sequence"
  | "state"
  | "title"
  | "replicas"
  | "kept"
  | "captureId"
  | "endings"
  | "unattached"
  | "stopsAt"
  | "containedSystemDatabases"
  | "happened"
  | "failovers"
  | "readsHealth"
> {
  readonly nowMs: number;
  /** Bytes of memory that the model may use. */
  readonly mostHeldBytes: number;
  readonly polls: readonly TimedPoll[];
  readonly marks: readonly Mark[];
  readonly gaps: readonly LiveGap[];
}

/** @param database the one that lanes, figures and verdict shall be of; null: all */
export function livePicture(
  run: RunPart,
  model: LiveModelPicture | null,
  clock: RunClock,
  database: string | null,
): LivePicture {
  const { nowMs, mostHeldBytes, polls, marks, gaps, ...asItIs } = run;
  return {
    ...modelPart(model, run.replicas.length, database),
    ...asItIs,
    origin: clock.origin,
    now: model === null || model.originTicks === 0n ? clock.at(nowMs) : model.now,
    polls: polls.map(({ wallMs, poll }) => ({ ...poll, at: clock.at(wallMs) })),
    memory: memoryOf(model, mostHeldBytes),
    gaps: [...gaps],
    marks: marksOf(marks, model, clock),
  };
}

/** Marks of people, of rules, and of the model, which finds the beginning of slow periods. */
export function marksOf(
  marks: readonly Mark[],
  model: LiveModelPicture | null,
  clock: RunClock,
): LivePicture["marks"] {
  return [
    ...marks.map(({ moment, label, byRule }) => ({ at: moment.in(clock), label, byRule })),
    ...(model?.episodes ?? []).map(({ at, label }) => ({ at, label, byRule: true })),
  ];
}

function memoryOf(model: LiveModelPicture | null, limit: number): LivePicture["memory"] {
  if (model === null) return { bytes: 0, limit, seconds: null };
  const { bytes, from } = model.held;
  return { bytes, limit, seconds: orNull((model.now - from) / 1e6) };
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** @param behind buffers that wait for the decoder */
export function liveReplica(
  attachment: Attachment,
  behind: number,
  model: LiveModelPicture | null,
  nowMs: number,
): LiveReplica {
  const decodedTo = model?.decodedTo[attachment.index] ?? Number.NaN;
  const { dispatchMs } = attachment.session;
  const delivery = model?.deliveries[attachment.index];
  return {
    ...attachment.description(nowMs),
    ...attachment.counters.figures(),
    buffersBehind: behind,
    lateSeconds: orNull((delivery?.lateUs ?? Number.NaN) / 1e6),
    waitedSeconds: orNull((delivery?.waitedUs ?? Number.NaN) / 1e6),
    dispatchSeconds: Number.isFinite(dispatchMs) ? dispatchMs / 1000 : null,
    unheardSince: orNull(delivery?.silentSince ?? Number.NaN),
    eventsTooLate: delivery?.tooLate ?? 0,
    behindSeconds:
      model === null || Number.isNaN(decodedTo) ? null : Math.max(0, (model.now - decodedTo) / 1e6),
  };
}
