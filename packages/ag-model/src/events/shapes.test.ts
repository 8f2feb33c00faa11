import { expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { ShapeNumbers } from "./shapes.ts";

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
  const shapes = new ShapeNumbers();
  const shapeOf = shapes.of(
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
        // A property that differs from event to event is no part of the shape.
        { ...shared, block: 7n, size: 512, action: "Set" },
      ].map((event, i) => at(event, 10 * i)),
    ),
  );
  expect([...shapeOf]).toEqual([0, 1, 0, 2, 3, 4, 5, 6, 7, 0]);
  // The first event of each.
  expect([...shapes.examples().start]).toEqual([0, 10, 30, 40, 50, 60, 70, 80]);
});

it("goes on with the next part of the events", () => {
  const shapes = new ShapeNumbers();
  const part = (...modes: number[]) =>
    eventColumns(modes.map((mode, i) => ({ ...shared, mode, at: 10 * i })));
  const numbers = [part(1, 2), part(2, 2), part(3, 1)].map((columns) => [...shapes.of(columns)]);
  expect(numbers).toEqual([
    [0, 1],
    [1, 1],
    [2, 0],
  ]);
  expect([...shapes.examples().mode]).toEqual([1, 2, 3]);
});

it("keeps thousands of shapes apart, as damaged files have them", () => {
  const events = Array.from({ length: 6_000 }, (_, i) => at({ ...shared, local: i % 3_000 }, 10 * i));
  const shapes = new ShapeNumbers();
  expect([...shapes.of(eventColumns(events))]).toEqual(events.map((_, i) => i % 3_000));
  expect(shapes.examples().length).toBe(3_000);
});
