/** The answers that a capture's overview begins with, as a file: a link shows the overview before the tables are read. */
import { deserialize, serialize } from "node:v8";
import type { FirstAnswer } from "@aglens/engine/answers";
import { readDerivedBlob, writeDerivedBlob } from "./derived-blob.ts";
import { FIRST_ANSWERS_FILE } from "./derived-things.ts";

/** @param validity of "first answers" */
export function writeFirstAnswers(
  folder: string,
  validity: string,
  answers: readonly FirstAnswer[],
): Promise<void> {
  return writeDerivedBlob(folder, FIRST_ANSWERS_FILE, validity, [serialize(answers)]);
}

/** The answers; empty where the file is missing or not valid. @param validity of "first answers" */
export async function readFirstAnswers(folder: string, validity: string): Promise<readonly FirstAnswer[]> {
  const bytes = await readDerivedBlob(folder, FIRST_ANSWERS_FILE, validity);
  return bytes === null ? [] : (deserialize(bytes) as FirstAnswer[]);
}
