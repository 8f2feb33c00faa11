import { TestClock } from "@aglens/fixtures/clock";
import { beforeEach, expect, test } from "vitest";
import { hashOf } from "../identity.ts";
import { passingInMemory } from "./passing.ts";
import { TokenTries } from "./token-tries.ts";

const ANN = { hash: hashOf("anns-token"), role: "contributor", name: "Ann" } as const;
const BOB = { hash: hashOf("bobs-token"), role: "viewer", name: "Bob" } as const;
const OFFICE = "203.0.113.7";

let clock: TestClock;
let tries: TokenTries;
/** Wrong ones that were counted. */
let counted: number;
beforeEach(() => {
  clock = new TestClock();
  tries = new TokenTries([ANN, BOB], passingInMemory(clock), clock);
  counted = 0;
});

const send = (text: string, address = OFFICE) =>
  tries.match({ text, address }, async () => {
    counted += 1;
  });
async function guess(times: number, address = OFFICE): Promise<void> {
  for (let guessed = 0; guessed < times; guessed += 1) await send(`guess ${guessed}`, address);
}
const LOCKED = { problem: { status: 429, code: "too-many-tries" } };

test("an address has five wrong tokens a minute", async () => {
  for (const left of [4, 3, 2, 1, 0]) expect(await send(`guess ${left}`)).toEqual({ left });
  await expect(send("sixth")).rejects.toMatchObject({
    problem: { detail: "Too many wrong tokens. Try again in 60 s." },
  });
  expect(counted).toBe(5);
  clock.move(59_999);
  await expect(send("anns-token")).rejects.toMatchObject(LOCKED);
  clock.move(1);
  expect(await send("anns-token")).toBe(ANN);
});

test("a right token of another address is never locked out", async () => {
  await guess(5);
  expect(await send("anns-token", "203.0.113.8")).toBe(ANN);
});

test("nor is one that was right from the same address before, such as a script's", async () => {
  expect(await send("anns-token")).toBe(ANN);
  await guess(5);
  expect(await send("anns-token")).toBe(ANN);
  await expect(send("bobs-token")).rejects.toMatchObject(LOCKED);
});

test("the same wrong token again is no new try, in that minute", async () => {
  expect(await send("old token")).toEqual({ left: 4 });
  for (let again = 0; again < 50; again += 1) expect(await send("old token")).toEqual({ left: null });
  expect(await send("another")).toEqual({ left: 3 });
  clock.move(60_000);
  expect(await send("old token")).toEqual({ left: 4 });
});

test("of wrong tokens that come at once five are counted", async () => {
  const sent = Array.from({ length: 9 }, (_, guessed) => send(`guess ${guessed}`));
  const outcomes = await Promise.allSettled(sent);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(counted).toBe(5);
});

test("a network of IPv6 has the tries of one address", async () => {
  await guess(4, "2001:db8:0:1::1");
  expect(await send("another", "2001:db8:0:2::9")).toEqual({ left: 0 });
  await expect(send("sixth", "2001:db8:0:3::")).rejects.toMatchObject(LOCKED);
});
