import { commitLatencies, stageColumn } from "../columns/index.ts";
import { firstAtOrAfter, percentile, sortedValues } from "../numbers/index.ts";
import type { StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { LiveModelReadout } from "./picture.ts";

const SECOND = 1_000_000;
const READOUT_S = 5;
const SPARK_S = 30;

interface Source {
  readonly key: string;
  readonly label: string;
  readonly lane: string;
  readonly times: Float64Array;
  readonly durations: Float64Array;
  readonly p: number;
}

/**
 * The five figures above the lanes (docs/design.md 4, Live) over the last 5 s before `to`, each with its last 30 s.
 * @param main the secondary they are about; -1 for none
 * @param number its number in the run
 */
export function readoutsOf(
  model: CaptureModel,
  to: number,
  main: number,
  number: number,
): LiveModelReadout[] {
  return sourcesOf(model, main, number).map(({ key, label, lane, times, durations, p }) => {
    const over = (from: number, end: number): number => {
      const values = durations.subarray(firstAtOrAfter(times, from), firstAtOrAfter(times, end));
      return percentile(sortedValues(values), p);
    };
    const seconds = Array.from({ length: SPARK_S }, (_, i) => to - (SPARK_S - i) * SECOND);
    return {
      key,
      label,
      lane,
      value: over(to - READOUT_S * SECOND, to),
      spark: seconds.map((from) => over(from, from + SECOND)),
    };
  });
}

function sourcesOf(model: CaptureModel, main: number, number: number): Source[] {
  const { start } = model.commits;
  const latency = commitLatencies(model);
  const commit = { lane: "commit", times: start, durations: latency };
  const [primary] = model.replicas;
  const local = stageSource(model, 0, "localFlush", 95, `Log write ${primary.name}, p95`, "localFlush");
  const sources = [
    { ...commit, key: "commitP50", label: "Commit p50", p: 50 },
    { ...commit, key: "commitP95", label: "Commit p95", p: 95 },
  ];
  if (main < 0) return [...sources, local];
  const { name, hasCapture } = model.replicas[main + 1];
  if (!hasCapture) {
    const whole = stageSource(
      model,
      main,
      "remoteHarden",
      50,
      `Remote harden ${name}, p50`,
      `hop${number}.unseen`,
    );
    return [...sources, whole, local];
  }
  return [
    ...sources,
    stageSource(model, main, "networkRoundTrip", 50, `Round trip ${name}, p50`, `hop${number}.wireOut`),
    local,
    stageSource(model, main, "secondaryFlush", 95, `Log write ${name}, p95`, `hop${number}.secondaryFlush`),
  ];
}

function stageSource(
  model: CaptureModel,
  secondary: number,
  id: StageId,
  p: number,
  label: string,
  lane: string,
): Source {
  const { time } = model.blocks;
  return { key: id, label, lane, times: time, durations: stageColumn(model, secondary, id), p };
}
