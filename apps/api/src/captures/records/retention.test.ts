import { expect, test } from "vitest";
import type { CaptureRecord } from "../../store/catalog.ts";
import { capturesOverSize, heldUntil } from "./retention.ts";

const DAY_MS = 24 * 3600 * 1000;
const START = Date.parse("2026-11-22T08:00:00.000Z");

/**
 * Sweeps at these times, in days from the start. @returns for each sweep the end of the pause of deletions, in days, or
 * null
 */
async function sweepsAt(...days: number[]): Promise<(number | null)[]> {
  const facts = new Map<string, string>();
  const kept = {
    fact: (name: string) => Promise.resolve(facts.get(name) ?? null),
    saveFact: (name: string, value: string) => Promise.resolve(void facts.set(name, value)),
  };
  const ends: (number | null)[] = [];
  for (const day of days) {
    const held = await heldUntil(kept, START + day * DAY_MS);
    ends.push(held === null ? null : (Date.parse(held) - START) / DAY_MS);
  }
  return ends;
}

test("the first start of all deletes nothing by age for a day", async () => {
  expect(await sweepsAt(0, 0.5, 0.999, 1, 1.5)).toEqual([1, 1, 1, null, null]);
});

test("a clock set forward by 91 days, and set right again, deletes nothing by age for a day each time", async () => {
  expect(await sweepsAt(0, 1, 92, 92.9, 2, 2.9, 3)).toEqual([1, null, 93, 93, 3, 3, null]);
});

test("a clock set back does too", async () => {
  expect(await sweepsAt(0, 1, -400, -399.1, -399)).toEqual([1, null, -399, -399, null]);
});

test("up to a day between two sweeps is nothing unusual: a server may be off over night", async () => {
  expect(await sweepsAt(0, 1, 2)).toEqual([1, null, null]);
  expect(await sweepsAt(0, 1, 2 + 1 / DAY_MS)).toEqual([1, null, 3 + 1 / DAY_MS]);
});

test("the time is noted each six hours, not at each sweep", async () => {
  const HOUR_MS = 3_600_000;
  const facts = new Map<string, string>();
  const saved: string[] = [];
  const kept = {
    fact: (name: string) => Promise.resolve(facts.get(name) ?? null),
    saveFact: (name: string, value: string) => {
      facts.set(name, value);
      return Promise.resolve(void saved.push(value));
    },
  };
  const noted = async (ms: number): Promise<string[]> => {
    saved.length = 0;
    await heldUntil(kept, START + ms);
    return [...saved];
  };
  // With the time until which nothing is deleted.
  expect(await noted(0)).toEqual(["2026-11-23T08:00:00.000Z", "2026-11-22T08:00:00.000Z"]);
  expect(await noted(6 * HOUR_MS - 1)).toEqual([]);
  expect(await noted(6 * HOUR_MS)).toEqual(["2026-11-22T14:00:00.000Z"]);
  expect(await noted(6 * HOUR_MS + 1)).toEqual([]);
});

/** Captures of one file of 10 bytes and a result of 5, made one after the other. */
const captures = (...ids: string[]): CaptureRecord[] =>
  ids.map(
    (id, index) =>
      ({
        id,
        created: `2026-11-0${index + 1}T00:00:00.000Z`,
        files: [{ size: 10 }],
        analysis: { is: "ready", stored: { files: { summary: { bytes: 5 } } } },
      }) as unknown as CaptureRecord,
  );

test.each([
  [45, ""],
  [44, "a"],
  [30, "a"],
  [29, "a b"],
  [0, "a b"],
])("above a limit of %d bytes the oldest are given up, never the newest: %s", (limit, given) => {
  const over = capturesOverSize(captures("a", "b", "c").toReversed(), limit, () => false);
  expect(over.map(({ id }) => id).join(" ")).toBe(given);
});

test("what is kept counts and stays", () => {
  const over = capturesOverSize(captures("a", "b", "c"), 30, ({ id }) => id === "a");
  expect(over.map(({ id }) => id)).toEqual(["b"]);
});

test("what is kept beside a capture's files and results counts too", () => {
  const over = (bytesBeside: number) =>
    capturesOverSize(
      captures("a", "b", "c"),
      60,
      () => false,
      (id) => (id === "a" ? bytesBeside : 0),
    ).map(({ id }) => id);
  expect(over(15)).toEqual([]);
  expect(over(16)).toEqual(["a"]);
});
