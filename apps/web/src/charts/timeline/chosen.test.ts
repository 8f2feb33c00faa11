import { expect, test } from "vitest";
import { LANES } from "../../../test/scene.ts";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import { barsOfSequence } from "./chosen.ts";

const commits = [
  { start: 0, end: 658_546, queued: null, wokenAfter: null, rank: null, gate: 2, timeToCommit: null },
  { start: 5, end: 658_600, queued: null, wokenAfter: null, rank: null, gate: 2, timeToCommit: null },
];
const BLOCK = { ...SLOW_BLOCK, commits };

test("a block's bars are those of its own path, in every lane that it has instants for", () => {
  const bars = barsOfSequence(BLOCK, LANES, []);
  expect(Object.fromEntries(bars)).toEqual({
    commit: [
      [0, 658_546],
      [5, 658_600],
    ],
    localFlush: [[146, 5_562]],
    "hop0.send": [[63, 530]],
    "hop0.wireOut": [[530, 83_505.5]],
    "hop0.secondaryAppend": [[83_505.5, 83_677.5]],
    "hop0.secondaryFlush": [[83_677.5, 607_369.5]],
    "hop0.acknowledge": [[607_369.5, 607_699.5]],
    "hop0.wireBack": [[607_699.5, 658_425]],
    // It released the commits, so it lasts until they woke up.
    "hop0.ackReceive": [[658_425, 658_546]],
  });
});

test("an acknowledgment that released nothing ends when it was processed", () => {
  expect(barsOfSequence({ ...BLOCK, gate: 1 }, LANES, []).get("hop0.ackReceive")).toEqual([
    [658_425, 658_509],
  ]);
  expect(barsOfSequence({ ...BLOCK, gate: 3 }, LANES, []).get("hop0.ackReceive")).toEqual([
    [658_425, 658_509],
  ]);
});

test("a moved clock moves what its secondary wrote", () => {
  const bars = barsOfSequence(BLOCK, LANES, [1_000, 9_000]);
  expect(bars.get("hop0.secondaryFlush")).toEqual([[84_677.5, 608_369.5]]);
  expect(bars.get("hop0.wireOut")).toEqual([[530, 84_505.5]]);
  expect(bars.get("localFlush")).toEqual([[146, 5_562]]);
});

test("lanes with a missing end are skipped", () => {
  const [hop] = BLOCK.hops;
  const cut = { ...BLOCK, hops: [{ ...hop, anchors: { ...hop.anchors, received: null } }] };
  const bars = barsOfSequence(cut, LANES, []);
  expect([
    bars.has("hop0.wireOut"),
    bars.has("hop0.secondaryAppend"),
    bars.has("hop0.secondaryFlush"),
  ]).toEqual([false, false, true]);
});
