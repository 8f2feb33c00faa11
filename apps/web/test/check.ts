import type { CaptureCheck, Expectation } from "@aglens/contract";
import { EXPECTATIONS } from "@aglens/ag-model/check";

const GROUPS: Readonly<Record<Expectation["id"], Expectation["group"]>> = {
  columns: "columns",
  types: "columns",
  guids: "columns",
  "payload-bytes": "columns",
  maps: "values",
  "known-modes": "values",
  "events-per-block": "values",
  "block-ids": "values",
  "ack-end": "values",
  "file-writes": "values",
  "own-id": "values",
  "instant-order": "time",
  units: "time",
  counters: "time",
  fractions: "time",
  ticks: "time",
  actions: "completeness",
  "event-sequence": "completeness",
  buffers: "completeness",
};

/** A check of two files with 8,192 events; every expectation is met by 100 events, except for the given changes. */
export function checkOf(
  changes: Partial<Record<Expectation["id"], Partial<Expectation>>> = {},
  more: Partial<CaptureCheck> = {},
): CaptureCheck {
  return {
    events: 8_192,
    files: 2,
    unclaimedBytes: 0,
    expectations: EXPECTATIONS.map((id) => ({
      id,
      group: GROUPS[id],
      title: `Title of ${id}`,
      state: "met",
      met: 100,
      notMet: 0,
      unit: "events",
      expected: `What is expected of ${id}.`,
      found: `what is found of ${id}`,
      results: `Results of ${id}`,
      examples: [],
      ...changes[id],
    })),
    sentence: "All 19 expectations are met.",
    report: "AG Lens check 1\nAll 19 expectations are met.\n",
    ...more,
  };
}

/** Timestamps that a tool rounded: results depend on them. */
export const ROUNDED: CaptureCheck = checkOf(
  {
    "events-per-block": { state: "part", met: 5_902, notMet: 12 },
    fractions: {
      title: "Fractions of a millisecond",
      state: "not",
      met: 4_096,
      notMet: 4_097,
      results: "One-way network times",
      examples: ["All 4,097 timestamps of secondary 1 are whole milliseconds: a tool rounded them."],
    },
    actions: { state: "absent", met: 0, notMet: 0, found: "no action is recorded" },
  },
  {
    sentence:
      "1 of 16 expectations about these files isn't met: Fractions of a millisecond. Don't trust: One-way network times.",
  },
);
