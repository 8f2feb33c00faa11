import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FirstAnswer } from "@aglens/engine/answers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readFirstAnswers, writeFirstAnswers } from "./first-answers-file.ts";

const VALIDITY = "a".repeat(64);
const ANSWERS: FirstAnswer[] = [
  { key: '{"ask":"overview"}', type: "json", bytes: Uint8Array.of(123, 125) },
  { key: '{"ask":"window"}', type: "arrow", bytes: Uint8Array.from({ length: 100 }, (_, i) => i) },
];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-first-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Plain bytes, regardless of their class. */
const plain = (answers: readonly FirstAnswer[]) =>
  answers.map(({ bytes, ...answer }) => ({ ...answer, bytes: [...bytes] }));

test("answers are read as they were written, and only from a valid file", async () => {
  expect(await readFirstAnswers(folder, VALIDITY)).toEqual([]);
  await writeFirstAnswers(folder, VALIDITY, ANSWERS);
  expect(plain(await readFirstAnswers(folder, VALIDITY))).toEqual(plain(ANSWERS));
  expect(await readFirstAnswers(folder, "b".repeat(64))).toEqual([]);
});
