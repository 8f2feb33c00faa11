import { expect, test } from "vitest";
import { commonName } from "./common-name.ts";

test.each([
  ["a single file", ["ERRORLOG"], "ERRORLOG"],
  ["a file of SQL LogScout", ["SQL1_20260514T0205001234567_PerfStats.out"], "PerfStats.out"],
  [
    "rollover files",
    ["SQL1_20260514T0205001_AlwaysOn_health_0_133.xel", "SQL1_20260514T0205001_AlwaysOn_health_0_1342.xel"],
    "AlwaysOn_health_0_*.xel",
  ],
  ["other endings", ["ERRORLOG", "ERRORLOG.1"], "ERRORLOG, ERRORLOG.1"],
  ["rotated logs of one server", ["SQL1_ERRORLOG.1", "SQL1_ERRORLOG.2"], "SQL1_ERRORLOG.*"],
  ["nothing in common", ["b.csv", "a.out"], "a.out, b.csv"],
  ["more than two", ["c.out", "b.csv", "a.txt"], "a.txt, b.csv, …"],
  ["the same name in two folders", ["SQL1/a.out", "SQL1/a.out"], "SQL1/a.out"],
])("%s", (_, names, text) => {
  expect(commonName(names)).toBe(text);
});
