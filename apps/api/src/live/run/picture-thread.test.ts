import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PushReport } from "xel-parser/format";
import { fileRows } from "@aglens/fixtures/event-source";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT } from "../../../test/service.ts";
import { PictureThread } from "./picture-thread.ts";

const SAMPLE = join(ROOT, "fixtures/captures/slow-network");
const ROWS = fileRows(
  readFileSync(join(SAMPLE, "primary/AlwaysOn_Data_Movement_Tracing_SQL1_0_131069746150017970.xel")),
);
/** Time that the file covers, µs: the names of this file and the next one have when they were begun, FILETIME ticks. */
const COVERED_US = Number(131_069_746_873_469_880n - 131_069_746_150_017_970n) / 10;
const MOST_BYTES = 128 * 2 ** 20;
const REPLICA = { name: "SQL1", replicaId: "", role: "primary" } as const;

let thread: PictureThread | null = null;
afterEach(async () => {
  await thread?.end();
});

interface Opened {
  readonly thread: PictureThread;
  readonly reports: PushReport[];
  readonly failures: Error[];
  /** Log writes that were counted. */
  readonly logWrites: () => number;
  /** Resolves with the first picture. */
  readonly picture: () => Promise<void>;
}

function open(mostUnread: number): Opened {
  const reports: PushReport[] = [];
  const failures: Error[] = [];
  let logWrites = 0;
  const first = Promise.withResolvers<void>();
  thread = new PictureThread(
    [REPLICA],
    {
      onRead: (_replica, report) => reports.push(report),
      onPicture: () => first.resolve(),
      onCounts: (all) => {
        for (const { stage, counts } of all)
          if (stage === "localFlush") logWrites += counts.reduce((a, b) => a + b, 0);
      },
      onFailed: (error) => failures.push(error),
    },
    MOST_BYTES,
    mostUnread,
  );
  return { thread, reports, failures, logWrites: () => logWrites, picture: () => first.promise };
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

test("one step at a time, the next one when its picture is there", async () => {
  const { thread: given, picture } = open(1e9);
  expect(given.step(1n)).toBe(true);
  expect(given.step(2n)).toBe(false);
  await picture();
  expect(given.step(3n)).toBe(true);
});

test("the last picture has the rows that came during a step: each log write is counted once", async () => {
  const { blocks } = JSON.parse(readFileSync(join(SAMPLE, "truth.json"), "utf8"));
  const { thread: given, logWrites } = open(1e9);
  const [began, ended] = [131_069_746_150_000_000n, 131_069_748_000_000_000n];
  for (const row of ROWS.slice(0, 4)) given.push(0, row);
  expect(given.step(began)).toBe(true);
  for (const row of ROWS.slice(4)) given.push(0, row);
  const last = given.last(ended);
  expect(given.step(ended)).toBe(false);
  await last;
  expect(given.step(ended)).toBe(false);
  const written = blocks.localFlushEnd.filter((us: number) => us < COVERED_US);
  expect(logWrites()).toBe(written.length);
});

test("a thread that ends by itself is reported once, with what was asked of it refused", async () => {
  const { thread: given, failures } = open(1e9);
  // No replica has this number.
  given.push(5, elementAt(ROWS, 0));
  await expect(given.whole()).rejects.toThrow("has ended");
  expect(failures).toHaveLength(1);
  expect([given.step(1n), given.push(0, elementAt(ROWS, 0))]).toEqual([false, false]);
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
