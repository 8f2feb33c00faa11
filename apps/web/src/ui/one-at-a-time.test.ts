import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

test("who asks while it is done gets the next one, together with the others; a failure is that of its own", async () => {
  const works: PromiseWithResolvers<void>[] = [];
  const ask = oneAtATime(() => {
    const work = Promise.withResolvers<void>();
    works.push(work);
    return work.promise;
  });
  const begun = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const first = ask();
  await begun();
  const [second, third] = [ask(), ask()];
  expect(works).toHaveLength(1);
  let isSecondDone = false;
  void second.then(() => (isSecondDone = true));
  works[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await begun();
  expect([works.length, isSecondDone]).toEqual([2, false]);
  works[1]?.resolve();
  await Promise.all([second, third]);
  const last = ask();
  await begun();
  expect(works).toHaveLength(3);
  works[2]?.resolve();
  await last;
});
