import { TABLES_FORMAT } from "@aglens/contract";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { expect, test } from "vitest";
import type { AnalysisResults, StoredAnalysis } from "../../store/capture-state.ts";
import { hasDigest, recordedDigest } from "./digest.ts";

const stored = (summary: string): StoredAnalysis => ({
  format: TABLES_FORMAT,
  files: { [SUMMARY_FILE]: { bytes: 1, sha256: summary }, [PREVIEW_FILE]: { bytes: 1, sha256: "p" } },
});
const FIGURES = { durationUs: 60e6, p95Us: 5_000, glyph: "" };

const withDigest = (digest: AnalysisResults["digest"], of = stored("a")): AnalysisResults => ({
  verdict: null,
  severity: null,
  place: null,
  stored: of,
  ...(digest === undefined ? {} : { digest }),
});

test("a digest is of the analysis that it was made of", () => {
  const digest = recordedDigest({ ...FIGURES, fleet: null }, stored("a"));
  expect(hasDigest(withDigest(digest))).toBe(true);
  expect(hasDigest(withDigest(digest, stored("b")))).toBe(false);
});

test("one that could not be made is not made again, one that was not looked for is", () => {
  expect(recordedDigest(null, stored("a"))).toBeNull();
  expect(hasDigest(withDigest(null))).toBe(true);
  expect(hasDigest(withDigest(undefined))).toBe(false);
});

test("of earlier versions those count that have figures of the fleet", () => {
  expect(hasDigest(withDigest({ ...FIGURES, fleet: null }))).toBe(true);
  expect(hasDigest(withDigest(FIGURES))).toBe(false);
});
