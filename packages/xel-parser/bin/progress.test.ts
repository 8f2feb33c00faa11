/** The line of progress, as it appears on a terminal. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { countInto, progressCounter, reportGaps, withProgress } from "./commands.ts";
import { countRead } from "./progress.ts";

const folder = mkdtempSync(join(tmpdir(), "xel-progress-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "a.xel");
writeFileSync(file, "");
truncateSync(file, 8_000_000);

let errors = "";
let now = 0;
beforeEach(() => {
  errors = "";
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += String(text);
    return true;
  });
  onTerminal(true);
});
afterEach(() => {
  onTerminal(false);
  vi.restoreAllMocks();
});

function onTerminal(isTTY: boolean): void {
  Object.defineProperty(process.stderr, "isTTY", { value: isTTY, configurable: true });
}

const CLEAR = "\r\u001B[2K";

/** Reads 2 MB at each of these times, in ms. */
async function readAt(...times: number[]): Promise<void> {
  for (const time of times) {
    now = time;
    countRead(2_000_000);
  }
  await Promise.resolve();
}

test("it appears after half a second, has the bytes of all files, and is removed at the end", async () => {
  await withProgress([file, file], () => readAt(499, 500, 600, 700));
  expect(errors).toBe(`${CLEAR}4.0 of 16.0 MB read (25 %)${CLEAR}8.0 of 16.0 MB read (50 %)${CLEAR}`);
});

test("a short command has none, and neither has one without a terminal, or with its output there", async () => {
  await withProgress([file], () => readAt(100, 499));
  onTerminal(false);
  await withProgress([file], () => readAt(1000));
  onTerminal(true);
  await withProgress([file], () => readAt(1000), { isTTY: true });
  expect(errors).toBe("");
});

test("standard input has no total, and a file that is read twice no more than all", async () => {
  await withProgress(["-"], () => readAt(1000));
  expect(errors).toBe(`${CLEAR}2.0 MB read${CLEAR}`);
  errors = "";
  now = 0;
  await withProgress([file], () => readAt(1, 2, 3, 4, 5, 900));
  expect(errors).toBe(`${CLEAR}8.0 of 8.0 MB read (100 %)${CLEAR}`);
});

test("it is removed before a sentence, and after a failure", async () => {
  const failing = withProgress([file], async () => {
    await readAt(1000);
    reportGaps("f", { gaps: [{ code: "bad-event", offset: 1, message: "One." }] });
    throw new Error("refused");
  });
  await expect(failing).rejects.toThrow("refused");
  expect(errors).toBe(`${CLEAR}2.0 of 8.0 MB read (25 %)${CLEAR}f: at byte 1: One.\n`);
});

test("threads count for it", async () => {
  await withProgress([file], async () => {
    const shared = progressCounter();
    // As a thread does with what it received.
    countInto(shared);
    await readAt(1000);
  });
  expect(errors).toContain("2.0 of 8.0 MB");
  expect(progressCounter()).toBeNull();
});
