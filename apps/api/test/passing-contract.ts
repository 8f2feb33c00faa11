/** The contract of every store of short-lived data (`access/passing.ts`), as tests. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Passing, PendingSignIn } from "../src/access/passing.ts";

/** @param open an empty store @returns it, as each of several servers has it */
export function describePassing(name: string, open: () => Promise<readonly [Passing, Passing]>): void {
  describe(`sign-ins and wrong tries in ${name}`, () => {
    let here: Passing;
    let there: Passing;
    beforeEach(async () => {
      [here, there] = await open();
    });

    test("a sign-in is found until it is taken, once", async () => {
      const one: PendingSignIn = { state: "s", nonce: "n", verifier: "v", returnTo: "/live", ends: 5 };
      await here.signIns.save("one", one);
      await here.signIns.save("two", { ...one, returnTo: "/" });
      expect(await there.signIns.find("one")).toEqual(one);
      expect(await there.signIns.take("one")).toEqual(one);
      expect([await here.signIns.take("one"), await here.signIns.find("one")]).toEqual([null, null]);
      expect(await here.signIns.find("two")).toMatchObject({ returnTo: "/" });
    });

    test("a thousand sign-ins are held; beyond it the oldest is forgotten", async () => {
      const one: PendingSignIn = { state: "s", nonce: "n", verifier: "v", returnTo: "/", ends: 5 };
      for (let number = 0; number <= 1_000; number += 1) await here.signIns.save(`${number}`, one);
      expect([await there.signIns.find("0"), await there.signIns.find("1")]).toEqual([null, one]);
    });

    test("wrong tries are counted for each key and kind; behind the last one has to be waited", async () => {
      const ours = here.tries("a", 2, 60_000);
      const theirs = here === there ? ours : there.tries("a", 2, 60_000);
      expect([await ours.waitMs("x"), await ours.fail("x"), await theirs.waitMs("x")]).toEqual([0, 1, 0]);
      expect(await theirs.fail("x")).toBe(0);
      const wait = await ours.waitMs("x");
      expect(wait).toBeGreaterThan(50_000);
      expect(wait).toBeLessThanOrEqual(60_000);
      expect(await ours.fail("x")).toBeNull();
      expect([await ours.waitMs("y"), await here.tries("b", 2, 60_000).waitMs("x")]).toEqual([0, 0]);
    });

    test("of tries that come at once no more are counted than a key has", async () => {
      const tries = here.tries("a", 2, 60_000);
      const left = await Promise.all([1, 2, 3, 4].map(() => tries.fail("x")));
      expect(left.filter((each) => each !== null).toSorted((a, b) => a - b)).toEqual([0, 1]);
      await tries.forgive("x");
      expect(await tries.waitMs("x")).toBe(0);
    });

    test("a try that was right is taken back", async () => {
      const tries = here.tries("a", 2, 60_000);
      await tries.fail("x");
      await tries.fail("x");
      await tries.forgive("x");
      await tries.forgive("y");
      expect(await tries.waitMs("x")).toBe(0);
      expect(await tries.fail("x")).toBe(0);
    });
  });
}
