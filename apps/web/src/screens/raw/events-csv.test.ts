import { describe, expect, test, vi } from "vitest";
import type { RawEvent, RawEvents } from "@aglens/contract";
import { sourceOf } from "../../../test/open-capture.tsx";
import { summaryOf } from "../../../test/summary.ts";
import { UTC, type Zone } from "../../ui/zone.ts";
import { savedText } from "./csv-button.tsx";
import { MOST_CSV_ROWS, writeEventsCsv } from "./events-csv.ts";

const FILTER = { range: { from: 0, to: 10 }, replicas: [1], names: ["log_flush_start"], text: "f7" };

const eventOf = (more: Partial<RawEvent>): RawEvent => ({
  secondary: 0,
  begin: null,
  name: "log_flush_complete",
  replica: 1,
  onPrimary: false,
  fire: 68_616_672.5,
  byPublish: false,
  timestamp: "2016-05-06T02:18:04.4611720Z",
  mode: null,
  duration: 438,
  durationUnit: "ms",
  durationField: "duration",
  lsn: "00000022:000001f7",
  database: 0,
  block: 7,
  file: "sql2_0.xel",
  fileIndex: 1,
  offset: 293_100,
  position: 0,
  fields: {},
  actions: {},
  ...more,
});

const page = (events: RawEvent[], more: Partial<RawEvents> = {}): RawEvents => ({
  total: events.length,
  position: 0,
  read: events.length,
  next: null,
  events,
  names: [],
  unreadable: 0,
  unlisted: { ofNoBlock: [], withoutInstant: 0 },
  ...more,
});

const written = (...pages: RawEvents[]) => writtenIn(UTC, ...pages);

async function writtenIn(zone: Zone, ...pages: RawEvents[]) {
  const rest = [...pages];
  const source = sourceOf({ rawEvents: () => rest.shift()! });
  const progress = vi.fn();
  const csv = await writeEventsCsv(
    source,
    { ...summaryOf(), zone },
    FILTER,
    new AbortController().signal,
    progress,
  );
  const text = await csv.content.text();
  return { ...csv, source, progress, lines: text.replace("\uFEFF", "").trimEnd().split("\r\n") };
}

describe("the CSV of events", () => {
  test("has local time next to UTC where that is shown, with its offset in the head", async () => {
    const zone: Zone = { kind: "server", minutes: 330, name: null };
    const { lines } = await writtenIn(zone, page([eventOf({})]));
    expect(lines[0]).toMatch(/^"fired_utc","fired \(UTC\+5:30\)","fired_us",/u);
    expect(lines[1]).toMatch(/^"2016-05-06T02:18:03\.6166725Z","2016-05-06 07:48:03\.6166725",/u);
  });

  test("has a row per event as the screen lists it, with its place in the file", async () => {
    const { lines } = await written(page([eventOf({ fields: { duration: 438 } })]));
    expect(lines).toEqual([
      '"fired_utc","fired_us","fired_by_publish_time","published_utc","replica","event","mode","duration","duration_unit","lsn","database","file","offset_bytes","field duration"',
      '"2016-05-06T02:18:03.6166725Z",68616672.5,false,"2016-05-06T02:18:04.4611720Z","SQL2","log_flush_complete",,438,"ms","00000022:000001f7","Payroll","sql2_0.xel",293100,438',
    ]);
  });

  test("has a column for each field and action, empty for events that do not have it", async () => {
    const { lines } = await written(
      page([eventOf({ fields: { a: 1 } })], { total: 3, next: 1 }),
      page([eventOf({ fields: { b: "=1+1", a: 2 }, actions: { a: { name: "x" } } }), eventOf({})], {
        total: 3,
      }),
    );
    // A value must not become a formula for a person who opens the table.
    expect(lines.map((line) => line.split(",").slice(13).join(","))).toEqual([
      '"field a","field b","action a"',
      "1,,",
      `2,"'=1+1","{""name"":""x""}"`,
      ",,",
    ]);
  });

  test("is of the filter, read on page by page", async () => {
    const { source, progress } = await written(
      page([], { total: 4_000, read: 2_000, next: 2_000 }),
      page([eventOf({})], { total: 4_000, read: 2_000 }),
    );
    expect(source.asked).toEqual([
      ["rawEvents", { ...FILTER, first: { position: 0 }, read: 2_000 }],
      ["rawEvents", { ...FILTER, first: { position: 2_000 }, read: 2_000 }],
    ]);
    expect(progress.mock.calls).toEqual([[0.5], [1]]);
  });

  test("ends at its most rows, and reports how far it came", async () => {
    const many = Array.from({ length: MOST_CSV_ROWS - 1 }, () => eventOf({}));
    const { lines, rows, read, total } = await written(
      page(many, { total: 1e6, next: many.length }),
      page([eventOf({}), eventOf({})], { total: 1e6, next: many.length + 2 }),
    );
    expect([lines.length, rows, read, total]).toEqual([
      MOST_CSV_ROWS + 1,
      MOST_CSV_ROWS,
      MOST_CSV_ROWS + 1,
      1e6,
    ]);
  });

  test("says that it was cut, also where the last page has more than it holds", async () => {
    const many = Array.from({ length: MOST_CSV_ROWS - 1 }, () => eventOf({}));
    const first = page(many, { total: many.length + 2, next: many.length });
    const cut = await written(first, page([eventOf({}), eventOf({})], { total: many.length + 2 }));
    expect([cut.rows, cut.cutBy, savedText(cut)]).toEqual([
      MOST_CSV_ROWS,
      "rows",
      "200,000 events saved, the most that one file holds: choose a shorter range for the rest",
    ]);
    const whole = await written({ ...first, total: MOST_CSV_ROWS }, page([eventOf({})]));
    expect([whole.rows, whole.cutBy, savedText(whole)]).toEqual([
      MOST_CSV_ROWS,
      "none",
      "200,000 events saved",
    ]);
  });

  test("says how many events could not be read", async () => {
    const csv = await written(page([eventOf({})], { unreadable: 2 }));
    expect(savedText(csv)).toBe("1 event saved; 2 could not be read");
  });

  test("ends with the refusal of a page", async () => {
    const source = sourceOf({ rawEvents: () => new Error("The files are gone.") });
    const signal = new AbortController().signal;
    await expect(writeEventsCsv(source, summaryOf(), FILTER, signal, vi.fn())).rejects.toThrow("gone");
  });
});
