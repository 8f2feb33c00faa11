/** Text in every encoding of SQL Server's tools, and the places of gaps in its bytes. */
import { describe, expect, test } from "vitest";
import { inChunks } from "../../test/bytes.ts";
import type { FileReport } from "../format/index.ts";
import { readTextEvents, textKindOf, type TextKind } from "./index.ts";

const units = (text: string, littleEndian: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  return new Uint8Array(view.buffer);
};
const ENCODINGS: readonly (readonly [
  name: string,
  encode: (text: string) => Uint8Array,
  bytesPerUnit: number,
])[] = [
  ["UTF-8", (text) => new TextEncoder().encode(text), 1],
  ["UTF-8 with a mark", (text) => new TextEncoder().encode(`\ufeff${text}`), 1],
  ["UTF-16LE", (text) => units(text, true), 2],
  ["UTF-16LE with a mark", (text) => units(`\ufeff${text}`, true), 2],
  ["UTF-16BE", (text) => units(text, false), 2],
  ["UTF-16BE with a mark", (text) => units(`\ufeff${text}`, false), 2],
];

async function read(
  kind: TextKind,
  bytes: Uint8Array,
  size: number,
): Promise<{ values: unknown[]; report: FileReport }> {
  const reading = readTextEvents(kind, inChunks(bytes, size));
  const values: unknown[] = [];
  let item = await reading.next();
  for (; item.done !== true; item = await reading.next()) values.push(item.value.fields["v"]);
  return { values, report: item.value };
}

// The last and first characters of one, two, three and four bytes of UTF-8.
const VALUE = "a\u007f\u0080\u07ff\u0800\ud7ff\ue000\ufffd\u{10000}b";
const event = (time: string): string =>
  `<event name="e" package="p" timestamp="${time}"><data name="v"><value>${VALUE}</value></data></event>`;
const GOOD = event("2026-01-02T03:04:05Z");
const BAD = event("never");
const ROWS = {
  head: "name,timestamp,v\r\n",
  good: `e,2026-01-02 03:04:05,${VALUE}\r\n`,
  bad: `e,never,${VALUE}\r\n`,
};

describe.each(ENCODINGS)("%s", (_, encode) => {
  const bytesOf = (text: string): number => encode(text).length - encode("").length;
  const mark = encode("").length;

  test.each([1, 2, 3, 50, 100_000])("XML in chunks of %i bytes", async (size) => {
    const bytes = encode(`${GOOD}\n${BAD}\n${GOOD}`);
    expect(textKindOf(bytes)).toBe("xml");
    const { values, report } = await read("xml", bytes, size);
    expect(values).toEqual([VALUE, VALUE]);
    expect(report).toMatchObject({ fileSize: bytes.length, events: 2, clean: false });
    expect(report.gaps).toMatchObject([
      { offset: mark + bytesOf(`${GOOD}\n`), bytes: bytesOf(BAD), eventsLost: 1 },
    ]);
  });

  test.each([1, 2, 3, 50, 100_000])("CSV in chunks of %i bytes", async (size) => {
    const bytes = encode(ROWS.head + ROWS.good + ROWS.bad + ROWS.good);
    expect(textKindOf(bytes)).toBe("csv");
    const { values, report } = await read("csv", bytes, size);
    expect(values).toEqual([VALUE, VALUE]);
    expect(report.gaps).toMatchObject([
      { offset: mark + bytesOf(ROWS.head + ROWS.good), bytes: bytesOf(ROWS.bad) },
    ]);
  });
});

test.each([0, 1, 2])("a file of %i bytes has no encoding to see, and no event", async (length) => {
  const bytes = new TextEncoder().encode("<e").subarray(0, length);
  expect(textKindOf(bytes)).toBeUndefined();
  for (const kind of ["xml", "csv"] as const)
    await expect(read(kind, bytes, 1)).rejects.toMatchObject({ code: "not-xel" });
});

describe("what a file's beginning shows", () => {
  const kindOf = (text: string): TextKind | undefined => textKindOf(new TextEncoder().encode(text));

  test.each([
    "<event name='x'>",
    "<events><event>",
    " \r\n<event\n",
    '<?xml version="1.0"?><event ',
    "<RingBufferTarget truncated='0'>",
    "<RingBufferTarget/>",
    "<RingBufferTarget>",
  ])("%j is XML", (text) => {
    expect(kindOf(text)).toBe("xml");
  });

  test.each([
    "name,timestamp\n",
    "NAME;Timestamp",
    "timestamp\tname\r\n",
    "a|timestamp (UTC)|name",
    "timestamp_utc,name",
    "event_data",
    "x,target_data",
    '"event_data"\n',
    " name , timestamp \n",
    '"<event name=""x"" "',
    '1,"<RingBufferTarget truncated=""0"">"',
  ])("%j is CSV", (text) => {
    expect(kindOf(text)).toBe("csv");
  });

  test.each([
    "",
    "<eventually>",
    "<RingBufferTargets>",
    "<a>event</a>",
    "name,time\n",
    "timestamp,duration\n",
    "names,timestamps",
    "x\nname,timestamp\n",
    "name,timestamp\0",
    "event_datas",
    "text <event >",
  ])("%j is neither", (text) => {
    expect(kindOf(text)).toBeUndefined();
  });

  test("is judged by its first 64 KiB", () => {
    expect(kindOf(`${" ".repeat(64 * 1024 - 7)}<event `)).toBe("xml");
    expect(kindOf(`<a>${" ".repeat(64 * 1024)}<event >`)).toBeUndefined();
  });
});
