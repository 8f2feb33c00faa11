/**
 * When blocks settle: up to where all awaited replicas were read, less a margin, and not past a block that still waits.
 */
import { describe, expect, it } from "vitest";
import { modelOf, withCommitMode } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { SettleTarget, type ReadUpTo } from "./settling.ts";

const SECOND = 1_000_000;
const BIN_US = 50_000;

/** A block each second from 0 to 29 s. */
const model = (): CaptureModel => modelOf(Array.from({ length: 30 }, (_, i) => ({ at: i * SECOND })));

const readTo = (byAll: number, more: Partial<ReadUpTo> = {}): ReadUpTo => ({
  now: 30 * SECOND,
  newest: 30 * SECOND,
  byAll: byAll * SECOND,
  quietAfter: 10 * SECOND,
  ...more,
});

/** s. */
const targetOf = (of: CaptureModel, read: ReadUpTo, target = new SettleTarget()): number =>
  target.of(of, 0, [0], read, BIN_US) / SECOND;

/** Without the answers of the secondary, or the primary's own writes, from a row on. */
function withoutFrom(row: number, anchor: "ackReceived" | "localFlushEnd"): CaptureModel {
  const made = model();
  const column = anchor === "ackReceived" ? made.hops[0].ackReceived : made.blocks.localFlushEnd;
  column.fill(Number.NaN, row);
  return made;
}

describe("blocks settle", () => {
  it("a second before what all were read to, five seconds in the first ten", () => {
    expect(targetOf(model(), readTo(20))).toBe(19);
    expect(targetOf(model(), readTo(10))).toBe(9);
    expect(targetOf(model(), readTo(9.9))).toBeCloseTo(4.9, 9);
  });

  it("all of them once nothing has come for as long as news are waited for", () => {
    const at = (now: number): number => targetOf(model(), readTo(20, { now }));
    expect([at(40 * SECOND), at(40 * SECOND + 1)]).toEqual([19, 30.05]);
  });

  it("up to the first block that waits for its log write, for ten seconds at most", () => {
    expect(targetOf(withoutFrom(15, "localFlushEnd"), readTo(20))).toBe(15);
    expect(targetOf(withoutFrom(15, "localFlushEnd"), readTo(25))).toBe(15);
    expect(targetOf(withoutFrom(15, "localFlushEnd"), readTo(26))).toBe(16);
  });

  it("up to the first block that waits for the answer of a secondary that does answer", () => {
    const waiting = withoutFrom(15, "ackReceived");
    expect(targetOf(waiting, readTo(20))).toBe(15);
    // Its last answer was that of 14 s: ten seconds later it counts as not answering.
    expect(targetOf(waiting, readTo(23.999))).toBe(15);
    expect(targetOf(waiting, readTo(24))).toBe(23);
    expect(targetOf(withCommitMode(waiting, 1, "async"), readTo(20))).toBe(19);
    expect(targetOf(withoutFrom(0, "ackReceived"), readTo(20))).toBe(19);
  });

  it("as long as a secondary was seen to answer, though the events at hand show no answer", () => {
    const target = new SettleTarget();
    targetOf(withoutFrom(15, "ackReceived"), readTo(20), target);
    expect(targetOf(withoutFrom(0, "ackReceived"), readTo(20), target)).toBe(10);
  });

  it("does not wait for the answer to a block that was not sent", () => {
    const made = withoutFrom(15, "ackReceived");
    made.hops[0].sendEnd.fill(Number.NaN, 15, 17);
    expect(targetOf(made, readTo(20))).toBe(17);
  });

  it("a second before the newest event where the window has more than 600,000 events", () => {
    const withEvents = (events: number): CaptureModel => {
      const made = model();
      return { ...made, replicas: made.replicas.map((each) => ({ ...each, events })) };
    };
    expect(targetOf(withEvents(300_000), readTo(20))).toBe(19);
    expect(targetOf(withEvents(300_001), readTo(20))).toBe(29);
  });

  it("in time of the run", () => {
    const shifted = new SettleTarget().of(
      withoutFrom(15, "localFlushEnd"),
      100 * SECOND,
      [0],
      {
        now: 121 * SECOND,
        newest: 121 * SECOND,
        byAll: 120 * SECOND,
        quietAfter: 10 * SECOND,
      },
      BIN_US,
    );
    expect(shifted).toBe(115 * SECOND);
  });
});
