import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const all = (turns: Turns<string>): string[] => {
  const items: string[] = [];
  for (let item = turns.next(); item !== null; item = turns.next()) items.push(item);
  return items;
};

test("the many of one let the few of others in between, each in its own order", () => {
  const turns = new Turns<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) turns.add("a", item);
  turns.add("b", "b1");
  for (const item of ["c1", "c2"]) turns.add("c", item);
  expect(turns.size).toBe(7);
  expect(all(turns)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", "a4"]);
  expect(turns.size).toBe(0);
});

test("who comes later waits for one thing of each, not for all", () => {
  const turns = new Turns<string>();
  for (const item of ["a1", "a2", "a3"]) turns.add("a", item);
  expect(turns.next()).toBe("a1");
  turns.add("b", "b1");
  expect(all(turns)).toEqual(["a2", "b1", "a3"]);
});

test("what is taken out is never given", () => {
  const turns = new Turns<string>();
  for (const item of ["a1", "a2"]) turns.add("a", item);
  turns.add("b", "b1");
  expect(turns.remove("a1")).toBe(true);
  expect(turns.remove("b1")).toBe(true);
  expect(turns.remove("b1")).toBe(false);
  expect(all(turns)).toEqual(["a2"]);
});

test("each knows how many of its things wait, and how many of others are taken before", () => {
  const turns = new Turns<string>();
  for (const item of ["a1", "a2", "a3"]) turns.add("a", item);
  turns.add("b", "b1");
  expect(turns.places()).toEqual([
    { whose: "a", waiting: 3, before: 0 },
    { whose: "b", waiting: 1, before: 1 },
  ]);
  turns.next();
  expect(turns.places()).toEqual([
    { whose: "b", waiting: 1, before: 0 },
    { whose: "a", waiting: 2, before: 1 },
  ]);
});
