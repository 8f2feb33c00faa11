import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { remoteShares, remoteSharesOf } from "./index.ts";

/** Two log writes of 3 ms on a way of 4.2 ms, the first one without its sent acknowledgment; then 10.8 of 12 ms. */
const model = modelOf([{ at: 0 }, { at: 100_000 }, { at: 200_000, hops: [{ flush: 10_800 }] }]);
model.hops[0].ackSent[0] = Number.NaN;

test("shares are of the sums over the blocks whose path is whole, and the rows that were given stay as they are", () => {
  const rows = Uint32Array.of(0, 2);
  expect(remoteSharesOf(model, 0, rows)).toMatchObject({ secondaryFlush: 0.9, wireOut: 0.025 });
  expect([...rows]).toEqual([0, 2]);
  const all = remoteSharesOf(model, 0, Uint32Array.of(0, 1, 2));
  expect(all.secondaryFlush).toBe((3_000 + 10_800) / (4_200 + 12_000));
  expect(remoteShares(model, 0)).toEqual(all);
});

test("where no path is whole, each stage counts over the blocks that have it", () => {
  const { secondaryFlush, wireBack } = remoteSharesOf(model, 0, Uint32Array.of(0));
  expect(secondaryFlush).toBe(3_000 / 4_200);
  expect(wireBack).toBeNaN();
});
