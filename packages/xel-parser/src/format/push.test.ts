import { describe, expect, test } from "vitest";
import { openColumnStream, openEventStream, type ColumnRequest, type StreamRow } from "./index.ts";
import { createXelWriter } from "../writer/index.ts";

const EVENTS = 300;
const REQUEST: ColumnRequest = {
  events: [{ name: "statement", kind: 7, fields: [{ field: "number", column: "number" }] }],
  columns: [{ name: "number", type: "f64" }],
};

/** Numbered events as rows: the header, the metadata, then buffers. */
function makeRows(): StreamRow[] {
  const pieces: Uint8Array[] = [];
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "sqlserver",
          id: 2,
          events: [
            {
              name: "statement",
              columns: [
                { name: "number", type: "uint32" },
                { name: "text", type: "unicode_string" },
              ],
            },
            { name: "other", columns: [{ name: "number", type: "uint32" }] },
          ],
          actions: [{ name: "session_id", type: "uint16" }],
        },
      ],
    },
    { bufferBytes: 4096, onBuffer: (bytes) => pieces.push(bytes.slice()) },
  );
  for (let number = 0; number < EVENTS; number++) {
    if (number % 3 === 2) writer.write("other", number, { number });
    else writer.write("statement", number, { number, text: `statement ${number}` }, { session_id: 51 });
  }
  writer.finish();
  return pieces.map((data, i) => ({ type: i === 0 ? 2 : i === 1 ? 1 : 0, data }));
}

const [header, metadata, ...buffers] = makeRows();
const all = Array.from({ length: EVENTS }, (_, number) => number);

const numbersOf = (rows: readonly StreamRow[]): number[] => {
  const stream = openEventStream();
  return rows.flatMap((row) => stream.push(row).decoded.map(({ fields }) => Number(fields["number"])));
};

function edited(row: StreamRow, edit: (view: DataView) => void): StreamRow {
  const data = row.data.slice();
  edit(new DataView(data.buffer));
  return { ...row, data };
}

describe("rows of a live stream (docs/reference/xel-format.md 7)", () => {
  test("give all events with their values", () => {
    expect(buffers.length).toBeGreaterThan(3);
    expect(numbersOf([header, metadata, ...buffers])).toEqual(all);
    const stream = openEventStream();
    stream.push(metadata);
    expect(stream.push(buffers[0]).decoded[1]).toMatchObject({
      name: "statement",
      fields: { number: 1, text: "statement 1" },
      actions: { session_id: 51 },
    });
  });

  test("the header may be absent or come again, the metadata may come again", () => {
    const [first, ...rest] = buffers;
    expect(numbersOf([metadata, first, header, metadata, ...rest])).toEqual(all);
  });

  test("the buffer's own type decides, not the row's", () => {
    const numbered = [
      header,
      ...[metadata, ...buffers].map(({ data }, i) => ({ type: [0, 1, 7, 9][i % 4], data })),
    ];
    expect(numbersOf(numbered)).toEqual(all);
  });

  test("what follows the buffer in a row is no part of it", () => {
    const longer = buffers.map(({ type, data }) => ({ type, data: Uint8Array.from([...data, 1, 2, 3, 4]) }));
    expect(numbersOf([header, metadata, ...longer])).toEqual(all);
  });

  test("a view into larger memory is read at its place", () => {
    const shifted = [metadata, ...buffers].map(({ type, data }) => {
      const memory = new Uint8Array(data.length + 100).fill(255);
      memory.set(data, 37);
      return { type, data: memory.subarray(37, 37 + data.length) };
    });
    expect(numbersOf(shifted)).toEqual(all);
  });
});

describe("a row that does not decode is reported and the next one is read", () => {
  const victim = buffers[1];
  const cases: readonly [string, StreamRow, string][] = [
    ["an empty row", { type: 0, data: new Uint8Array(0) }, "truncated"],
    ["a row shorter than its buffer", { type: 0, data: victim.data.subarray(0, 1000) }, "truncated"],
    ["an all-zero buffer", { type: 0, data: new Uint8Array(4096) }, "bad-buffer-header"],
    ["another version", edited(victim, (view) => view.setUint16(12, 9, true)), "unsupported-version"],
    ["a buffer of unknown type", edited(victim, (view) => view.setUint16(14, 5, true)), "bad-buffer-header"],
    ["a header that is cut short", { type: 2, data: header.data.subarray(0, 100) }, "truncated"],
    ["a header that is none", { type: 2, data: victim.data }, "not-xel"],
  ];
  test.each(cases)("%s", (_what, row, code) => {
    const stream = openEventStream();
    stream.push(metadata);
    expect(stream.push(row)).toMatchObject({ kind: "unreadable", events: 0, undecoded: { code } });
    expect(stream.push(buffers[0]).undecoded).toBeNull();
  });

  test("events before their metadata", () => {
    const stream = openEventStream();
    expect(stream.push(buffers[0])).toMatchObject({ events: 0, undecoded: { code: "no-metadata" } });
  });

  test("damage inside a buffer keeps the events before it", () => {
    const stream = openColumnStream(REQUEST);
    stream.push(metadata);
    // Every place has an event of 60 to 110 bytes, so some event after the tenth begins with damage.
    const damaged = edited(buffers[0], (view) => {
      for (let at = 1500; at < 1700; at++) view.setUint8(at, 0xff);
    });
    const report = stream.push(damaged);
    expect(report.undecoded).not.toBeNull();
    const { columns, length } = stream.take();
    expect(length).toBeGreaterThan(5);
    expect(Array.from(columns["number"] as Float64Array)).toEqual(
      all.filter((n) => n % 3 !== 2).slice(0, length),
    );
  });
});

describe("columns of a live stream", () => {
  test("come since the last time they were taken, and count unwanted events", () => {
    const stream = openColumnStream(REQUEST);
    stream.push(metadata);
    const taken: number[] = [];
    let events = 0;
    for (const row of buffers) {
      events += stream.push(row).events;
      taken.push(...(stream.take().columns["number"] as Float64Array));
    }
    expect(events).toBe(EVENTS);
    expect(taken).toEqual(all.filter((n) => n % 3 !== 2));
    expect(stream.take().length).toBe(0);
  });

  test("random damage never throws", () => {
    let state = 1;
    const below = (n: number): number => (state = (Math.imul(state, 48_271) >>> 0) % 0x7fff_ffff) % n;
    for (let round = 0; round < 400; round++) {
      const stream = openColumnStream(REQUEST);
      const objects = openEventStream();
      for (const row of [header, metadata, ...buffers]) {
        const hurt = edited(row, (view) => {
          for (let k = below(3); k > 0; k--) view.setUint8(below(view.byteLength), below(256));
        });
        const reported = stream.push(hurt);
        // Objects have fields that the columns skip, so damage may stop them earlier.
        expect(objects.push(hurt).events).toBeLessThanOrEqual(reported.events);
      }
      expect(stream.take().length).toBeLessThanOrEqual(EVENTS);
    }
  });
});
