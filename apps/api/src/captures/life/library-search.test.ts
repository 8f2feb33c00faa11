import { expect, test } from "vitest";
import { searchTest } from "./library-search.ts";
import type { SearchedCapture } from "./library-search.ts";

const NOW = Date.parse("2026-11-10T00:00:00Z");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const finds = (search: string, capture: Partial<SearchedCapture> = {}): boolean =>
  searchTest(
    search,
    NOW,
  )({
    words: "friday night sql1",
    group: "SALES AG",
    owner: "Ann Lee",
    tags: ["load test", "nightly"],
    wait: "network",
    p95Us: 1_500_000,
    bytes: 1_500_000_000,
    expiresMs: NOW + 2 * DAY_MS,
    ...capture,
  });

test.each([
  "",
  "  ",
  "friday",
  "FRIDAY sql",
  'group:"sales ag"',
  "group:AG",
  "owner:lee",
  "tag:night",
  'TAG:"Load Test"',
  "wait:net",
  '"day night"',
])("%j finds it", (search) => expect(finds(search)).toBe(true));

test.each([
  "saturday",
  "friday saturday",
  '"night friday"',
  "group:crm",
  "owner:ben",
  "tag:drill",
  "wait:work",
  "wait:",
  "group:",
])("%j does not", (search) => expect(finds(search)).toBe(false));

// Comparisons that are true and false for the capture's figures.
test.each([
  ["p95>1.4s p95<1.6s", "p95>1.5s"],
  ["p95>=1500ms p95<=1500ms", "p95<1500ms"],
  ["p95>1499999us p95<1500001µs", "p95<1500000us"],
  ["size>=1.5gb size<1.6gb", "size>1.5gb"],
  ["size>1499mb size<1501mb", "size<1500mb"],
  ["size>1499999kb size<1500001kb", "size>1500000kb"],
  ["size>1499999999b size<1500000001b", "size<1500000000b"],
  ["expires<=2d expires>1.9d", "expires<2d"],
  ["expires>47h expires<49h", "expires>48h"],
])("%j finds it and %j does not", (found, notFound) => {
  expect([finds(found), finds(notFound)]).toEqual([true, false]);
});

test("what has no figure is on no side of one", () => {
  for (const sign of ["<", "<=", ">", ">="]) {
    expect(finds(`p95${sign}1s`, { p95Us: null })).toBe(false);
    expect(finds(`expires${sign}1d`, { expiresMs: null })).toBe(false);
  }
});

test("what compares nothing known is a word", () => {
  for (const word of ["p95>1gb", "size>1", "p96>1s", "p95=1s", "who:ann"]) {
    expect([finds(word), finds(word, { words: `x ${word} x` })]).toEqual([false, true]);
  }
});
