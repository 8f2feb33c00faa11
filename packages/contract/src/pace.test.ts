import { expect, test } from "vitest";
import { paceOf, withStart, type PhaseStarts } from "./pace.ts";

test("a phase begins with its first report", () => {
  const starts = withStart(withStart({}, { phase: "join" }, 5), { phase: "join" }, 9);
  expect(starts).toEqual({ join: 5 });
  expect(withStart(starts, { phase: "waiting" }, 10)).toEqual({ join: 5 });
});

test("an analysis that was watched as a whole has a pace: decoding by bytes, the rest by events", () => {
  const starts: PhaseStarts = {
    decode: 0,
    roles: 1_000,
    join: 2_000,
    align: 6_000,
    measure: 7_000,
    verdict: 9_000,
    store: 10_000,
  };
  // 1,000 bytes in a second; 100 events in 1, 4, 1, 2, 1 and 1 s.
  const ns = { decode: 1e6, roles: 1e7, join: 4e7, align: 1e7, measure: 2e7, verdict: 1e7, store: 1e7 };
  expect(paceOf(starts, { bytesTotal: 1_000, events: 100 }, 11_000)).toEqual({ bytes: 1_000, ns });
  const { decode: _, ...late } = starts;
  expect(paceOf(late, { bytesTotal: 1_000, events: 100 }, 11_000)).toBeNull();
  expect(paceOf(starts, { bytesTotal: 1_000, events: 0 }, 11_000)).toBeNull();
  // Implausible times give no pace, so that storing a verdict never fails because of its pace.
  expect(paceOf({ ...starts, join: 500 }, { bytesTotal: 1_000, events: 100 }, 11_000)).toBeNull();
});
