import { expect, it } from "vitest";
import { allRows } from "../numbers/index.ts";
import type { HopLegs } from "./hop-legs.ts";
import { replayHop } from "./hop-replay.ts";
import { AS_MEASURED } from "./write-durations.ts";

/** One more than are processed in a step at once. */
const LENGTH = 4_097;
/** The last block but one, whose flush starts then; that of the last one starts 10 µs later. */
const T = 40_950_000;

const flushStart = Float64Array.from({ length: LENGTH }, (_, block) =>
  block < 4_096 ? block * 10_000 : T + 10,
);
const blocks = {
  position: allRows(LENGTH),
  flushStart,
  flushEnd: flushStart,
  shiftAt: null,
  blockOfCommit: allRows(LENGTH),
};

type Step = "sendStart" | "out" | "write" | "ackBuild" | "back" | "unseen";

/** A way in which each step takes the same time, µs, and one of them keeps 1 ms to the block before. */
function replayed(held: Step | null, isSeen = true): number[] {
  const all = (us: number) => new Float32Array(LENGTH).fill(us);
  const step = (name: Step, us: number) => ({ delay: all(us), follow: all(name === held ? 1_000 : 0) });
  const instants = new Float64Array(LENGTH);
  const flags = new Uint8Array(LENGTH);
  const way = { sendStart: step("sendStart", 10), capture: all(5), compression: all(0), handOver: all(1) };
  const seen = {
    isSeen: true,
    out: step("out", 50),
    received: instants,
    pausedOut: flags,
    pausedBack: flags,
    writer: {
      entered: instants,
      ready: instants,
      start: instants,
      end: instants,
      waited: flags,
      first: flags,
      policy: "oneByOne",
      turnaround: held === "write" ? 1_000 : 0,
    },
    write: Int32Array.from(allRows(LENGTH)),
    ackBuild: step("ackBuild", 5),
    ackSend: all(1),
    back: step("back", 20),
    processing: all(2),
  } as const;
  const legs: HopLegs = {
    ...way,
    onward: isSeen ? seen : { isSeen: false, step: step("unseen", 88) },
  };
  const writeUs = { ...AS_MEASURED, fixedUs: 10 };
  return [...replayHop(legs, blocks, new Float64Array(LENGTH), { writeUs }).subarray(-2)];
}

it.each<[Step | null, number]>([
  // Flush, K0 10, K1 15, K2 16, R0 66, written 76, built 81, sent 82, back 102, processed 104 µs after T, and 10 µs later.
  [null, 114],
  // 1,000 after K1, R0, the end of the write, the sending of the acknowledgment and its processing of the block before.
  ["sendStart", 15 + 1_000 + 94],
  ["out", 66 + 1_000 + 38],
  ["write", 76 + 1_000 + 38],
  ["ackBuild", 82 + 1_000 + 23],
  ["back", 104 + 1_000 + 2],
])("a block waits for the one before it where others go through the replay first: %s", (held, us) => {
  expect(replayed(held)).toEqual([T + 104, T + us]);
});

it("a block waits for the one before it on the way to a secondary without a file", () => {
  expect(replayed(null, false)).toEqual([T + 104, T + 114]);
  expect(replayed("unseen", false)).toEqual([T + 104, T + 104 + 1_000]);
});
