import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FirstAnswer } from "@aglens/engine/answers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { readFirstAnswers, writeFirstAnswers } from "./first-answers-file.ts";

const ANSWERS: FirstAnswer[] = [
  { key: '{"ask":"overview"}', type: "json", bytes: Uint8Array.of(123, 125) },
  { key: '{"ask":"window"}', type: "arrow", bytes: Uint8Array.from({ length: 100 }, (_, i) => i) },
];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-first-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Bytes as such, whatever class holds them. */
const plain = (answers: readonly FirstAnswer[]) =>
  answers.map(({ bytes, ...answer }) => ({ ...answer, bytes: [...bytes] }));

test("answers are read as they were written, and nothing else is left in the folder", async () => {
  await writeFirstAnswers(folder, "tables", ANSWERS);
  expect(plain(await readFirstAnswers(folder, "tables"))).toEqual(plain(ANSWERS));
  expect(await readdir(folder)).toEqual(["first-answers.bin"]);
});

test("there are none without a file, and none of other tables", async () => {
  expect(await readFirstAnswers(folder, "tables")).toEqual([]);
  await writeFirstAnswers(folder, "tables", ANSWERS);
  expect(await readFirstAnswers(folder, "other tables")).toEqual([]);
});

test("a file with any byte changed, or cut off anywhere, counts as none, and is replaced by the next", async () => {
  await writeFirstAnswers(folder, "tables", ANSWERS);
  const path = join(folder, "first-answers.bin");
  const sound = await readFile(path);
  for (let place = 0; place < sound.length; place += 13) {
    const changed = Uint8Array.from(sound);
    changed[place] = elementAt(sound, place) ^ 0x10;
    await writeFile(path, changed);
    expect(await readFirstAnswers(folder, "tables")).toEqual([]);
  }
  for (const length of [0, 5, 32, sound.length - 1]) {
    await writeFile(path, sound.subarray(0, length));
    expect(await readFirstAnswers(folder, "tables")).toEqual([]);
  }
  await writeFirstAnswers(folder, "tables", ANSWERS);
  expect(await readFirstAnswers(folder, "tables")).toHaveLength(2);
});
