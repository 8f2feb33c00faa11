import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { HOP_ANCHORS, LOCAL_ANCHORS, Obtained } from "../replication/shapes/tables.ts";
import { anchorAt, countObtained, obtainedAt } from "./index.ts";

/** How each instant was obtained, that of the first anchor in the two lowest bits. */
const bitsOf = (obtained: readonly Obtained[]): number =>
  obtained.reduce<number>((bits, each, i) => bits | (each << (2 * i)), 0) >>> 0;

const { missing, measured, derived, fallback } = Obtained;

test("known instants and estimates are counted over blocks and hops", () => {
  const model = modelOf([{ at: 0 }, { at: 10_000 }], { secondaries: 2 });
  model.blocks.obtained.set([
    bitsOf([measured, missing, fallback, fallback, derived]),
    bitsOf([missing, missing, missing, missing, fallback]),
  ]);
  model.hops[0].obtained.set([
    bitsOf(HOP_ANCHORS.map(() => fallback)),
    bitsOf(HOP_ANCHORS.map(() => derived)),
  ]);
  model.hops[1].obtained.set([0, bitsOf(HOP_ANCHORS.map(() => measured))]);
  // Four and one of the blocks themselves, eleven each of three hops; estimates are two and one of blocks, eleven of a hop.
  expect(countObtained(model)).toEqual({ known: 4 + 1 + 3 * 11, fallback: 2 + 1 + 11 });
});

test("all sixteen places of a row count", () => {
  const model = modelOf([{ at: 0 }]);
  model.blocks.obtained.set([0xffffffff]);
  model.hops[0].obtained.set([0x55555555]);
  expect(countObtained(model)).toEqual({ known: 32, fallback: 16 });
});

test("an instant of a block is its own or that of a hop, with how it was obtained", () => {
  const model = modelOf([{ at: 0, commitQueue: 50, localFlush: 2_000 }]);
  expect(anchorAt(model, 0, "localFlushEnd", 0)).toBe(2_050);
  // 200 µs of sending from the log write's start on, 300 µs under way.
  expect(anchorAt(model, 0, "received", 0)).toBe(550);
  expect(anchorAt(model, 1, "received", 0)).toBeNaN();
  model.blocks.obtained[0] = bitsOf(LOCAL_ANCHORS.map((name) => (name === "commitEnd" ? derived : measured)));
  model.hops[0].obtained[0] = bitsOf(HOP_ANCHORS.map((name) => (name === "received" ? fallback : missing)));
  expect([
    obtainedAt(model, 0, "commitEnd", 0),
    obtainedAt(model, 0, "commitStart", 0),
    obtainedAt(model, 0, "received", 0),
    obtainedAt(model, 0, "ackSent", 0),
  ]).toEqual([derived, measured, fallback, missing]);
});
