import { expect, test } from "vitest";
import {
  nextSort,
  questionParams,
  readLibraryAddress,
  sortDirection,
  toggled,
  writeLibraryAddress,
} from "./library-address.ts";

const ALL = readLibraryAddress("");

test("an address has only what differs, and reads back as it was", () => {
  expect(writeLibraryAddress(ALL)).toBe("");
  const address = {
    ...ALL,
    view: "trash",
    q: 'p95>50ms group:"A B"',
    group: ["A & B", ""],
    wait: ["network"],
    sort: "-p95",
    sel: ["x", "y"],
  } as const;
  expect(readLibraryAddress(writeLibraryAddress(address))).toEqual(address);
});

test("what makes no sense in an address is as if it were not there", () => {
  expect(readLibraryAddress("view=attic&sort=colour&sel=&other=1")).toEqual(ALL);
});

test("at most 50 captures are selected", () => {
  const sel = Array.from({ length: 60 }, (_, i) => `c${i}`);
  expect(readLibraryAddress(writeLibraryAddress({ ...ALL, sel })).sel).toHaveLength(50);
});

test("the selection is no part of the question", () => {
  expect(questionParams({ ...ALL, sel: ["x"], q: "a" }).toString()).toBe("q=a");
});

test("a value is put in and taken out", () => {
  expect(toggled(["a"], "b")).toEqual(["a", "b"]);
  expect(toggled(["a", "b"], "a")).toEqual(["b"]);
});

test("a click on a head sorts the usual way first, then the other way round", () => {
  expect(nextSort("-captured", "p95")).toBe("-p95");
  expect(nextSort("-p95", "p95")).toBe("p95");
  expect(nextSort("p95", "p95")).toBe("-p95");
  expect(nextSort("-p95", "name")).toBe("name");
  expect(nextSort("name", "name")).toBe("-name");
  expect(sortDirection("-p95", "p95")).toBe("descending");
  expect(sortDirection("p95", "p95")).toBe("ascending");
  expect(sortDirection("-p95", "size")).toBeUndefined();
});
