import { expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { parseChange } from "./changes.ts";
import { streamsOf } from "./streams.ts";
import { waitingOf } from "./waiting.ts";
import { predict } from "./what-if.ts";

/** Two blocks with SQL1 as primary, then two with SQL2: the hop of slot 0 leads to the other server each time. */
const before = modelOf([0, 100_000, 200_000, 300_000].map((at) => ({ at, hops: [{ flush: 20_000 }] })));
const failover = {
  ...before,
  blocks: { ...before.blocks, phase: Uint16Array.of(0, 0, 1, 1) },
  phases: [
    { ...before.phases[0], to: 150_000 },
    { ...before.phases[0], primary: 1, from: 200_000 },
  ],
};

it("are the blocks of one database under one primary, each with the secondaries that it was sent to", () => {
  const found = streamsOf(failover).map(({ primary, rows, hops }) => [
    primary,
    [...rows],
    hops.map(({ replica }) => replica),
  ]);
  expect(found).toEqual([
    [0, [0, 1], [1]],
    [1, [2, 3], [0]],
  ]);
});

it("have a log writer for each role of a server", () => {
  const writers = waitingOf(failover).rows.filter(({ kind }) => kind === "logWrite");
  expect(writers.map(({ replica, mode, servedUs }) => [replica, mode, servedUs])).toEqual([
    [0, "primary", 2_000],
    [1, "sync", 20_000],
    [1, "primary", 2_000],
    [0, "sync", 20_000],
  ]);
});

it("are changed where the change's replica takes part: a secondary of one phase is no secondary of the other", () => {
  const { replayed } = predict(failover, parseChange(failover, "async:SQL2"));
  // Without SQL2: 50 until the log write, 2,000 for it, 40 to wake up. Commits still wait for SQL1's acknowledgment.
  expect([...replayed.predicted.latency]).toEqual([2_090, 2_090, 21_290, 21_290]);
});

it("leave out a secondary to which nothing was sent", () => {
  const silent = modelOf([{ at: 0 }], { secondaries: 2 });
  for (const column of [silent.hops[1].sendStart, silent.hops[1].ackProcessed]) column.fill(Number.NaN);
  expect(streamsOf(silent)[0].hops.map(({ replica }) => replica)).toEqual([1]);
});
