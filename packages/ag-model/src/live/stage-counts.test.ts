import { describe, expect, it, vi } from "vitest";
import { BASE_TICKS, eventColumns, type EventSpec } from "../../test/events.ts";
import { handFedRow } from "../../test/hand-fed-stream.ts";
import { blocksInARow, hopEvents, localEvents, secondaryEvents } from "../../test/paths.ts";
import { fireTime, EventKind, type EventColumns } from "../events/index.ts";
import { modelOf } from "../../test/model.ts";
import { LiveModel } from "./live-model.ts";
import { BUCKETS_US, StageCounts, type StageCount } from "./stage-counts.ts";

vi.mock("xel-parser/format", async (original) => {
  const { openHandFedStream } = await import("../../test/hand-fed-stream.ts");
  return { ...(await original<object>()), openColumnStream: openHandFedStream };
});
vi.mock("../events/index.ts", async (original) => {
  const events = await original<typeof import("../events/index.ts")>();
  return { ...events, eventColumnsOf: (parts: readonly EventColumns[]) => events.mergeColumns(parts) };
});

const SECOND = 1_000_000;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Counts by stage and replica: the upper limits of buckets, µs, with their counts. */
function byLimit(counts: readonly StageCount[]): Record<string, Record<string, number>> {
  const all: Record<string, Record<string, number>> = {};
  for (const { stage, replica, counts: own } of counts) {
    const limits = (all[`${stage} ${replica}`] ??= {});
    for (const [bucket, count] of own.entries())
      if (count > 0)
        limits[BUCKETS_US[bucket] ?? "more"] = (limits[BUCKETS_US[bucket] ?? "more"] ?? 0) + count;
  }
  return all;
}

describe("a run", () => {
  const PATHS = blocksInARow(40, SECOND / 2);
  const PRIMARY = PATHS.flatMap((path) => [...localEvents(path), ...hopEvents(path)]);
  const SECONDARY = PATHS.flatMap((path) => secondaryEvents(path));

  /** Counts of all steps, then of what had not settled. */
  function counted(onStep: (live: LiveModel, second: number) => void = () => {}): readonly StageCount[][] {
    const live = new LiveModel([
      { name: "SQL1", role: "primary", replicaId: "primary-id" },
      { name: "SQL2", role: "secondary", replicaId: "secondary-id" },
    ]);
    const firedAt = ({ kind, at = Number.NaN, took = Number.NaN }: EventSpec): number =>
      fireTime(EventKind[kind], at, took) / SECOND;
    const steps: StageCount[] = [];
    for (let second = 1; second <= 22; second++) {
      onStep(live, second);
      for (const [replica, events] of [PRIMARY, SECONDARY].entries()) {
        const fresh = events.filter((event) => firedAt(event) < second && firedAt(event) >= second - 1);
        if (fresh.length > 0) live.push(replica, handFedRow(eventColumns(fresh)));
      }
      live.step(BASE_TICKS + BigInt(second) * 10_000_000n);
      steps.push(...live.takeCounts());
    }
    live.countRest();
    return [steps, live.takeCounts()];
  }

  it("counts each block and commit once, with the durations that its events have", () => {
    const [steps = [], rest = []] = counted();
    const all = byLimit([...steps, ...rest]);
    expect(all).toMatchObject({
      // Commits begin with their block and end 5 ms later.
      "commit SQL1": { 5000: 40 },
      "commitQueue SQL1": { 500: 40 },
      // 2,835 - 123 µs; 3,500 - 586 µs; 236 - 60 µs; 4,050 - 60 µs.
      "localFlush SQL1": { 5000: 40 },
      "secondaryFlush SQL2": { 5000: 40 },
      "send SQL2": { 500: 40 },
      "remoteHarden SQL2": { 5000: 40 },
      // (4,000 - 236) - (3,644 - 500) µs
      "networkRoundTrip SQL2": { 1000: 40 },
      // 5,000 - 4,050 µs after the acknowledgment.
      "commitWakeUp SQL1": { 1000: 40 },
    });
    expect(Object.keys(all)).toHaveLength(1 + 3 + 8 + 2);
    const writes = [...steps, ...rest].filter(({ stage }) => stage === "localFlush");
    expect(sum(writes.map(({ sumUs }) => sumUs))).toBeCloseTo(40 * 2_712, 3);
    expect(
      sum(rest.filter(({ stage }) => stage === "commit").flatMap(({ counts }) => counts)),
    ).toBeGreaterThan(0);
  });

  it("counts blocks that a change of roles ends as they were, and none of them again", () => {
    const [steps = [], rest = []] = counted((live, second) => {
      if (second !== 22) return;
      live.setRole(0, "secondary", "");
      live.setRole(1, "primary", "");
    });
    expect(rest).toEqual([]);
    expect(byLimit(steps)).toMatchObject({
      "commit SQL1": { 5000: 40 },
      "localFlush SQL1": { 5000: 40 },
      "secondaryFlush SQL2": { 5000: 40 },
    });
  });
});

describe("buckets", () => {
  const countsOf = (localFlush: number): StageCount => {
    const counts = new StageCounts();
    counts.add(modelOf([{ at: 0, localFlush }]));
    return counts.take().find(({ stage }) => stage === "localFlush")!;
  };
  const bucketOf = (us: number): number => countsOf(us).counts.indexOf(1);

  it("have their upper limits in them, and the last one has none", () => {
    expect([1, 500, 501, 1_000, 10_000_000, 10_000_001].map(bucketOf)).toEqual([0, 0, 1, 1, 13, 14]);
    expect(countsOf(1).counts).toHaveLength(15);
  });

  it("have negative durations in the first one, and nothing of them in the sum", () => {
    expect(countsOf(-30)).toMatchObject({ counts: [1, ...Array.from({ length: 14 }, () => 0)], sumUs: 0 });
  });
});
