import { TestClock } from "@aglens/fixtures/clock";
import { expect, test } from "vitest";
import { PassphraseTries } from "./passphrase-tries.ts";
import { passingInMemory } from "./passing.ts";

const tries = () => new PassphraseTries(passingInMemory(new TestClock()));
const browser = (id: string) => ({ id, isKnown: false });
const REFUSED = { problem: { code: "too-many-tries" } };

test("what was right is no try of the browser, of its address or of the link", async () => {
  const all = tries();
  for (let number = 0; number < 150; number += 1) {
    const begun = await all.begin("link", browser(`b${number % 2}`), `10.0.0.${number % 3}`);
    await begun.forgive();
  }
  expect((await all.begin("link", browser("b0"), "10.0.0.0")).left).toBe(4);
});

test("a link has 100 wrong tries of all addresses, and another link its own", async () => {
  const all = tries();
  for (let number = 0; number < 100; number += 1)
    await all.begin("link", browser(`b${number}`), `10.0.${number}.1`);
  await expect(all.begin("link", browser("late"), "10.1.0.1")).rejects.toMatchObject(REFUSED);
  expect((await all.begin("other", browser("late"), "10.1.0.1")).left).toBe(4);
  // A browser that sent the right passphrase earlier has its own tries.
  expect((await all.begin("link", { id: "known", isKnown: true }, "10.1.0.1")).left).toBe(4);
});
