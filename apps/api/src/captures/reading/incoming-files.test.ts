import { readdirSync, readFileSync } from "node:fs";
import { appendFile, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { mergeColumns, type EventColumns } from "@aglens/ag-model/events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT } from "../../../test/service.ts";
import { SharedArrival } from "../../store/shared-arrival.ts";
import { workerAnalyzer } from "../analysis/analyzer.ts";
import { decodeHere, type FileToDecode } from "./decode.ts";
import { decodePool } from "./decode-pool.ts";

const FOLDER = join(ROOT, "fixtures/captures/slow-network/primary");
const NAME = elementAt(readdirSync(FOLDER), 0);
const BYTES = readFileSync(join(FOLDER, NAME));
const HALF = BYTES.length >> 1;
const STEP = 8 * 1024;

let folder: string;
let arrival: SharedArrival;
let meanwhile: string;
let has: number;
let file: FileToDecode;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-coming-"));
  arrival = new SharedArrival();
  has = 0;
  meanwhile = join(folder, "meanwhile");
  const coming = { path: meanwhile, cell: arrival.cell };
  file = { path: join(folder, "whole"), name: NAME, size: BYTES.length, coming };
});
afterEach(() => rm(folder, { recursive: true }));

/** Appends bytes as a download does. @param bytes number of bytes that have arrived then */
async function come(bytes: number): Promise<void> {
  await appendFile(meanwhile, BYTES.subarray(has, bytes));
  has = bytes;
  arrival.reach(bytes);
}
/** Bytes arrive in steps until the reader reports its position; it does not report after each buffer. */
async function comeUntil<Told>(told: Promise<Told>): Promise<Told> {
  let isTold = false;
  const heard = told.then(() => (isTold = true));
  while (!isTold && has + STEP < BYTES.length) {
    await come(has + STEP);
    await Promise.race([heard, pause(20)]);
  }
  return told;
}
async function becomeWhole(): Promise<void> {
  await come(BYTES.length);
  await rename(meanwhile, file.path);
  arrival.end();
}

async function eventsOf(pieces: AsyncIterable<EventColumns>): Promise<EventColumns> {
  const all: EventColumns[] = [];
  for await (const piece of pieces) all.push(piece);
  return mergeColumns(all);
}
const expected = (): Promise<EventColumns> =>
  eventsOf(decodeHere({ path: join(FOLDER, NAME), name: NAME, size: BYTES.length }, () => {}));

describe.each([
  ["on this thread", decodeHere],
  ["on another one", decodePool(1, 0)],
])("a file that comes, read %s,", (_, decode) => {
  test("is read as far as it has come, and has all of its events in the end", async () => {
    const begun = Promise.withResolvers<number>();
    const reading = eventsOf(decode(file, (bytesDone) => begun.resolve(bytesDone)));
    const bytesDone = await comeUntil(begun.promise);
    expect(bytesDone).toBeGreaterThan(0);
    expect(bytesDone).toBeLessThanOrEqual(has);
    expect(has).toBeLessThan(BYTES.length);
    await becomeWhole();
    expect(await reading).toEqual(await expected());
  });

  test("is read where it belongs once it is whole", async () => {
    await becomeWhole();
    expect(await eventsOf(decode(file, () => {}))).toEqual(await expected());
  });

  test("is read there too when it has become whole and nobody was told yet", async () => {
    await come(BYTES.length);
    await rename(meanwhile, file.path);
    expect(await eventsOf(decode(file, () => {}))).toEqual(await expected());
  });

  test.each([
    ["before it begins", 0],
    ["in the middle", HALF],
  ])("fails when it breaks off %s", async (_when, bytes) => {
    await come(bytes);
    const reading = eventsOf(decode(file, () => {}));
    arrival.breakOff();
    await expect(reading).rejects.toThrow("did not come");
  });
});

test.each([
  ["a small file", 1],
  ["a large one, which has a thread of its own", 32 * 1024 * 1024],
])("an analysis that waits for %s ends at once when it is cancelled", async (_, size) => {
  const { path, coming } = file;
  const files = [{ id: "f", name: NAME, size, role: "primary", replica: "SQL1", path, from: null }] as const;
  const progressed = Promise.withResolvers<void>();
  const job = workerAnalyzer().analyse(
    { files, topologies: [], coming: coming === undefined ? {} : { [path]: coming } },
    { onProgress: ({ events }) => (events > 0 ? progressed.resolve() : undefined) },
  );
  await comeUntil(progressed.promise);
  const began = performance.now();
  // A thread that waits for bytes receives no other messages, and is ended by force after half a minute.
  arrival.breakOff();
  await Promise.all([expect(job.done).rejects.toThrow("Cancelled"), job.cancel()]);
  expect(performance.now() - began).toBeLessThan(25_000);
});
