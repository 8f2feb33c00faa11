import { createHash } from "node:crypto";
import { decodeModel, encodeModel, keptAddresses } from "@aglens/contract";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { summarise } from "@aglens/ag-model/query";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { answer, firstAnswers, questionAt, questionKey } from "@aglens/engine/answers";
import type { FirstAnswer } from "@aglens/engine/answers";
import { analyse } from "@aglens/fixtures/analyse-for-tests";
import { slowNetwork } from "@aglens/fixtures/scenarios";
import { DERIVED } from "../derived/derived-things.ts";
import { beforeAll, expect, test } from "vitest";

let model: CaptureModel;
let addresses: readonly string[];
beforeAll(async () => {
  ({ model } = await analyse({ ...slowNetwork, maxEvents: 3_000 }));
  addresses = keptAddresses(summarise(model, "", "", diagnose(model)));
});

/**
 * Answers that an analysis computes, and the one of the Waiting screen, which is stored after the first question for
 * it.
 */
async function allFirst(): Promise<FirstAnswer[]> {
  const ahead = await firstAnswers(model, summarise(model, "", "", diagnose(model)));
  const waiting = questionAt("waiting");
  return [
    ...ahead,
    { ...(await answer(model, waiting, () => Promise.resolve(null))), key: questionKey(waiting) },
  ];
}

test("what an analysis works out ahead is, byte by byte, what its stored tables answer", async () => {
  const stored = decodeModel(encodeModel(model));
  const first = await allFirst();
  const asked = addresses.map(questionAt).filter(({ ask }) => ask !== "whatIf");
  expect(first.map(({ key }) => key)).toEqual(asked.map(questionKey));
  expect(asked.map(({ ask }) => ask)).toEqual([
    "overview",
    "commits",
    "window",
    "statistics",
    "slowest",
    "waiting",
  ]);
  for (const [index, question] of asked.entries()) {
    const { type, bytes } = await answer(stored, question, () => Promise.resolve(null));
    expect(first[index]?.type).toBe(type);
    expect(Buffer.from(first[index]?.bytes ?? []).equals(bytes)).toBe(true);
  }
});

/**
 * Stored answers outlive the version that made them. A change of these answers raises their version in
 * `derived-things.ts`, and then writes here the new digest.
 */
test("the answers are those of the version that is written with them", async () => {
  const first = await allFirst();
  const hash = createHash("sha256");
  for (const { key, bytes } of first) hash.update(key).update(bytes);
  expect({ version: DERIVED["first answers"].version, digest: hash.digest("hex").slice(0, 16) }).toEqual({
    version: 5,
    digest: "647deb3606f47a65",
  });
});
