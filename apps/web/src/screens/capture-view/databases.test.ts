import { expect, test } from "vitest";
import { databaseIndex, databaseKey, databasesInRows, stepDatabase } from "./databases.ts";

const database = (name: string, id: string) => ({ id, name, group: 0, replicaIds: [], localIds: [] });
const two = { databases: [database("Sales1", "5b"), database("Sales2", "9c")] };
const twins = { databases: [database("Sales", "5b"), database("Sales", "9c")] };

test("a view names a database by its name, and by its id where names repeat", () => {
  expect([databaseKey(two, 1), databaseKey(twins, 1), databaseKey(two, 2)]).toEqual(["Sales2", "9c", null]);
  expect([databaseIndex(two, "Sales2"), databaseIndex(twins, "9c")]).toEqual([1, 1]);
});

test("a link of before has the index; one of another capture shows all", () => {
  expect([databaseIndex(two, "1"), databaseIndex(two, "2"), databaseIndex(two, "Payroll")]).toEqual([
    1,
    null,
    null,
  ]);
});

test("a capture with one database is never narrowed", () => {
  expect(databaseIndex({ databases: [database("Sales1", "5b")] }, "Sales1")).toBeNull();
});

test("steps lead from all through each and back", () => {
  expect([
    stepDatabase(two, null, 1),
    stepDatabase(two, "Sales1", 1),
    stepDatabase(two, "Sales2", 1),
  ]).toEqual(["Sales1", "Sales2", null]);
  expect(stepDatabase(two, null, -1)).toBe("Sales2");
});

test("databases stand beside each other by name as long as there is room and none is chosen", () => {
  const unsorted = { databases: [database("Sales2", "9c"), database("Sales1", "5b")] };
  expect([databasesInRows(unsorted, null), databasesInRows(unsorted, "Sales1")]).toEqual([[1, 0], []]);
  const many = (n: number) => ({
    databases: Array.from({ length: n }, (_, i) => database(`Sales${i}`, `${i}`)),
  });
  expect([1, 4, 5].map((n) => databasesInRows(many(n), null).length)).toEqual([0, 4, 0]);
});
