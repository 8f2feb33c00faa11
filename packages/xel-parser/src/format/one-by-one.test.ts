import { expect, test } from "vitest";
import { OneByOne } from "./one-by-one.ts";

/** Batches that note how their reading ended. */
async function* batchesOf(
  batches: readonly (readonly number[])[],
  ends: string[] = [],
): AsyncGenerator<readonly number[], string, void> {
  try {
    for (const batch of batches) yield batch;
    return "report";
  } finally {
    ends.push("closed");
  }
}

test("items come in order over batches, empty ones too, and then the result, once", async () => {
  const items = new OneByOne(batchesOf([[], [1, 2], [], [], [3]]));
  const results: unknown[] = [];
  for (let step = await items.next(); step.done !== true; step = await items.next()) results.push(step.value);
  expect(results).toEqual([1, 2, 3]);
  expect(await new OneByOne(batchesOf([])).next()).toEqual({ done: true, value: "report" });
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test("requests that do not wait for each other are answered in their order", async () => {
  const items = new OneByOne(batchesOf([[1], [2, 3], [4]]));
  const asked = Array.from({ length: 6 }, () => items.next());
  expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([1, 2, 3, 4, "report", undefined]);
});

test("who leaves in the middle of a batch closes what the batches are read from", async () => {
  const ends: string[] = [];
  const items = new OneByOne(batchesOf([[1, 2, 3], [4]], ends));
  for await (const item of items) if (item === 2) break;
  expect(ends).toEqual(["closed"]);
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test("an error thrown in closes too, and is what the request ends with", async () => {
  const ends: string[] = [];
  const items = new OneByOne(batchesOf([[1, 2]], ends));
  await items.next();
  await expect(items.throw(new Error("enough"))).rejects.toThrow("enough");
  expect(ends).toEqual(["closed"]);
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test("an error of the batches ends the items", async () => {
  async function* failing(): AsyncGenerator<readonly number[], string, void> {
    yield [1];
    throw new Error("no file");
  }
  const items = new OneByOne(failing());
  expect(await items.next()).toEqual({ done: false, value: 1 });
  await expect(items.next()).rejects.toThrow("no file");
  expect(await items.next()).toEqual({ done: true, value: undefined });
});
