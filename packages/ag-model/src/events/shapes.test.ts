import { expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { shapesOf } from "./shapes.ts";

const shared: EventSpec = {
  kind: "capture",
  at: 1,
  took: 2,
  mode: 2,
  local: 5,
  database: "sales",
  partner: "b",
};
const at = (event: EventSpec, when: number): EventSpec => ({ ...event, at: when });

it("numbers combinations of kind, mode, databases, group and replicas as they come", () => {
  const { shapeOf, first, last } = shapesOf(
    eventColumns(
      [
        shared,
        { ...shared, mode: 1 },
        shared,
        { ...shared, kind: "compression" as const },
        { ...shared, local: 6 },
        { ...shared, database: "hr" },
        { ...shared, partner: "c" },
        { ...shared, self: "c" },
        { ...shared, group: "g" },
        // What differs from event to event is no part of it.
        { ...shared, block: 7n, size: 512, action: "Set" },
      ].map((event, i) => at(event, 10 * i)),
    ),
  );
  expect([...shapeOf]).toEqual([0, 1, 0, 2, 3, 4, 5, 6, 7, 0]);
  expect([...first]).toEqual([0, 1, 3, 4, 5, 6, 7, 8]);
  expect([...last]).toEqual([9, 1, 3, 4, 5, 6, 7, 8]);
});

it("keeps thousands of shapes apart, as damaged files have them", () => {
  const events = Array.from({ length: 6_000 }, (_, i) => at({ ...shared, local: i % 3_000 }, 10 * i));
  const { shapeOf, first } = shapesOf(eventColumns(events));
  expect(first.length).toBe(3_000);
  expect([...shapeOf]).toEqual(events.map((_, i) => i % 3_000));
});
