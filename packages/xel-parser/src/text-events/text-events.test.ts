import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import { describe, expect, test } from "vitest";
import { inChunks } from "../../test/bytes.ts";
import { toJson, type XelEvent } from "../format/index.ts";
import { readEventCsv, readEventXml, readTextEvents, textKindOf, type ReadTextOptions } from "./index.ts";

async function all(reading: ReturnType<typeof readEventXml>) {
  const events: XelEvent[] = [];
  let item = await reading.next();
  for (; item.done !== true; item = await reading.next()) events.push(item.value);
  return { events, report: item.value };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const xml = (text: string, size = 1_000_000, options: ReadTextOptions = {}) =>
  all(readEventXml(inChunks(bytesOf(text), size), options));
const csv = (text: string, size = 1_000_000, options: ReadTextOptions = {}) =>
  all(readEventCsv(inChunks(bytesOf(text), size), options));
const plain = (event: XelEvent) => JSON.parse(toJson(event)) as Record<string, unknown>;

// A part of the first event of a real file, rewritten by hand in the form that Microsoft documents: no server printed
// it (docs/evidence.md 6).
const RPC =
  '<event name="rpc_completed" package="sqlserver" timestamp="2017-10-17T20:37:03.148Z">' +
  '<data name="duration"><value>56</value></data>' +
  '<data name="result"><value>0</value><text>OK</text></data>' +
  '<data name="object_name"><value>sp_prepare</value></data>' +
  '<data name="statement"><value>select &lt;a&gt; &amp; b</value></data>' +
  '<data name="data_stream"><value></value></data>' +
  '<action name="session_id" package="sqlserver"><value>182</value></action>' +
  '<action name="attach_activity_id" package="package0"><value>329B2676-060B-4760-8698-46A43E0B1603-1</value></action>' +
  "</event>";

const types: Record<string, string> = { data_stream: "binary_data", attach_activity_id: "activity_id" };

const rpc = {
  name: "rpc_completed",
  timestamp: "2017-10-17T20:37:03.1480000Z",
  package: "sqlserver",
  uuid: "",
  fields: {
    duration: 56,
    result: "OK",
    object_name: "sp_prepare",
    statement: "select <a> & b",
    data_stream: "0x",
  },
  actions: { session_id: 182, attach_activity_id: "329b2676-060b-4760-8698-46a43e0b1603:1" },
};

describe("event XML", () => {
  test.each([1, 7, 100, 100_000])("of the file target, in chunks of %i bytes", async (size) => {
    const { events, report } = await xml(`${RPC}\r\n${RPC}`, size, { typeOf: (_, field) => types[field] });
    expect(events.map(plain)).toEqual([rpc, rpc]);
    expect(events.map(({ offset }) => offset)).toEqual([0, 1]);
    expect(report).toMatchObject({ clean: true, events: 2, fileSize: RPC.length * 2 + 2 });
  });

  test("under a root, with declarations, and in UTF-16 with a mark", async () => {
    const text = `<?xml version="1.0" encoding="utf-16"?><events>${RPC}</events><?xml version="1.0"?>${RPC}`;
    const utf16 = new Uint8Array(2 + text.length * 2);
    new DataView(utf16.buffer).setUint16(0, 0xfeff, true);
    for (let i = 0; i < text.length; i++)
      new DataView(utf16.buffer).setUint16(2 + i * 2, text.charCodeAt(i), true);
    for (const size of [3, 1000]) {
      const { events, report } = await all(readEventXml(inChunks(utf16, size)));
      expect(events.map(({ name }) => name)).toEqual(["rpc_completed", "rpc_completed"]);
      expect(report.gaps).toEqual([]);
    }
    expect(textKindOf(utf16)).toBe("xml");
  });

  test("of the ring buffer, whose fields carry their types", async () => {
    const { events, report } = await xml(
      '<RingBufferTarget truncated="1" processingTime="0" totalEventsProcessed="9" eventCount="1">' +
        '<event name="hadr_apply_log_block" package="sqlserver" timestamp="2026-01-02T03:04:05.006Z">' +
        '<data name="log_block_id"><type name="uint64" package="package0"></type><value>18446744073709551615</value></data>' +
        '<data name="mode"><type name="uint32" package="package0"/><value>3</value></data>' +
        '<data name="object_name"><type name="unicode_string" package="package0"/><value>123</value></data>' +
        '<data name="database_replica_id"><type name="guid" package="package0"/><value>60AA9FBF-673B-4553-B7ED-71DCA7F5E972</value></data>' +
        '<data name="report"><type name="xml" package="package0"/><value><a b="1&amp;2"><c>x &lt; y</c></a></value></data>' +
        '<data name="state"><type name="some_map" package="sqlserver"/><value>1</value><text><![CDATA[Set & done]]></text></data>' +
        '<data name="unknown_state"><type name="some_map" package="sqlserver"/><value>7</value><text/></data>' +
        "</event></RingBufferTarget>",
    );
    expect(events[0].fields).toEqual({
      log_block_id: 18446744073709551615n,
      mode: 3,
      object_name: "123",
      database_replica_id: "60aa9fbf-673b-4553-b7ed-71dca7f5e972",
      report: '<a b="1&amp;2"><c>x &lt; y</c></a>',
      state: "Set & done",
      unknown_state: "7",
    });
    expect(report.gaps).toMatchObject([
      { code: "truncated", message: expect.stringContaining("truncated=1") },
    ]);
  });

  test("that is cut off or broken gives the events before, and says so", async () => {
    const cut = await xml(RPC + RPC.slice(0, 200));
    expect(cut.events).toHaveLength(1);
    expect(cut.report.gaps).toMatchObject([
      { code: "truncated", offset: RPC.length, bytes: 200, eventsLost: 1 },
    ]);
    for (const rest of [RPC.slice(0, 4), RPC.slice(0, 30), "<events>\n"]) {
      const { events, report } = await xml(RPC + rest);
      expect(events).toHaveLength(1);
      expect(report.gaps).toMatchObject([{ code: "truncated", offset: RPC.length, bytes: rest.length }]);
    }
    const wrong = RPC.replace("</event>", "</data>");
    const broken = await xml(RPC + wrong + RPC);
    expect(broken.events).toHaveLength(1);
    expect(broken.report.gaps).toMatchObject([
      { code: "bad-event", offset: RPC.length, bytes: RPC.length * 2 - 1 },
    ]);
  });

  test.each([3, 1000])("passes over an event that has no time, in chunks of %i bytes", async (size) => {
    const bad = RPC.replace("2017-10-17T20:37:03.148Z", "once");
    // Characters of two, three and four bytes are before it.
    const first = RPC.replace("sp_prepare", "\u00e4\u20ac\u{1f4be}");
    const { events, report } = await xml(`\ufeff${first}\n${bad}\n${RPC}`, size);
    expect(events).toHaveLength(2);
    expect(report.gaps).toEqual([
      {
        code: "bad-event",
        offset: 3 + bytesOf(first).length + 1,
        bytes: bad.length,
        eventsLost: 1,
        message: 'Can\'t read an event of the XML: its time is "once".',
      },
    ]);
  });

  test("counts what it lost beyond the limit of gaps, and bounds a value", async () => {
    const bad = RPC.replace("2017-10-17T20:37:03.148Z", "once");
    const many = await xml(RPC + bad.repeat(5), 1000, { limits: { gaps: 2 } });
    expect(many.report.gaps).toHaveLength(2);
    expect(many.report.unlistedGaps).toBe(3);
    const long = await xml(RPC + RPC.replace("sp_prepare", "x".repeat(60)), 1000, {
      limits: { valueBytes: 100 },
    });
    expect(long.events).toHaveLength(1);
    expect(long.report.gaps).toMatchObject([
      { message: expect.stringContaining("the value of object_name has more than 50 characters") },
    ]);
  });

  test("keeps characters that XML does not allow, printed as references", async () => {
    const { events, report } = await xml(RPC.replace("sp_prepare", "a&#x1;b"));
    expect(events).toHaveLength(1);
    expect(report.clean).toBe(true);
  });

  test("that holds no event is refused", async () => {
    await expect(xml("<AGInfoRoot/>")).rejects.toMatchObject({ code: "not-xel" });
    expect(textKindOf(bytesOf("<AGInfoRoot/>"))).toBeUndefined();
  });
});

describe("CSV", () => {
  const GRID =
    "name,timestamp,timestamp (UTC),duration,statement,result\r\n" +
    'rpc_completed,2017-10-17 22:37:03.1482054,2017-10-17 20:37:03.1482054,56,"select ""a"",\r\nb",OK\r\n' +
    "other,2017-10-17 22:37:03.2,2017-10-17 20:37:03.2,NULL,,\r\n" +
    "broken,yesterday,yesterday,1,,\r\n";

  test.each([1, 10, 100_000])("of the viewer's grid, in chunks of %i bytes", async (size) => {
    const { events, report } = await csv(GRID, size);
    expect(events.map(plain)).toEqual([
      {
        name: "rpc_completed",
        timestamp: "2017-10-17T20:37:03.1482054Z",
        package: "",
        uuid: "",
        fields: { duration: 56, statement: 'select "a",\r\nb', result: "OK" },
        actions: {},
      },
      {
        name: "other",
        timestamp: "2017-10-17T20:37:03.2000000Z",
        package: "",
        uuid: "",
        fields: {},
        actions: {},
      },
    ]);
    const broken = "broken,yesterday,yesterday,1,,\r\n";
    expect(report.gaps).toEqual([
      {
        code: "bad-event",
        offset: GRID.length - broken.length,
        bytes: broken.length,
        message: expect.stringMatching(/^Row 4 of the CSV contains no event: its time is "yesterday"/u),
      },
    ]);
  });

  test.each([
    ["cells without a name", "x,2017-10-17 20:37:03,a,b\r\n", "it has 4 cells, the header 3"],
    ["a quote that is not doubled", 'x,2017-10-17 20:37:03,"a"b\r\n', "a quote in it is not closed"],
    ["no name", ",2017-10-17 20:37:03,a\r\n", "it has no event name"],
  ])("a row with %s is reported, and its place", async (_, row, message) => {
    const head = "\ufeffname,timestamp,text\r\n\u00e4,2017-10-17 20:37:03,\u20ac\r\n";
    const { events, report } = await csv(`${head}${row}`, 5);
    expect(events).toHaveLength(1);
    expect(report.gaps).toMatchObject([{ offset: bytesOf(head).length, bytes: row.length }]);
    expect(report.gaps[0].message).toContain(message);
  });

  test("a quote that is never closed costs what is behind it, and says so", async () => {
    const head = "name,timestamp,text\nx,2017-10-17 20:37:03,a\n";
    const open = `y,2017-10-17 20:37:03,"${"z,2017-10-17 20:37:03,b\n".repeat(40)}`;
    const whole = await csv(head + open, 64);
    expect(whole.events).toHaveLength(1);
    expect(whole.report.gaps).toMatchObject([{ offset: head.length, bytes: open.length }]);
    const limited = await csv(head + open, 64, { limits: { valueBytes: 400 } });
    expect(limited.report.gaps).toMatchObject([{ offset: head.length, bytes: open.length }]);
    expect(limited.report.gaps[0].message).toContain("it is too long");
  });

  test("a cell with many events gives all of them, one with broken XML those before", async () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const ring = `<RingBufferTarget truncated="0" processingTime="0">${RPC}${RPC}</RingBufferTarget>`;
    const { events, report } = await csv(`target_data\n${cell(ring)}\n${cell(RPC + RPC.slice(0, 99))}\n`);
    expect(events.map(({ offset }) => offset)).toEqual([0, 1, 2]);
    expect(events[2].ticks).toBe(events[0].ticks);
    expect(report.gaps).toMatchObject([{ message: expect.stringMatching(/^Row 3 .*XML cannot be read/u) }]);
    expect((await csv(cell(ring))).events).toHaveLength(2);
    expect(textKindOf(bytesOf(`target_data\n${cell(ring)}`))).toBe("csv");
  });

  test("of several ring buffers says that the server left events out of one, whichever it was", async () => {
    const cell = (truncated: number) =>
      `"${`<RingBufferTarget truncated="${truncated}" processingTime="0">${RPC}</RingBufferTarget>`.replaceAll('"', '""')}"`;
    for (const rings of [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 1, 0],
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { events, report } = await csv(`target_data\n${rings.map(cell).join("\n")}\n`);
      expect(events).toHaveLength(rings.length);
      // Its events were read, so no row is without an event.
      expect(report.gaps.map(({ code, message }) => [code, message.split(" (")[0]])).toEqual(
        rings.includes(1) ? [["truncated", "The ring buffer's XML doesn't contain all events"]] : [],
      );
    }
    // A ring buffer whose events were all omitted is still not an unreadable file, whatever follows it.
    const empty = (truncated: number) => `"<RingBufferTarget truncated=""${truncated}""></RingBufferTarget>"`;
    for (const rings of [[1], [1, 0]]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { report } = await csv(`target_data\n${rings.map(empty).join("\n")}\n`);
      expect(report.gaps[0]).toMatchObject({ code: "truncated" });
    }
  });

  test("with times of an offset, semicolons and a byte order mark", async () => {
    const { events } = await csv("\ufeffname;timestamp\nx;2017-10-17 22:37:03.1482054 +02:00");
    expect(plain(events[0])).toMatchObject({ name: "x", timestamp: "2017-10-17T20:37:03.1482054Z" });
  });

  test("of a query's grid with event_data, with and without a header", async () => {
    const cell = `"${RPC.replaceAll('"', '""')}"`;
    const headed = await csv(
      `object_name,event_data,timestamp_utc\nrpc_completed,${cell},2017-10-17 20:37:03.1482054\n`,
    );
    expect(plain(headed.events[0])).toMatchObject({
      name: "rpc_completed",
      timestamp: "2017-10-17T20:37:03.1482054Z",
    });
    expect(headed.events[0].fields["statement"]).toBe("select <a> & b");
    const bare = await csv(`rpc_completed,${cell}\nrpc_completed,${cell}`, 50);
    expect(bare.events).toHaveLength(2);
  });

  test("is recognized by its first line", () => {
    expect(textKindOf(bytesOf(GRID))).toBe("csv");
    expect(textKindOf(bytesOf("a,b\n1,2\n"))).toBeUndefined();
    expect(textKindOf(bytesOf(""))).toBeUndefined();
  });
});

interface Expected {
  readonly name: string;
  readonly package: string;
  readonly timestamp: string;
  readonly fields: Record<string, string | number>;
  readonly actions: Record<string, string | number>;
}

describeReference(
  {
    folder: "xel-real",
    tests: 2,
    prove: "the values of a real file, which this test prints as XML and as CSV, are read back as they were",
  },
  (path) => {
    const expected = readFileSync(join(path, "TestXel_0.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Expected);
    // Text in the capture stays text, though it may look like a number.
    const typeOf = (event: string, field: string): string | undefined => {
      const values = expected
        .filter(({ name }) => name === event)
        .map((e) => e.fields[field] ?? e.actions[field]);
      return values.some((value) => typeof value === "string") ? "unicode_string" : undefined;
    };
    const escaped = (value: string | number): string =>
      String(value)
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll("\r", "&#x0d;");
    const element =
      (kind: string) =>
      ([name, value]: [string, string | number]) =>
        `<${kind} name="${name}"><value>${escaped(value)}</value></${kind}>`;
    const printed = expected.map(
      (e) =>
        `<event name="${e.name}" package="${e.package}" timestamp="${e.timestamp}">` +
        Object.entries(e.fields).map(element("data")).join("") +
        Object.entries(e.actions).map(element("action")).join("") +
        "</event>",
    );

    test("as XML", async () => {
      const { events, report } = await xml(printed.join("\n"), 4096, { typeOf });
      expect(report).toMatchObject({ clean: true, events: expected.length });
      expect(events.map((event) => ({ ...plain(event), uuid: undefined }))).toEqual(
        expected.map((event) => ({ ...event, uuid: undefined })),
      );
    });

    test("as CSV with event_data", async () => {
      const rows = printed.map((text) => `x,"${text.replaceAll('"', '""')}"`);
      const { events } = await all(
        readTextEvents("csv", inChunks(bytesOf(`name,event_data\r\n${rows.join("\r\n")}\r\n`), 4096), {
          typeOf,
        }),
      );
      expect(events.map((event) => ({ ...plain(event), uuid: undefined }))).toEqual(
        expected.map((event) => ({ ...event, uuid: undefined })),
      );
    });
  },
);
