import { expect, test } from "vitest";
import type { Sequence, Summary } from "@aglens/contract";
import { releaseOf, unreleasedText } from "./release.ts";

type Replica = Pick<Summary["replicas"][number], "name" | "commitMode">;

const summaryOf = (...replicas: Replica[]): Summary => ({ phases: [], replicas }) as unknown as Summary;
const NODES = summaryOf(
  { name: "NODE1", commitMode: "undetermined" },
  { name: "NODE3", commitMode: "sync" },
  { name: "NODE2", commitMode: "undetermined" },
);

/** A commit of 41.6 ms, as in the design's picture of two secondaries; µs after it began. */
function block(gate: number, acks: readonly (number | null)[], localFlushEnd = 18_000): Sequence {
  return {
    gate,
    local: { localFlushEnd },
    hops: acks.map((ackProcessed, secondary) => ({ secondary, anchors: { ackProcessed } })),
    commits: [{ start: 0, end: 41_600 }],
  } as unknown as Sequence;
}

test("a block that nothing released has no commits, or it is not known what released them", () => {
  expect(unreleasedText({ ...block(0, []), commits: [] })).toBe("no commit of this block in the capture");
  expect(unreleasedText(block(0, [41_500]))).toBe("what released its commits is not known");
});

test("what another replica would have cost", () => {
  expect(releaseOf(block(2, [41_500, 18_900]), NODES)).toEqual({
    gate: 2,
    name: "NODE3",
    afterLocal: 23_500,
    other: { name: "NODE2", earlierUs: 22_600 },
    withoutUs: 19_000,
  });
  // The local write would have been the last one then.
  expect(releaseOf(block(2, [41_500, 18_900], 30_000), NODES).withoutUs).toBe(30_100);
});

test("without an acknowledgment of every other replica nothing is claimed about the time without one", () => {
  expect(releaseOf(block(2, [41_500, null]), NODES)).toMatchObject({ other: null, withoutUs: null });
});

test("the local write releases after the last acknowledgment", () => {
  expect(releaseOf(block(1, [10_000, 15_000]), NODES)).toEqual({
    gate: 1,
    name: null,
    afterLocal: null,
    other: { name: "NODE2", earlierUs: 3_000 },
    withoutUs: null,
  });
});

test("an asynchronous replica is none of those that were waited for", () => {
  const asynchronous = summaryOf(
    { name: "SQL1", commitMode: "undetermined" },
    { name: "SQL2", commitMode: "sync" },
    { name: "SQL3", commitMode: "async" },
  );
  expect(releaseOf(block(2, [41_500, 18_900]), asynchronous)).toMatchObject({ other: null, withoutUs: null });
});
