import { expect, test } from "vitest";
import { semaphore } from "./semaphore.ts";

test("so many at a time, in order of arrival, and a failure frees its place", async () => {
  const slots = semaphore(2);
  const begun: number[] = [];
  const work = [0, 1, 2, 3, 4].map(() => Promise.withResolvers<number>());
  const results = work.map(({ promise }, index) =>
    slots(() => {
      begun.push(index);
      return promise;
    }).catch((error: unknown) => error),
  );
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1]);
  work[1]?.reject(new Error("broken"));
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2]);
  work[0]?.resolve(10);
  work[2]?.resolve(12);
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  work[3]?.resolve(13);
  work[4]?.resolve(14);
  expect(await Promise.all(results)).toEqual([10, new Error("broken"), 12, 13, 14]);
  // All places are free again, and no more than there are.
  const again = [0, 1, 2].map((index) =>
    slots(() => {
      begun.push(5 + index);
      return new Promise(() => {});
    }),
  );
  expect(again).toHaveLength(3);
  await new Promise(setImmediate);
  expect(begun.slice(5)).toEqual([5, 6]);
});
