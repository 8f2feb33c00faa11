import { expect, test } from "vitest";
import { viewOf } from "../../../test/bytes.ts";
import { readXelBytes } from "../index.ts";
import { createXelWriter } from "../../writer/index.ts";
import { GapList } from "./gaps.ts";

/** Twelve records of 25 bytes in one buffer; the offset of each. */
function fileOfTwelve(): { bytes: Uint8Array; at: number[] } {
  const columns = [{ name: "n", type: "uint8" }] as const;
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
  for (let n = 0; n < 12; n++) writer.write("e", n, { n });
  const bytes = writer.finish();
  return { bytes, at: readXelBytes(bytes).events.map(({ offset }) => offset) };
}

/** The ids of some records name an event that the metadata does not have. */
function withUnknown(records: readonly number[]): {
  report: ReturnType<typeof readXelBytes>["report"];
  at: number[];
} {
  const { bytes, at } = fileOfTwelve();
  for (const record of records) viewOf(bytes).setUint32(at[record], 0x0000_0c01, true);
  return { report: readXelBytes(bytes).report, at };
}

test("a damaged record whose length leads to a sound one is known to be one event", () => {
  const { report, at } = withUnknown([3]);
  expect(report.gaps).toEqual([
    {
      code: "unknown-event",
      offset: at[3],
      bytes: 25,
      eventsLost: 1,
      message: "25 damaged bytes were skipped: event type 0x00000c01 is not in the file's metadata.",
    },
  ]);
});

test("of damaged records side by side the number is not known: only the first one's length was believed", () => {
  const { report, at } = withUnknown([3, 4, 5]);
  expect(report.gaps).toMatchObject([{ code: "unknown-event", offset: at[3], bytes: 75 }]);
  expect(report.gaps[0].eventsLost).toBeUndefined();
});

test("of a record without its version nothing is believed, not even its length", () => {
  const { bytes, at } = fileOfTwelve();
  viewOf(bytes).setUint32(at[3] + 4, 0, true);
  const { gaps } = readXelBytes(bytes).report;
  expect(gaps).toMatchObject([{ code: "bad-event", offset: at[3], bytes: 25 }]);
  expect(gaps[0].eventsLost).toBeUndefined();
});

test("the last record of a buffer may end with its data", () => {
  const { report, at } = withUnknown([11]);
  expect(report.gaps).toMatchObject([{ offset: at[11], bytes: 25, eventsLost: 1 }]);
});

test("with a sound record between them they are two gaps", () => {
  const { report, at } = withUnknown([3, 5]);
  expect(report.gaps).toMatchObject([
    { offset: at[3], bytes: 25, eventsLost: 1 },
    { offset: at[5], bytes: 25, eventsLost: 1 },
  ]);
});

test.each<readonly [string, number | undefined, number | undefined, number | undefined]>([
  ["both known", 2, 3, 5],
  ["none of the first", 0, 3, 3],
  ["none of the second", 3, 0, 3],
  ["the first not known", undefined, 3, undefined],
  ["the second not known", 2, undefined, undefined],
])("events lost in gaps side by side, %s", (_, first, second, together) => {
  const gaps = new GapList(10);
  gaps.lose("bad-event", 100, 20, "why", first);
  gaps.lose("bad-event", 120, 5, "why", second);
  const message = "25 damaged bytes were skipped: why.";
  const lost = together === undefined ? {} : { eventsLost: together };
  expect(gaps.listed).toEqual([{ code: "bad-event", offset: 100, bytes: 25, message, ...lost }]);
});

test.each<readonly [string, Parameters<GapList["lose"]>]>([
  ["apart", ["bad-event", 121, 5, "why"]],
  ["of another code", ["bad-metadata", 120, 5, "why"]],
  ["for another reason", ["bad-event", 120, 5, "wherefore"]],
])("gaps %s stay two", (_, second) => {
  const gaps = new GapList(10);
  gaps.lose("bad-event", 100, 20, "why");
  gaps.lose(...second);
  expect(gaps.listed).toHaveLength(2);
});

test("beyond the limit gaps are counted, and none joins one that is not listed", () => {
  const gaps = new GapList(1);
  gaps.lose("bad-event", 100, 20, "why");
  gaps.lose("bad-event", 300, 20, "why");
  gaps.lose("bad-event", 120, 5, "why");
  expect(gaps.listed).toHaveLength(1);
  expect(gaps.unlisted).toBe(2);
  gaps.clear();
  expect([gaps.listed, gaps.unlisted]).toEqual([[], 0]);
});
