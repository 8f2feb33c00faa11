import { TestClock } from "@aglens/fixtures/clock";
import { expect, test } from "vitest";
import { hashOf } from "../kernel/identity.ts";
import { passingInMemory } from "./passing.ts";
import { TokenTries } from "./token-tries.ts";

const RIGHT = "a-right-token-of-20-characters";

/** Tries of one right token; each wrong one that counts is taken down. */
function tries() {
  const clock = new TestClock();
  const tokens = [{ hash: hashOf(RIGHT), name: "Ann", role: "contributor" }] as const;
  const counted: string[] = [];
  const all = new TokenTries(tokens, passingInMemory(clock), clock);
  const send = (text: string, address: string) =>
    all.match({ text, address }, () => Promise.resolve(void counted.push(`${address} ${text}`)));
  return { send, counted, clock };
}

test("a token that was right from one address is none of another that has no tries left", async () => {
  const { send, counted, clock } = tries();
  expect(await send(RIGHT, "10.0.0.1")).toMatchObject({ name: "Ann" });
  for (let number = 0; number < 5; number += 1)
    for (const address of ["10.0.0.1", "10.0.0.2"]) await send(`guess-${number}`, address);
  expect(counted).toHaveLength(10);
  expect(await send(RIGHT, "10.0.0.1")).toMatchObject({ name: "Ann" });
  await expect(send(RIGHT, "10.0.0.2")).rejects.toMatchObject({ problem: { code: "too-many-tries" } });
  clock.move(60_000);
  expect(await send(RIGHT, "10.0.0.2")).toMatchObject({ name: "Ann" });
});

test("the same wrong token counts once for each address", async () => {
  const { send, counted } = tries();
  expect(await send("old", "10.0.0.1")).toEqual({ left: 4 });
  expect(await send("old", "10.0.0.1")).toEqual({ left: null });
  expect(await send("old", "10.0.0.2")).toEqual({ left: 4 });
  expect(counted).toEqual(["10.0.0.1 old", "10.0.0.2 old"]);
});
