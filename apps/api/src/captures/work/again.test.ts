import { expect, test } from "vitest";
import { again } from "./again.ts";

/** Work that the test ends, one after the other. */
function startedWork() {
  const started: PromiseWithResolvers<void>[] = [];
  const ask = again(() => {
    const one = Promise.withResolvers<void>();
    started.push(one);
    return one.promise;
  });
  return { started, ask };
}
const settle = () => new Promise(setImmediate);

test("what is asked for while it is done is done once more behind that, for all who asked", async () => {
  const { started, ask } = startedWork();
  const done: string[] = [];
  void ask().then(() => done.push("first"));
  for (const name of ["second", "third"]) void ask().then(() => done.push(name));
  expect(started).toHaveLength(1);
  started[0]?.resolve();
  await settle();
  expect([started.length, done]).toEqual([2, ["first"]]);
  void ask().then(() => done.push("fourth"));
  await settle();
  expect(started).toHaveLength(2);
  started[1]?.resolve();
  await settle();
  expect([started.length, done]).toEqual([3, ["first", "second", "third"]]);
  started[2]?.resolve();
  await settle();
  expect(done.at(-1)).toBe("fourth");
  void ask();
  expect(started).toHaveLength(4);
});
