import { readdirSync, readFileSync } from "node:fs";
import { readEvents } from "@aglens/ag-model/events";
import { buildModel, type CaptureModel } from "@aglens/ag-model/replication";
import { beforeAll, expect, test } from "vitest";
import { rawEventsOf, type RawEventsWanted } from "./raw-events.ts";
import type { OpenSource } from "./source-file.ts";

const PRIMARY = new URL("../../../../fixtures/captures/slow-network/primary/", import.meta.url);
const [NAME = ""] = readdirSync(PRIMARY);

/** A page of ten events from the first one on. */
const PAGE: RawEventsWanted = {
  from: -Infinity,
  to: Infinity,
  replicas: null,
  database: null,
  first: { position: 0 },
  names: null,
  text: "",
  read: 10,
};

let bytes: Uint8Array;
let model: CaptureModel;
beforeAll(async () => {
  bytes = new Uint8Array(readFileSync(new URL(NAME, PRIMARY)));
  async function* chunks() {
    yield bytes;
  }
  model = buildModel([{ role: "primary", columns: await readEvents(chunks(), NAME) }]);
});

/** The page, and the reads that it took. */
async function page(of: CaptureModel, file = bytes, wanted = PAGE) {
  const reads: string[] = [];
  const open: OpenSource = () =>
    Promise.resolve({
      size: file.length,
      read: (offset, length) => {
        reads.push(`${offset}+${length}`);
        return Promise.resolve(file.subarray(offset, offset + length));
      },
      close: () => Promise.resolve(),
    });
  return { ...(await rawEventsOf(of, wanted, open)), reads };
}

const withoutMetadata = (): CaptureModel => ({
  ...model,
  files: model.files.map(({ metadata: _metadata, ...file }) => file),
});

test("a page of events takes their bytes and those that describe them, not a look at the whole file", async () => {
  const { events, reads, unreadable } = await page(model);
  expect([events.length, unreadable, reads.length]).toEqual([10, 0, 2]);
  // The file's header has 512 bytes, and the metadata of its events follows.
  expect(reads[0]).toMatch(/^512\+/u);
});

test("a page counts its events by name, and says where the next one begins, until there is none", async () => {
  const counted = (found: Awaited<ReturnType<typeof page>>) => {
    const counts: Record<string, number> = {};
    for (const { name } of found.events) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  const first = await page(model);
  expect(first.next).toBe(10);
  expect(Math.max(...first.names.map(({ count }) => count))).toBeGreaterThan(1);
  expect(Object.fromEntries(first.names.map(({ name, count }) => [name, count]))).toEqual(counted(first));
  const from = first.total - 10;
  expect(await page(model, bytes, { ...PAGE, first: { position: from } })).toMatchObject({ next: null });
  expect(await page(model, bytes, { ...PAGE, first: { position: from - 1 } })).toMatchObject({
    next: first.total - 1,
  });
});

test("of a capture that does not say what describes them, it is found by a look at each buffer", async () => {
  const { events, reads } = await page(withoutMetadata());
  expect(reads.length).toBeGreaterThan(4);
  expect(events).toEqual((await page(model)).events);
});

test("of a file whose description is damaged the events are said to be unreadable", async () => {
  const damaged = bytes.slice().fill(0xee, 512, 544);
  expect(await page(model, damaged)).toMatchObject({ events: [], unreadable: 10 });
});

test("neighbors are in the bytes that were read ahead, up to the file's end, and are the events at their places", async () => {
  const from = model.files[0]!.events - 2_000;
  const { events, reads, unreadable } = await page(model, bytes, {
    ...PAGE,
    first: { position: from },
    read: 2_000,
  });
  // These events of some 90 bytes each are within a megabyte.
  expect([unreadable, reads.length]).toEqual([0, 2]);
  const last = events.length - 1;
  expect(last).toBeGreaterThan(1_000);
  const alone = await Promise.all(
    [1, 999, last].map((at) => page(model, bytes, { ...PAGE, first: { position: from + at }, read: 1 })),
  );
  expect(alone.map(({ events: [event] }) => event)).toEqual([events[1], events[999], events[last]]);
});
