import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PushReport } from "xel-parser/format";
import { fileRows } from "@aglens/fixtures/event-source";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT } from "../../../test/service.ts";
import { PictureThread } from "./picture-thread.ts";

const ROWS = fileRows(
  readFileSync(
    join(
      ROOT,
      "fixtures/captures/slow-network/primary/AlwaysOn_Data_Movement_Tracing_SQL1_0_131069746150017970.xel",
    ),
  ),
);
const REPLICA = { name: "SQL1", replicaId: "", role: "primary" } as const;

let thread: PictureThread | null = null;
afterEach(async () => {
  await thread?.end();
});

function open(mostUnread: number): { thread: PictureThread; reports: PushReport[]; failures: Error[] } {
  const reports: PushReport[] = [];
  const failures: Error[] = [];
  thread = new PictureThread(
    [REPLICA],
    {
      onRead: (_replica, report) => reports.push(report),
      onPicture: () => {},
      onFailed: (error) => failures.push(error),
    },
    mostUnread,
  );
  return { thread, reports, failures };
}

test("what does not fit is let go, and what was read makes room again", async () => {
  const limit = ROWS.slice(0, 3).reduce((sum, { data }) => sum + data.byteLength, 0);
  const { thread: given, reports } = open(limit);
  expect(ROWS.slice(0, 4).map((row) => given.push(0, row))).toEqual([true, true, true, false]);
  expect(given.behind(0)).toBe(3);
  await given.whole();
  expect(reports.map(({ kind }) => kind)).toEqual(["header", "metadata", "events"]);
  expect(given.behind(0)).toBe(0);
  expect(given.push(0, elementAt(ROWS, 3))).toBe(true);
});

test("the row itself stays whole for whoever else has it", () => {
  const { thread: given } = open(1e9);
  const row = elementAt(ROWS, 0);
  given.push(0, row);
  expect(row.data.byteLength).toBe(512);
});

test("one step at a time", () => {
  const { thread: given } = open(1e9);
  expect(given.step(1n)).toBe(true);
  expect(given.step(2n)).toBe(false);
});

test("after its end it takes and gives nothing, and that is no failure", async () => {
  const { thread: given, failures } = open(1e9);
  const asked = given.whole();
  const refused = expect(asked).rejects.toThrow("has ended");
  await given.end();
  await refused;
  expect(given.push(0, elementAt(ROWS, 0))).toBe(false);
  await expect(given.whole()).rejects.toThrow("has ended");
  expect(failures).toEqual([]);
});
