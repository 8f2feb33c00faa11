import { expect, it } from "vitest";
import { inOrderStep } from "./in-order.ts";

it("takes the waiting for the block before out of a step", () => {
  const from = Float64Array.of(0, 100, 1_000);
  const to = Float64Array.of(300, 315, 1_320);
  const { delay, follow } = inOrderStep(from, to, to);
  // The second would have needed 300 too, but arrived 15 after the first.
  expect([...delay]).toEqual([300, 215, 320]);
  expect([...follow]).toEqual([15, 15, 15]);
});

it("gives a block that waited the usual delay of the others when it took longer", () => {
  const from = Float64Array.of(0, 1_000, 2_000, 2_100);
  const to = Float64Array.of(300, 1_310, 9_000, 9_010);
  expect(inOrderStep(from, to, to).delay[3]).toBe(310);
});

it("does not call it waiting when a block comes well behind the one before", () => {
  const from = Float64Array.of(0, 100);
  const at = (gap: number) => Float64Array.of(300, 300 + gap);
  expect([...inOrderStep(from, at(25), at(25)).follow]).toEqual([25, 25]);
  expect([...inOrderStep(from, at(26), at(26)).follow]).toEqual([0, 0]);
});

it("passes over blocks of which nothing is known", () => {
  const to = Float64Array.of(300, Number.NaN, 310);
  const { delay, follow } = inOrderStep(Float64Array.of(0, 50, 100), to, to);
  // The third arrived 10 after the first.
  expect([...delay]).toEqual([300, Number.NaN, 210]);
  expect([...follow]).toEqual([10, 10, 10]);
});

it("keeps a delay to the microsecond up to 16 s", () => {
  const lengths = [0.3, 1_234.567, 65_536.7, 16_000_000.4];
  const from = Float64Array.from(lengths, (_, i) => i * 20_000_000);
  const to = from.map((came, i) => came + lengths[i]);
  const { delay } = inOrderStep(from, to, to);
  for (const [i, length] of lengths.entries()) expect(Math.abs(delay[i] - length)).toBeLessThan(1);
});
