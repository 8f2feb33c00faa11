import { expect, test } from "vitest";
import { movedTo, stepsBack, trailOf, withTrail, zoomedTo, type ZoomTrail } from "./zoom-trail.ts";

const EPISODE = [100, 900] as const;
const CLOSE = [200, 300] as const;
/** From the entire capture to the episode to a part of it. */
const TRAIL: ZoomTrail = { range: CLOSE, back: [null, EPISODE], ahead: [] };

test("a link to a range has the whole capture before it, the whole capture nothing", () => {
  expect(trailOf(null, EPISODE)).toEqual({ range: EPISODE, back: [null], ahead: [] });
  expect(trailOf(null, null)).toEqual({ range: null, back: [], ahead: [] });
  expect(trailOf({ zoom: "broken" }, EPISODE).back).toEqual([null]);
});

test("an entry of the history holds its trail beside what else it holds", () => {
  const state = withTrail({ other: 1 }, TRAIL);
  expect(state).toMatchObject({ other: 1 });
  expect(trailOf(state, CLOSE)).toEqual(TRAIL);
  // The address has tenths of a µs.
  expect(trailOf(state, [200.04, 299.96]).back).toEqual(TRAIL.back);
  expect(withTrail(null, TRAIL)).toEqual({ zoom: TRAIL });
});

test("a range that came from elsewhere is a step of its own", () => {
  expect(trailOf(withTrail(null, TRAIL), [5, 7])).toEqual({
    range: [5, 7],
    back: [null, EPISODE, CLOSE],
    ahead: [],
  });
});

test("back and ahead again ends where it began; a zoom from there forgets what lay ahead", () => {
  const once = stepsBack(TRAIL, 1)!;
  expect(once).toEqual({ range: EPISODE, back: [null], ahead: [CLOSE] });
  expect(stepsBack(once, -1)).toEqual(TRAIL);
  expect(stepsBack(TRAIL, 2)).toEqual({ range: null, back: [], ahead: [EPISODE, CLOSE] });
  expect(stepsBack(TRAIL, 3)).toBeNull();
  expect(stepsBack(TRAIL, -1)).toBeNull();
  expect(zoomedTo(once, [1, 2])).toEqual({ range: [1, 2], back: [null, EPISODE], ahead: [] });
});

test("moving keeps the steps; very many of them forget the oldest", () => {
  expect(movedTo(TRAIL, [210, 310])).toEqual({ ...TRAIL, range: [210, 310] });
  let trail = trailOf(null, null);
  for (let n = 1; n <= 60; n += 1) trail = zoomedTo(trail, [0, n]);
  expect(trail.back).toHaveLength(50);
  expect(trail.back.at(-1)).toEqual([0, 59]);
});
