import { type CaptureFile, MODEL_FILES, TABLES_FORMAT } from "@aglens/contract";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";
import { NOTHING } from "@aglens/engine/files";
import { describe, expect, test } from "vitest";
import type { StoredAnalysis } from "../../store/capture-state.ts";
import { captureIn } from "../../store/stored-record.ts";
import { DERIVED, type DerivedName } from "./derived-things.ts";
import { derivedFilesOf, isSameAnalysis, type Origins, validityOf } from "./validity.ts";

const STORED = [...MODEL_FILES, SUMMARY_FILE, PREVIEW_FILE];
/** @param changed SHA-256 of files that another analysis stored */
const stored = (changed: Readonly<Record<string, string>> = {}, format = TABLES_FORMAT): StoredAnalysis => ({
  format,
  files: Object.fromEntries(STORED.map((name) => [name, { bytes: 1, sha256: changed[name] ?? name }])),
});

/** Event files, and a topology file that names the group. */
function filesOf(ids: readonly string[], group: string): CaptureFile[] {
  const file = { ...NOTHING, size: 1, role: "primary", replica: "SQL1", events: 3, detectedRole: "primary" };
  const events = ids.map((id) => ({ ...file, id, name: `${id}.xel`, kind: "xel" }));
  const topology = { ...file, id: "t", name: "t.xml", kind: "topology", groupNames: [group] };
  return [...captureIn(JSON.stringify({ files: [...events, topology] })).files];
}

const KEPT: readonly DerivedName[] = [
  "first answers",
  "prepared columns",
  "Parquet files",
  "digest",
  "answers",
];
const ORIGINS = { stored: stored(), files: filesOf(["a", "b"], "SALES-AG") };

/** Names of things that are valid no more once a capture has this. */
function outdatedBy(origins: Origins): DerivedName[] {
  return KEPT.filter((name) => validityOf(name, origins) !== validityOf(name, ORIGINS));
}

describe("a kept thing", () => {
  test("is valid while its capture has what it is made of, however that is written down", () => {
    const read = JSON.parse(JSON.stringify(ORIGINS));
    const files = Object.entries(ORIGINS.stored.files).map(([name, sum]) => [name, { ...sum, crc32: 7 }]);
    const withCrc = { ...ORIGINS.stored, files: Object.fromEntries(files.toReversed()) };
    expect(outdatedBy(read)).toEqual([]);
    expect(outdatedBy({ ...ORIGINS, stored: withCrc })).toEqual([]);
  });

  test.each(MODEL_FILES)("that is made of tables is not of others: %s", (name) => {
    expect(outdatedBy({ ...ORIGINS, stored: stored({ [name]: "other" }) })).toEqual([
      "first answers",
      "prepared columns",
      "Parquet files",
      "answers",
    ]);
  });

  test.each([SUMMARY_FILE, PREVIEW_FILE])("that is made of the summary is not of another: %s", (name) => {
    expect(outdatedBy({ ...ORIGINS, stored: stored({ [name]: "other" }) })).toEqual(["digest", "answers"]);
  });

  test("is not valid for tables that were stored in another format", () => {
    expect(outdatedBy({ ...ORIGINS, stored: stored({}, TABLES_FORMAT - 1) })).toEqual(KEPT);
  });

  test("is not valid for another group, or other event files, where it depends on them", () => {
    expect(outdatedBy({ ...ORIGINS, files: filesOf(["a", "b"], "CRM-AG") })).toEqual(["Parquet files"]);
    expect(outdatedBy({ ...ORIGINS, files: filesOf(["a"], "SALES-AG") })).toEqual(["answers"]);
    const gone = ORIGINS.files.map((file) => (file.id === "b" ? { ...file, isMissing: true } : file));
    expect(outdatedBy({ ...ORIGINS, files: gone })).toEqual(["answers"]);
  });

  test("is not valid for other files of evidence, or another offset or server of one, where it depends on them", () => {
    const [event] = ORIGINS.files as [CaptureFile];
    const evidenceFile: CaptureFile["evidenceFile"] = {
      kind: "errorlog",
      server: "SQL1",
      serverFrom: "content",
      utcOffsetMinutes: null,
      state: "used",
      use: "",
      events: 1,
      samples: 0,
      notUnderstood: { count: 0, first: [] },
    };
    const log: CaptureFile = { ...event, id: "log", kind: "evidence", evidenceFile };
    const withLog = (one: CaptureFile): Origins => ({ ...ORIGINS, files: [...ORIGINS.files, one] });
    expect(outdatedBy(withLog(log))).toEqual(["Parquet files", "answers"]);
    expect(outdatedBy(withLog({ ...log, role: "ignored" }))).toEqual([]);
    const others = [
      log,
      { ...log, given: { utcOffsetMinutes: 60 } },
      { ...log, evidenceFile: { ...evidenceFile, server: "SQL2" } },
    ].map((one) => validityOf("Parquet files", withLog(one)));
    expect(new Set(others).size).toBe(3);
  });

  test("is never valid in the place of another one", () => {
    expect(new Set(KEPT.map((name) => validityOf(name, ORIGINS))).size).toBe(KEPT.length);
  });

  test("has no validity without an analysis, or where one checksum or the files are unknown", () => {
    const { "commits.arrow": _, ...others } = ORIGINS.stored.files;
    expect(KEPT.map((name) => validityOf(name, { stored: undefined, files: ORIGINS.files }))).toEqual(
      KEPT.map(() => null),
    );
    expect(validityOf("first answers", { stored: { ...ORIGINS.stored, files: others } })).toBeNull();
    expect(validityOf("Parquet files", { stored: ORIGINS.stored })).toBeNull();
  });
});

test("two records have the same analysis while neither its tables nor its summary differ", () => {
  expect(isSameAnalysis(ORIGINS, { stored: stored() })).toBe(true);
  expect(isSameAnalysis(ORIGINS, { stored: stored({ "model.json": "other" }) })).toBe(false);
  expect(isSameAnalysis(ORIGINS, { stored: stored({ [SUMMARY_FILE]: "other" }) })).toBe(false);
  expect(isSameAnalysis(ORIGINS, { stored: undefined })).toBe(false);
});

test("a capture may have what its analysis stored in its folder, and what is kept next to that", () => {
  expect(derivedFilesOf(ORIGINS)).toEqual([...STORED, "first-answers.bin", "prepared.bin"]);
  expect(derivedFilesOf({ stored: undefined })).toEqual([]);
});

test("columns are kept from 100,000 log blocks on", () => {
  const isWorth = (length: number) => DERIVED["prepared columns"].isWorth?.({ blocks: { length } });
  expect([isWorth(99_999), isWorth(100_000)]).toEqual([false, true]);
});
