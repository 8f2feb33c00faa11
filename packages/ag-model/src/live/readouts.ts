import { commitLatencies, stageColumn } from "../columns/index.ts";
import { firstAtOrAfter, percentile, sortedValues } from "../numbers/index.ts";
import type { StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { LiveModelReadout } from "./picture.ts";

const SECOND = 1_000_000;
const SPARK_S = 30;

interface Source {
  readonly key: string;
  readonly label: string;
  readonly lane: string;
  readonly times: Float64Array;
  readonly durations: Float64Array;
  readonly p: number;
  readonly heardTo: number;
}

/** Scope of the figures, and the times up to which the events that they need were received; µs of the run. */
export interface ReadoutScope {
  readonly now: number;
  /** Time that a figure covers, µs. */
  readonly windowUs: number;
  /** NaN while the primary sends no events. */
  readonly primaryTo: number;
  /** The same for the primary and the secondary that the figures are about; NaN while one of them sends no events. */
  readonly mainTo: number;
  /** Index of that secondary in the model; -1 for none. */
  readonly main: number;
  /** Its number in the run. */
  readonly number: number;
}

/**
 * The five figures above the lanes (docs/contribute/design.md 4, Live), each with the 30 s before, up to the time to
 * which the events that it needs were received.
 */
export function readoutsOf(model: CaptureModel, scope: ReadoutScope): LiveModelReadout[] {
  return sourcesOf(model, scope).map(({ key, label, lane, times, durations, p, heardTo }) => {
    const over = (from: number, end: number): number => {
      const values = durations.subarray(firstAtOrAfter(times, from), firstAtOrAfter(times, end));
      return percentile(sortedValues(values), p);
    };
    const to = Number.isNaN(heardTo) ? scope.now : heardTo;
    const seconds = Array.from({ length: SPARK_S }, (_, i) => to - (SPARK_S - i) * SECOND);
    return {
      key,
      label,
      lane,
      value: Number.isNaN(heardTo) ? Number.NaN : over(to - scope.windowUs, to),
      heardTo,
      spark: seconds.map((from) => over(from, from + SECOND)),
    };
  });
}

function sourcesOf(model: CaptureModel, { primaryTo, mainTo, main, number }: ReadoutScope): Source[] {
  const { start } = model.commits;
  const latency = commitLatencies(model);
  const commit = { lane: "commit", times: start, durations: latency, heardTo: primaryTo };
  const [primary] = model.replicas;
  const local = {
    ...stageSource(model, 0, {
      id: "localFlush",
      p: 95,
      label: `Log write ${primary.name}, p95`,
      lane: "localFlush",
    }),
    heardTo: primaryTo,
  };
  const sources = [
    { ...commit, key: "commitP50", label: "Commit p50", p: 50 },
    { ...commit, key: "commitP95", label: "Commit p95", p: 95 },
  ];
  if (main < 0) return [...sources, local];
  const { name, hasCapture } = model.replicas[main + 1];
  if (!hasCapture) {
    const key = `hop${number}.unseen`;
    const whole = stageSource(model, main, {
      id: "remoteHarden",
      p: 50,
      label: `Remote harden ${name}, p50`,
      lane: key,
    });
    return [...sources, { ...whole, heardTo: primaryTo }, local];
  }
  const trip = `hop${number}.wireOut`;
  const write = `hop${number}.secondaryFlush`;
  return [
    ...sources,
    {
      ...stageSource(model, main, {
        id: "networkRoundTrip",
        p: 50,
        label: `Round trip ${name}, p50`,
        lane: trip,
      }),
      heardTo: mainTo,
    },
    local,
    {
      ...stageSource(model, main, {
        id: "secondaryFlush",
        p: 95,
        label: `Log write ${name}, p95`,
        lane: write,
      }),
      heardTo: mainTo,
    },
  ];
}

function stageSource(
  model: CaptureModel,
  secondary: number,
  { id, p, label, lane }: Pick<Source, "p" | "label" | "lane"> & { readonly id: StageId },
): Omit<Source, "heardTo"> {
  const { time } = model.blocks;
  return { key: id, label, lane, times: time, durations: stageColumn(model, secondary, id), p };
}
