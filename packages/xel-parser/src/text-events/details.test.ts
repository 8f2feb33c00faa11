/** Details of event XML and CSV one by one. */
import { describe, expect, test } from "vitest";
import { inChunks } from "../../test/bytes.ts";
import { readXelBytes, type FileReport, type XelEvent } from "../format/index.ts";
import { readTextEvents, xelOfText, type ReadTextOptions, type TextKind } from "./index.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function read(
  kind: TextKind,
  text: string,
  options: ReadTextOptions = {},
  size = 1000,
): Promise<{ events: XelEvent[]; report: FileReport }> {
  const reading = readTextEvents(kind, inChunks(bytesOf(text), size), options);
  const events: XelEvent[] = [];
  let item = await reading.next();
  for (; item.done !== true; item = await reading.next()) events.push(item.value);
  return { events, report: item.value };
}

const TIME = "2026-01-02T03:04:05Z";
// 1,767,323,045 s after 1970, which is 11,644,473,600 s after 1601.
const TICKS = (1_767_323_045n + 11_644_473_600n) * 10_000_000n;
const event = (body: string, attributes = `name="e" package="p" timestamp="${TIME}"`): string =>
  `<event ${attributes}>${body}</event>`;
const fieldsOf = async (body: string, options: ReadTextOptions = {}): Promise<Record<string, unknown>> => {
  const { events } = await read("xml", event(body), options);
  return { ...events[0].fields };
};

describe("a field of event XML", () => {
  test.each<readonly [string, string, unknown]>([
    ["a value", "<value>5</value>", 5],
    ["a value that is empty", "<value></value>", ""],
    ["a value that closes itself", "<value/>", ""],
    ["no value at all", "", ""],
    ["a text, which counts before the value", "<value>1</value><text>Set</text>", "Set"],
    ["an empty text, which does not", "<value>1</value><text></text>", "1"],
    ["a text before the value", "<text>Set</text><value>1</value>", "Set"],
    ["a value in pieces", "<value>a<![CDATA[<b>&]]>c&amp;d</value>", "a<b>&c&d"],
    ["elements inside its value", '<value><a x="1"><b/>t</a></value>', '<a x="1"><b></b>t</a>'],
    [
      "text of such elements, which stays escaped",
      "<value><a>&lt;&amp;<![CDATA[>]]></a></value>",
      "<a>&lt;&amp;&gt;</a>",
    ],
    ["their attributes as well", '<value><a x="&quot;&lt;&amp;"/></value>', '<a x="&quot;&lt;&amp;"></a>'],
    [
      "elements that are called value, text, data or event",
      "<value><value/><text/><data/><event/></value>",
      "<value></value><text></text><data></data><event></event>",
    ],
    ["a type of its own", '<type name="unicode_string" package="package0"/><value>5</value>', "5"],
    ["a type that is not known here", '<type name="map_x" package="p"/><value>5</value>', "5"],
    ["other elements beside it", "<note>x</note><value>5</value>", 5],
  ])("with %s", async (_, body, value) => {
    expect(await fieldsOf(`<data name="f">${body}</data>`)).toEqual({ f: value });
  });

  test("text outside of values is no part of them, nor of the next field", async () => {
    const body = "x<data name='a'>y<value>1</value>z</data>x<data name='b'><value>2</value></data>x";
    expect(await fieldsOf(body)).toEqual({ a: 1, b: 2 });
  });

  test("elements beside fields are passed over, and fields are no part of them", async () => {
    expect(await fieldsOf("<other><value>1</value></other><data name='b'><value>2</value></data>")).toEqual({
      b: 2,
    });
  });

  test("of a type that the caller knows; one in the XML counts before it", async () => {
    const typeOf = (name: string, field: string): string | undefined => (name === "e" && field === "a" ? "uint64" : undefined); // prettier-ignore
    const typed = '<data name="a"><type name="uint32"/><value>5</value></data>';
    expect(await fieldsOf('<data name="a"><value>5</value></data>', { typeOf })).toEqual({ a: 5n });
    expect(await fieldsOf(typed, { typeOf })).toEqual({ a: 5 });
    expect(await fieldsOf('<data name="b"><value>5</value></data>', { typeOf })).toEqual({ b: 5 });
  });

  test("without a name, and one named like a word of JavaScript", async () => {
    const { events } = await read("xml", event("<data><value>1</value></data><data name='__proto__'><value>2</value></data>")); // prettier-ignore
    expect(Object.entries(events[0].fields)).toEqual([["", 1], ["__proto__", 2]]); // prettier-ignore
  });

  test("an action of a field's name is apart from it", async () => {
    const { events } = await read("xml", event("<data name='a'><value>1</value></data><action name='a'><value>2</value></action>")); // prettier-ignore
    expect([{ ...events[0].fields }, { ...events[0].actions }]).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

describe("what of event XML is lost", () => {
  const good = event("<data name='a'><value>1</value></data>");
  const gapsOf = async (text: string, options: ReadTextOptions = {}): Promise<FileReport["gaps"]> =>
    (await read("xml", text, options)).report.gaps;

  test("an event without a name, or without a time", async () => {
    const unnamed = event("", `timestamp="${TIME}"`);
    const untimed = event("", 'name="e"');
    expect(await gapsOf(good + unnamed + untimed)).toEqual([
      {
        code: "bad-event",
        offset: good.length,
        bytes: unnamed.length,
        eventsLost: 1,
        message: "Can't read an event of the XML: it has no name.",
      },
      {
        code: "bad-event",
        offset: good.length + unnamed.length,
        bytes: untimed.length,
        eventsLost: 1,
        message: 'Can\'t read an event of the XML: its time is "".',
      },
    ]);
  });

  test.each([1, 7, 1000])(
    "all behind a place that is not well-formed, in chunks of %i bytes",
    async (size) => {
      const text = `${good}<a b=c>${good}`;
      const { events, report } = await read("xml", text, {}, size);
      expect(events).toHaveLength(1);
      const [gap] = report.gaps;
      expect(report.gaps).toHaveLength(1);
      expect(gap.code).toBe("bad-event");
      expect(gap.offset + gap.bytes).toBe(text.length);
      expect(gap.offset).toBeGreaterThanOrEqual(good.length);
      expect(gap.offset).toBeLessThan(good.length + 10);
      expect(gap.message).toMatch(/^The XML can't be read after byte \d+: [^\d].*[^.]\.$/u);
    },
  );

  test("an event that had begun there", async () => {
    const [gap] = await gapsOf(`${good}<event name="e" timestamp="${TIME}"><data b=c></data></event>`);
    expect(gap).toMatchObject({ code: "bad-event", offset: good.length });
  });

  test("what the server left out of a ring buffer, even when it left out all", async () => {
    const ring = '<RingBufferTarget truncated="1" eventCount="0"></RingBufferTarget>';
    const { events, report } = await read("xml", ring);
    expect(events).toEqual([]);
    expect(report).toMatchObject({
      events: 0,
      clean: false,
      gaps: [{ code: "truncated", offset: ring.length, bytes: 0 }],
    });
    await expect(read("xml", ring.replace('"1"', '"0"'))).rejects.toMatchObject({ code: "not-xel" });
  });

  test("is counted only, when no gap may be listed, and the text is not clean", async () => {
    const bad = event("", 'name="e"');
    const { report } = await read("xml", good + bad + bad, { limits: { gaps: 0 } });
    expect(report).toMatchObject({ gaps: [], unlistedGaps: 2, clean: false });
    expect((await read("xml", good)).report).toMatchObject({ gaps: [], clean: true });
    expect((await read("xml", good)).report.unlistedGaps).toBeUndefined();
  });

  test("a value as long as the limit is read, a longer one is not", async () => {
    const long = (length: number): string =>
      event(`<data name="a"><value>${"x".repeat(length)}</value></data>`);
    const limits = { valueBytes: 40 };
    expect((await read("xml", good + long(20), { limits })).events).toHaveLength(2);
    const { events, report } = await read("xml", good + long(21), { limits });
    expect(events).toHaveLength(1);
    expect(report.gaps).toMatchObject([{ offset: good.length, bytes: long(21).length }]);
  });

  test("nothing: the refusal of a text without events names the first reason", async () => {
    const bad = event("", 'name="e"');
    await expect(read("xml", bad)).rejects.toThrow('No event was found in this text. Can\'t read an event of the XML: its time is "". Save event_data as XML'); // prettier-ignore
    await expect(read("xml", "<a/>")).rejects.toThrow(
      "No event was found in this text. Save event_data as XML",
    );
  });
});

test.each(["xml", "csv"] as const)(
  "progress of %s counts bytes and events after each chunk",
  async (kind) => {
    const text = kind === "xml" ? event("").repeat(3) : `name,timestamp\n${`e,${TIME}\n`.repeat(3)}`;
    const seen: [number, number][] = [];
    await read(kind, text, { onProgress: (...progress) => seen.push(progress) }, 40);
    expect(seen.map(([bytes]) => bytes)).toEqual(
      [...seen.keys()].map((n) => Math.min((n + 1) * 40, text.length)),
    );
    const counts = seen.map(([, events]) => events);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThanOrEqual(2);
  },
);

describe("a row of CSV", () => {
  const csv = async (text: string, options: ReadTextOptions = {}) => await read("csv", text, options);

  test.each([",", ";", "\t", "|"])("with %j between its cells, also inside quotes", async (d) => {
    const { events } = await csv(`name${d}timestamp${d}a${d}b\ne${d}${TIME}${d}"x${d}y"${d}2\n`);
    expect({ ...events[0].fields }).toEqual({ a: `x${d}y`, b: 2 });
  });

  test("with line feeds alone, or carriage returns before them, in cells too", async () => {
    for (const end of ["\n", "\r\n"]) {
      const { events } = await csv(`name,timestamp,a${end}e,${TIME},"x${end}y"${end}f,${TIME},z`);
      expect(events.map(({ name, fields }) => [name, fields["a"]])).toEqual([["e", `x${end}y`], ["f", "z"]]); // prettier-ignore
    }
  });

  test("that is empty is passed over", async () => {
    const { events, report } = await csv(`name,timestamp\n\ne,${TIME}\n \nf,${TIME}\n\n`);
    expect(events.map(({ name }) => name)).toEqual(["e", "f"]);
    expect(report.clean).toBe(true);
  });

  test("with fewer cells than the header has the others as absent", async () => {
    const { events } = await csv(`name,timestamp,a,b\ne,${TIME},1\n`);
    expect({ ...events[0].fields }).toEqual({ a: 1 });
  });

  test("in columns of any order and case, the header's cells trimmed; a column without a name is none", async () => {
    const { events } = await csv(`a, TimeStamp ,,NAME\n7,${TIME},x,e\n`);
    expect(events.map(({ name, ticks, fields }) => [name, ticks, { ...fields }])).toEqual([
      ["e", TICKS, { a: 7 }],
    ]);
  });

  test("has its time from the UTC column where there is one, and no time as a field", async () => {
    const { events } = await csv(
      `name,timestamp,timestamp (UTC),timestamp_utc,a\ne,2020-01-01 00:00:00,${TIME},x,1\n`,
    );
    expect(events[0].ticks).toBe(TICKS);
    expect({ ...events[0].fields }).toEqual({ a: 1 });
  });

  test("knows empty and NULL cells as absent, and other words as text", async () => {
    const { events } = await csv(`name,timestamp,a,b,c\ne,${TIME},,NULL,null\n`);
    expect({ ...events[0].fields }).toEqual({ c: "null" });
  });

  test("takes its types from the caller, by event and field", async () => {
    const typeOf = (name: string, field: string): string =>
      `${name}.${field}` === "e.a" ? "uint64" : "unicode_string";
    const { events } = await csv(`name,timestamp,a,b\ne,${TIME},1,2\n`, { typeOf });
    expect({ ...events[0].fields }).toEqual({ a: 1n, b: "2" });
  });

  test("whose event_data holds no event, one, or one that is cut off", async () => {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const rows = [quoted(event("")), quoted("<a/>"), "", quoted(event("").slice(0, 40))];
    const { events, report } = await csv(
      `event_data\n${rows
        .map((row) => `${row},`)
        .join("\n")
        .replaceAll(",", "")}\n`,
    );
    expect(events).toHaveLength(1);
    expect(report.gaps.map(({ message }) => message)).toEqual([
      "Row 3 of the CSV contains no event: its event_data contains no event.",
      "Row 5 of the CSV contains no event: a part of its XML cannot be read.",
    ]);
  });

  test("of a grid whose first column names nothing known is refused", async () => {
    await expect(csv("a,b\n1,2\n")).rejects.toMatchObject({ code: "not-xel" });
  });
});

test("the header of CSV says what parts its cells, whatever they hold", async () => {
  const { events } = await read("csv", `name,timestamp,a\ne,${TIME},x;y;z;1;2;3;4\n`);
  expect(events.map(({ fields }) => fields)).toEqual([{ a: "x;y;z;1;2;3;4" }]);
});

describe("text as a .xel file", () => {
  const file = async (kind: TextKind, text: string, options: ReadTextOptions = {}) => {
    const pieces: Uint8Array[] = [];
    const making = xelOfText(() => inChunks(bytesOf(text), 100), kind, options);
    let item = await making.next();
    for (; item.done !== true; item = await making.next()) pieces.push(item.value);
    return { read: readXelBytes(Uint8Array.from(pieces.flatMap((piece) => [...piece]))), report: item.value };
  };

  test("keeps packages apart, package0 too, and times from the earliest on", async () => {
    const text = [
      event(
        "<data name='a'><value>1</value></data>",
        'name="e" package="package0" timestamp="2026-01-02T03:04:07Z"',
      ),
      event(
        "<data name='a'><value>2</value></data>",
        'name="e" package="sqlos" timestamp="2026-01-02T03:04:05Z"',
      ),
      event(
        "<data name='a'><value>x</value></data>",
        'name="f" package="sqlserver" timestamp="2026-01-02T03:04:06Z"',
      ),
    ].join("");
    const { read: found, report } = await file("xml", text);
    expect(found.report.clean).toBe(true);
    expect(report).toMatchObject({ events: 3, clean: true, fileSize: text.length });
    expect(found.events.map(({ package: owner, name, fields }) => [owner, name, fields["a"]])).toEqual([
      ["package0", "e", 1n],
      ["sqlos", "e", 2n],
      ["sqlserver", "f", "x"],
    ]);
    const [first, second, third] = found.events.map(({ ticks }) => ticks);
    expect([first - second, third - second]).toEqual([20_000_000n, 10_000_000n]);
  });

  test("of CSV belongs to the server's package, and has the report of the text", async () => {
    const { read: found, report } = await file("csv", `name,timestamp,a\ne,${TIME},1\nf,never,2\n`);
    expect(found.events.map(({ package: owner, name }) => [owner, name])).toEqual([["sqlserver", "e"]]);
    expect(report.gaps).toMatchObject([{ code: "bad-event" }]);
  });

  test("without an event is refused", async () => {
    await expect(file("xml", "<a/>")).rejects.toMatchObject({ code: "not-xel" });
  });
});
