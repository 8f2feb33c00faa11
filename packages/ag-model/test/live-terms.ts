import { expect } from "vitest";
import { diagnose } from "../src/diagnosis/diagnose.ts";
import type { CaptureModel } from "../src/replication/shapes/tables.ts";

/**
 * Words about files of events and captures of them; the log file and the stage "Capture and send" are the server's own.
 */
const WORDS_OF_FILES =
  /(?<!\blog )\bfiles?\b|\bcaptures?\b(?! and send| script| of the block)|\brollover\b/iu;

/** Expects that no sentence that a live view would show about these blocks has a word about files. */
export function expectNoFileTerms(model: CaptureModel): void {
  const verdict = diagnose({ ...model, source: "live", files: [] });
  const sentences = [
    verdict.sentence,
    ...verdict.checkNext,
    ...verdict.findings.flatMap(({ sentence, checkNext, threshold, source }) => [
      sentence,
      threshold,
      source,
      ...checkNext,
    ]),
  ];
  expect(sentences.filter((each) => WORDS_OF_FILES.test(each))).toEqual([]);
}
