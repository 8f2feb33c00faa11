import { expect, it } from "vitest";
import { UtcSampler } from "./utc-sample.ts";

const STRETCH = 62_500;

/** Events as [fired, published], µs. */
type Events = readonly (readonly [fire: number, published: number])[];

function sampleOf(...parts: readonly Events[]) {
  const sampler = new UtcSampler();
  for (const events of parts)
    sampler.add(
      Float64Array.from(events, ([fire]) => fire),
      Float64Array.from(events, ([, published]) => 10 * published),
    );
  const { fire, events, ahead } = sampler.sample();
  return Array.from(fire, (at, i) => [at, events[i], ahead[i]]);
}

it("has the mean of each stretch of the counter, and when its first event fired", () => {
  const events: Events = [
    [30, 40],
    [10, 40],
    [STRETCH + 5, STRETCH + 5],
    [Number.NaN, 7],
    // Back in the first interval, and before time 0.
    [20, 50],
    [-1, 99],
  ];
  const expected = [
    [10, 3, 70 / 3],
    [STRETCH + 5, 1, 0],
    [-1, 1, 100],
  ];
  expect(sampleOf(events)).toEqual(expected);
  expect(sampleOf(events.slice(0, 2), events.slice(2))).toEqual(expected);
});

it("is empty where nothing is known of when events fired", () => {
  expect(sampleOf([[Number.NaN, 5]])).toEqual([]);
});
