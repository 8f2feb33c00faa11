import { describe, expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { MARKER_KINDS, type CaptureModel } from "../replication/shapes/tables.ts";
import { WAIT_PLACES, waitParts, type WaitPlace } from "./index.ts";

/** Parts of one commit's wait that are not 0, µs. */
function partsOf(model: CaptureModel, row: number): Partial<Record<WaitPlace, number>> {
  const sums = new Float64Array(WAIT_PLACES.length);
  waitParts(model)(row, sums, 0);
  return Object.fromEntries(WAIT_PLACES.map((place, i) => [place, sums[i]]).filter(([, us]) => us !== 0));
}

const hop = {
  send: 100,
  wireOut: 300,
  append: 90,
  flush: 2_500,
  ackBuild: 40,
  ackSend: 60,
  wireBack: 350,
  ackReceive: 70,
};
/** Released by the local log write of 50 ms, and by the acknowledgment after 3,510 µs. */
const model = modelOf([
  { at: 0, localFlush: 50_000, hops: [hop] },
  { at: 100_000, hops: [hop] },
]);

describe("the parts of a commit's wait", () => {
  test("are prepared once for a model", () => {
    expect(waitParts(model)).toBe(waitParts(model));
  });

  test("of a local log write: queue, write and wake-up", () => {
    expect(partsOf(model, 0)).toEqual({ commitQueue: 50, localFlush: 50_000, handling: 40 });
  });

  test("of an acknowledgment: both directions are the network, and work of servers is handling", () => {
    // Send 100, append 90, build 40, send 60, receive 70, wake-up 40.
    expect(partsOf(model, 1)).toEqual({
      commitQueue: 50,
      network: 650,
      secondaryFlush: 2_500,
      handling: 400,
    });
  });

  test("of a secondary without a file are not known from the send on, until the acknowledgment arrives", () => {
    const alone = modelOf([{ at: 0, hops: [hop] }]);
    for (const name of [
      "received",
      "secondaryFlushStart",
      "secondaryFlushEnd",
      "ackDeparted",
      "ackSent",
    ] as const)
      alone.hops[0][name][0] = Number.NaN;
    expect(partsOf(alone, 0)).toEqual({ commitQueue: 50, unknown: 3_340, handling: 210 });
  });

  test("of one lost instant between two parts of one place are known", () => {
    const lost = modelOf([{ at: 0, hops: [hop] }]);
    lost.hops[0].ackDeparted[0] = Number.NaN;
    expect(partsOf(lost, 0)).toEqual({ commitQueue: 50, network: 650, secondaryFlush: 2_500, handling: 400 });
  });

  test("of an unknown release are not known", () => {
    const unknown = modelOf([{ at: 0, hops: [hop] }]);
    unknown.commits.gate[0] = 0;
    expect(partsOf(unknown, 0)).toEqual({ unknown: 3_600 });
  });

  test("of a commit that began after the log write are the part of the path that it waited for", () => {
    const late = modelOf([{ at: 0, hops: [hop] }]);
    // The send began at 50, the block arrived at 450, its log write ran from 540 to 3,040.
    late.commits.start[0] = 1_000;
    expect(partsOf(late, 0)).toEqual({ network: 350, secondaryFlush: 2_040, handling: 210 });
  });

  test("in which a server was unresponsive are that server's, not the network's", () => {
    const paused = modelOf([{ at: 0, hops: [{ ...hop, wireOut: 600_000 }] }]);
    const markers = {
      length: 1,
      kind: Uint8Array.of(MARKER_KINDS.indexOf("pause")),
      replica: Uint8Array.of(1),
      time: Float64Array.of(1_000),
      duration: Float64Array.of(590_000),
    };
    expect(partsOf({ ...paused, markers }, 0)).toMatchObject({ unresponsive: 600_000, network: 350 });
  });
});
