import { beforeEach, expect, test } from "vitest";
import { forgetQuery, keepQuery, ownQueries, titleOf } from "./own-queries.ts";

beforeEach(() => window.localStorage.clear());

test("queries are kept under their comment, or their first words", () => {
  expect(titleOf("-- Commits that SQL3 released\nSELECT 1")).toBe("Commits that SQL3 released");
  expect(titleOf("SELECT\n  1")).toBe("SELECT 1");
  expect(titleOf(`SELECT ${"x, ".repeat(40)}`)).toHaveLength(60);
  keepQuery("-- One\nSELECT 1");
  keepQuery("-- Two\nSELECT 2");
  keepQuery("-- One\nSELECT 3");
  expect(ownQueries()).toEqual([
    { title: "One", sql: "-- One\nSELECT 3" },
    { title: "Two", sql: "-- Two\nSELECT 2" },
  ]);
  forgetQuery("One");
  expect(ownQueries().map(({ title }) => title)).toEqual(["Two"]);
});

test("what is not ours is none", () => {
  window.localStorage.setItem("ag-lens.queries", '[{"title":1}]');
  expect(ownQueries()).toEqual([]);
  window.localStorage.setItem("ag-lens.queries", "{");
  expect(ownQueries()).toEqual([]);
});
