import { describe, expect, test } from "vitest";
import {
  analyseAgain,
  beginAnalysis,
  cutOffAnalysis,
  discardResults,
  end,
  endAnalysis,
  failAnalysis,
  leave,
  restore,
  trash,
  withDigest,
} from "./capture-state.ts";
import type { CaptureAnalysis, CaptureLife, CaptureState } from "./capture-state.ts";

const [SINCE, NOW] = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
const FIGURES = { group: "SALES-AG", from: "2026-10-31T00:00:00.0000000Z" };

const LIVES = {
  listed: { is: "listed" },
  deleted: { is: "trashed", since: SINCE, because: "deleted" },
  expired: { is: "trashed", since: SINCE, because: "expired" },
  leaving: { is: "leaving", since: SINCE, because: "deleted" },
  "leaving, expired": { is: "leaving", since: SINCE, because: "expired" },
  ended: { is: "ended", since: SINCE, ...FIGURES },
} as const satisfies Record<string, CaptureLife>;

const [BEFORE, FAULT] = [
  { type: "t", title: "T", status: 500, detail: "Before.", code: "analysis-failed" },
  { type: "t", title: "T", status: 500, detail: "Now.", code: "analysis-failed" },
];
const RESULTS = { verdict: "Commits wait for the network.", severity: "slow", place: "network" } as const;
const DIGEST = { durationUs: 60e6, p95Us: 5_000, glyph: "" };

const ANALYSES = {
  none: { is: "none" },
  again: { is: "again", cutOff: 0 },
  "again, cut off": { is: "again", cutOff: 1 },
  running: { is: "running", cutOff: 0 },
  "running, cut off": { is: "running", cutOff: 1 },
  ready: { is: "ready", ...RESULTS },
  failed: { is: "failed", problem: BEFORE },
} as const satisfies Record<string, CaptureAnalysis>;

type Lead = (record: CaptureState) => CaptureState;
/** Names of states, with the next states; undefined where a function does not change them. */
type Table<State> = readonly (readonly [name: string, Lead, Readonly<Record<string, State | undefined>>])[];

const LIFE_TABLE: Table<CaptureLife> = [
  [
    "trash, deleted",
    (record) => trash(record, NOW, "deleted"),
    { listed: { is: "trashed", since: NOW, because: "deleted" } },
  ],
  [
    "trash, expired",
    (record) => trash(record, NOW, "expired"),
    { listed: { is: "trashed", since: NOW, because: "expired" } },
  ],
  ["restore", restore, { deleted: LIVES.listed, expired: LIVES.listed }],
  [
    "leave",
    (record) => leave(record, NOW, false),
    {
      listed: { is: "leaving", since: NOW, because: "deleted" },
      deleted: LIVES.leaving,
      expired: LIVES["leaving, expired"],
    },
  ],
  [
    "leave by somebody's wish",
    (record) => leave(record, NOW, true),
    {
      listed: { is: "leaving", since: NOW, because: "deleted" },
      deleted: LIVES.leaving,
      expired: LIVES.leaving,
      "leaving, expired": LIVES.leaving,
      ended: LIVES.leaving,
    },
  ],
  ["end", (record) => end(record, FIGURES), { "leaving, expired": LIVES.ended }],
];

const failed = { is: "failed", problem: FAULT } as const;
const ANALYSIS_TABLE: Table<CaptureAnalysis> = [
  [
    "beginAnalysis",
    (record) => beginAnalysis(record, false),
    {
      none: ANALYSES.running,
      again: ANALYSES.running,
      "again, cut off": ANALYSES.running,
      running: ANALYSES.running,
      "running, cut off": ANALYSES.running,
      ready: ANALYSES.running,
      failed: ANALYSES.running,
    },
  ],
  [
    "beginAnalysis, unasked",
    (record) => beginAnalysis(record, true),
    {
      none: ANALYSES.running,
      again: ANALYSES.running,
      "again, cut off": ANALYSES["running, cut off"],
      running: ANALYSES.running,
      "running, cut off": ANALYSES["running, cut off"],
      ready: ANALYSES.running,
      failed: ANALYSES.running,
    },
  ],
  [
    "endAnalysis",
    (record) => endAnalysis(record, RESULTS),
    { none: ANALYSES.ready, running: ANALYSES.ready, "running, cut off": ANALYSES.ready },
  ],
  [
    "failAnalysis",
    (record) => failAnalysis(record, FAULT),
    {
      none: failed,
      again: failed,
      "again, cut off": failed,
      running: failed,
      "running, cut off": failed,
      failed,
    },
  ],
  [
    "analyseAgain",
    analyseAgain,
    { running: ANALYSES.again, "running, cut off": ANALYSES["again, cut off"], ready: ANALYSES.again },
  ],
  [
    "cutOffAnalysis",
    (record) => cutOffAnalysis(record, FAULT),
    { running: ANALYSES["again, cut off"], "running, cut off": failed },
  ],
  [
    "discardResults",
    discardResults,
    {
      again: ANALYSES.none,
      "again, cut off": ANALYSES.none,
      running: ANALYSES.none,
      "running, cut off": ANALYSES.none,
      ready: ANALYSES.none,
      failed: ANALYSES.none,
    },
  ],
  ["withDigest", (record) => withDigest(record, DIGEST), { ready: { ...ANALYSES.ready, digest: DIGEST } }],
];

describe("from each state", () => {
  test.each(
    LIFE_TABLE.flatMap(([name, lead, becomes]) =>
      Object.entries(LIVES).map(([from, life]) => [name, from, lead, life, becomes[from]] as const),
    ),
  )("%s leads on from %s, or leaves it as it is", (_name, _from, lead, life, becomes) => {
    const record = { id: "a", life, analysis: ANALYSES.ready };
    const after = lead(record);
    if (becomes === undefined) expect(after).toBe(record);
    else expect(after).toEqual({ ...record, life: becomes });
  });

  test.each(
    ANALYSIS_TABLE.flatMap(([name, lead, becomes]) =>
      Object.entries(ANALYSES).map(
        ([from, analysis]) => [name, from, lead, analysis, becomes[from]] as const,
      ),
    ),
  )("%s leads on from %s, or leaves it as it is", (_name, _from, lead, analysis, becomes) => {
    const record = { id: "a", life: LIVES.listed, analysis };
    const after = lead(record);
    if (becomes === undefined) expect(after).toBe(record);
    else expect(after).toEqual({ ...record, analysis: becomes });
  });
});

describe("outside of the lists nothing is analyzed", () => {
  test.each([
    ["trash", (record: CaptureState) => trash(record, NOW, "deleted")],
    ["leave", (record: CaptureState) => leave(record, NOW, true)],
  ])("%s ends an analysis, and leaves others as they are", (_, lead) => {
    const analysisAfter = (analysis: CaptureAnalysis) => lead({ life: LIVES.listed, analysis }).analysis;
    expect(analysisAfter(ANALYSES["running, cut off"])).toEqual({ is: "none" });
    for (const is of ["none", "again, cut off", "ready", "failed"] as const)
      expect(analysisAfter(ANALYSES[is])).toEqual(ANALYSES[is]);
  });

  test.each([LIVES.deleted, LIVES.leaving, LIVES.ended])("none begins of one that is %j", (life) => {
    const record = { life, analysis: ANALYSES.ready };
    expect(beginAnalysis(record, false)).toBe(record);
  });
});
