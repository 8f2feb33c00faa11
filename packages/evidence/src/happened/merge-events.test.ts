import fc from "fast-check";
import { expect, test } from "vitest";
import type { EvidenceEvent } from "../shapes.ts";
import { mergeEvents } from "./merge-events.ts";

const SECOND = 1_000_000;
const event = (
  file: string,
  atUs: number,
  changes: Partial<EvidenceEvent> = {},
  plusMinusUs = 10_000,
): EvidenceEvent => ({
  kind: "role",
  atUs,
  fromUs: null,
  server: "SQL1",
  group: "SALES-AG",
  database: null,
  replica: null,
  message: 19406,
  states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"],
  count: 1,
  text: "t",
  sources: [{ file, place: 1, text: null, plusMinusUs }],
  lsn: null,
  ...changes,
});
const merged = (...perFile: EvidenceEvent[][]) =>
  mergeEvents(perFile).map(({ atUs, sources }) => [atUs, ...sources.map(({ file }) => file)]);

test("two files that report one thing are its sources, the most exact one first, with its time", () => {
  const log = event("ERRORLOG", 100 * SECOND + 4_000);
  const session = event("health.xel", 100 * SECOND, { message: null, group: "sales-ag" }, 1);
  expect(merged([log], [session])).toEqual([[100 * SECOND, "health.xel", "ERRORLOG"]]);
  expect(merged([session], [log])).toEqual([[100 * SECOND, "health.xel", "ERRORLOG"]]);
});

test("other servers, states, groups and times are other things", () => {
  const first = event("a", 100 * SECOND);
  for (const other of [
    event("b", 100 * SECOND, { server: "SQL2" }),
    event("b", 100 * SECOND, { states: ["RESOLVING_NORMAL", "SECONDARY_NORMAL"] }),
    event("b", 100 * SECOND, { group: "HR-AG" }),
    event("b", 102 * SECOND),
  ])
    expect(mergeEvents([[first], [other]])).toHaveLength(2);
});

test("files of unknown servers are not merged: they may be of two servers", () => {
  const unknown = (file: string) => [event(file, 100 * SECOND, { server: null })];
  expect(mergeEvents([unknown("a"), unknown("b")])).toHaveLength(2);
});

test("an event and the message about it in one session are one thing", () => {
  const source = { file: "health.xel", place: 2, text: "The lease has expired.", plusMinusUs: 1 };
  const message = event("health.xel", 100.01 * SECOND, { sources: [source] });
  expect(merged([event("health.xel", 100 * SECOND, {}, 1), message])).toEqual([
    [100 * SECOND, "health.xel", "health.xel"],
  ]);
});

test("a file that reports a thing twice had it twice, and a copy of the file adds nothing", () => {
  const lines = [
    event("ERRORLOG", 100 * SECOND),
    event("ERRORLOG", 100 * SECOND),
    event("ERRORLOG", 100.3 * SECOND),
  ];
  const copy = lines.map(({ atUs }) => event("ERRORLOG.1", atUs));
  expect(merged(lines, copy)).toEqual([
    [100 * SECOND, "ERRORLOG", "ERRORLOG.1"],
    [100 * SECOND, "ERRORLOG", "ERRORLOG.1"],
    [100.3 * SECOND, "ERRORLOG", "ERRORLOG.1"],
  ]);
});

test("a flood of equal events in two files takes less than two seconds", () => {
  const flood = (file: string) => Array.from({ length: 10_000 }, (_, i) => event(file, i * 20));
  const start = process.cpuUsage();
  const found = mergeEvents([flood("a"), flood("b")]);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
  expect(found.flatMap(({ sources }) => sources)).toHaveLength(20_000);
});

test("no report is lost or doubled, whatever the files have", () => {
  const files = fc.array(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000_000 }), fc.boolean()), { maxLength: 12 }),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(files, (perFile) => {
      const given = perFile.map((times, i) =>
        times.map(([at, isRole]) =>
          event(`f${i}`, at, isRole ? {} : { kind: "lease", message: 19407, states: null }),
        ),
      );
      const found = mergeEvents(given);
      expect(found.flatMap(({ sources }) => sources)).toHaveLength(given.flat().length);
      for (const { sources } of found)
        expect(new Set(sources.map(({ file }) => file)).size).toBe(sources.length);
      expect(found.map(({ atUs }) => atUs)).toEqual(found.map(({ atUs }) => atUs).sort((a, b) => a - b));
    }),
  );
});
