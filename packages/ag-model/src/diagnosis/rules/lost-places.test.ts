/** Places of single lost events, from captures in which every event of every block exists at first. */
import { expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../../test/model.ts";
import { HOP_ANCHORS, type CaptureModel, type HopAnchor } from "../../replication/shapes/tables.ts";
import { MOST_PLACES, lostPlaces } from "./lost-places.ts";

/** A block every 100 ms. */
const capture = (blocks: number): CaptureModel =>
  modelOf(
    Array.from({ length: blocks }, (_, i): BlockSpec => ({ at: i * 100_000 })),
    { duration: blocks * 100_000 },
  );

/** Removes the event of one anchor; without an estimate its instant is missing as well. */
function lose({ hops }: CaptureModel, anchor: HopAnchor, row: number, estimate = false): void {
  const bit = 2 * HOP_ANCHORS.indexOf(anchor);
  hops[0].obtained[row] |= 3 << bit;
  if (estimate) return;
  hops[0].obtained[row] &= ~(3 << bit);
  hops[0][anchor][row] = Number.NaN;
}

it("no event is lost where every block has all of them", () => {
  expect(lostPlaces(capture(300))).toEqual([]);
});

it("a lost event is where it was estimated, otherwise at the last known instant before it", () => {
  const model = capture(300);
  lose(model, "secondaryFlushEnd", 100);
  lose(model, "secondaryFlushEnd", 200, true);
  const before = model.hops[0].secondaryFlushStart[100];
  const estimated = model.hops[0].secondaryFlushEnd[200];
  expect(lostPlaces(model)).toEqual([
    {
      replica: 1,
      database: 0,
      secondary: 0,
      anchor: "secondaryFlushEnd",
      events: 2,
      places: [
        [before, before],
        [estimated, estimated],
      ],
    },
  ]);
});

it("many lost events are merged into places, and all are counted", () => {
  const model = capture(3_000);
  for (let row = 100; row < 2_900; row += 3) lose(model, "secondaryFlushEnd", row, true);
  const [loss] = lostPlaces(model);
  expect(loss.events).toBe(934);
  expect(loss.places.length).toBeLessThanOrEqual(MOST_PLACES);
  const ends = model.hops[0].secondaryFlushEnd;
  expect([loss.places[0][0], loss.places.at(-1)![1]]).toEqual([ends[100], ends[2_899]]);
});

it("a period of which the server lost everything has no marks of its own", () => {
  const model = capture(300);
  for (let row = 100; row < 140; row++)
    for (const anchor of [
      "received",
      "secondaryFlushStart",
      "secondaryFlushEnd",
      "ackBuilt",
      "ackDeparted",
      "ackSent",
    ] as const)
      lose(model, anchor, row);
  const inside = lostPlaces(model)
    .filter(({ replica }) => replica === 1)
    .flatMap(({ places }) => places)
    .filter(([from, to]) => from >= 10_000_000 && to <= 13_900_000);
  expect(inside).toEqual([]);
});
