import { expect, test } from "vitest";
import { fromBeginning, fromPlace, healthFileIn } from "./health-file.ts";

const target = (name: string): string =>
  `<EventFileTarget truncated="0"><Buffers logged="19" dropped="0"/><File name="${name}"/></EventFileTarget>`;

test("the file that is written now, and all files of the session", () => {
  expect(healthFileIn(target(String.raw`S:\A &amp; B\Log\AlwaysOn_health_0_133456789012345678.xel`))).toEqual(
    {
      current: String.raw`S:\A & B\Log\AlwaysOn_health_0_133456789012345678.xel`,
      all: String.raw`S:\A & B\Log\AlwaysOn_health*.xel`,
    },
  );
  expect(healthFileIn(target("/var/opt/mssql/log/AlwaysOn_health_0_133456789012345678.xel"))?.all).toBe(
    "/var/opt/mssql/log/AlwaysOn_health*.xel",
  );
  // A file whose name has no numbers is read alone.
  expect(healthFileIn(target("/log/health.xel"))?.all).toBe("/log/health.xel");
});

test.each([null, undefined, "", "<EventFileTarget/>", '<File name="'])("%j names no file", (text) => {
  expect(healthFileIn(text)).toBeNull();
});

test("a time is text as events have it, UTC without Z", () => {
  const file = { current: "a_0_1.xel", all: "a*.xel" };
  const at = Date.UTC(2026, 4, 14, 2, 17, 41, 250);
  const since = "2026-05-14T02:17:41.250";
  expect(fromBeginning(file, at)).toEqual({ path: "a_0_1.xel", file: "", offset: "", since });
  expect(fromPlace(file, { file: "a_0_1.xel", offset: "512" }, at)).toEqual({
    path: "a*.xel",
    file: "a_0_1.xel",
    offset: "512",
    since,
  });
});
