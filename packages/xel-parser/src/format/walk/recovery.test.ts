/**
 * Place where reading continues after damage: bytes that are accepted as a buffer or a record, and bytes that are not.
 */
import { describe, expect, test } from "vitest";
import { buffersOf, viewOf } from "../../../test/bytes.ts";
import { Schema } from "../metadata.ts";
import { createXelWriter } from "../../writer/index.ts";
import { findBuffer, findRecord } from "./recovery.ts";

const columns = [{ name: "n", type: "uint32" }] as const;
const pieces: Uint8Array[] = [];
const writer = createXelWriter(
  {
    packages: [
      { name: "p", id: 1, events: [{ name: "e", columns }], actions: [{ name: "a", type: "uint16" }] },
    ],
  },
  { onBuffer: (bytes) => pieces.push(bytes.slice()) },
);
// Records of 28 bytes, and of 28 + 10 + 8 with an action.
for (let n = 0; n < 6; n++) writer.write("e", n, { n }, n === 3 ? { a: 1 } : undefined);
writer.finish();
const [, metadata, events] = pieces;
const schema = new Schema();
const described = viewOf(metadata);
schema.addBuffer(described, 76, 76 + described.getUint32(24, true));

const PREFIX = 40;
/** Bytes that are no valid begin, then a changed buffer. */
function behindNoise(buffer: Uint8Array, change: (view: DataView) => void = () => undefined): DataView {
  const bytes = new Uint8Array(PREFIX + buffer.length).fill(0xee, 0, PREFIX);
  bytes.set(buffer, PREFIX);
  change(new DataView(bytes.buffer, PREFIX));
  return viewOf(bytes);
}
const found = (view: DataView): number => findBuffer(view, 0, view.byteLength, schema);

describe("a buffer", () => {
  test.each<readonly [string, Uint8Array, (view: DataView) => void]>([
    ["of events", events, () => undefined],
    ["of metadata", metadata, () => undefined],
    [
      "whose first record reaches just to the data's end",
      events,
      (view) => view.setUint32(76 + 20, 28 * 6 + 18 - 1, true),
    ],
    [
      "whose first package record takes all of the data",
      metadata,
      (view) => view.setUint32(76 + 2, view.getUint32(24, true), true),
    ],
    ["that is full to its last byte", events, (view) => view.setUint32(24, 512 - 76, true)],
    ["whose first record has actions", events, (view) => view.setUint32(76 + 4, 0x8000_000a, true)],
  ])("%s is found", (_, buffer, change) => {
    expect(found(behindNoise(buffer, change))).toBe(PREFIX);
  });

  test.each<readonly [string, Uint8Array, (view: DataView) => void]>([
    ["without data", events, (view) => view.setUint32(24, 0, true)],
    ["with more data than its length", events, (view) => view.setUint32(24, 512 - 75, true)],
    ["of a type that holds neither", events, (view) => view.setUint16(14, 2, true)],
    ["of another version", events, (view) => view.setUint16(12, 11, true)],
    ["whose first record has another version", events, (view) => view.setUint32(76 + 4, 11, true)],
    ["whose first record has flags that no record has", events, (view) => view.setUint32(76 + 4, 0x4a, true)],
    [
      "whose first record is longer than its data",
      events,
      (view) => view.setUint32(76 + 20, 28 * 6 + 18, true),
    ],
    ["whose first record is of no known event", events, (view) => view.setUint32(76, 0x401, true)],
    ["whose first package record has another version", metadata, (view) => view.setUint16(76, 9, true)],
    [
      "whose first package record is longer than its data",
      metadata,
      (view) => view.setUint32(76 + 2, view.getUint32(24, true) + 1, true),
    ],
    [
      "whose first package record is too short to be one",
      metadata,
      (view) => view.setUint32(76 + 2, 32, true),
    ],
  ])("%s is none", (_, buffer, change) => {
    expect(found(behindNoise(buffer, change))).toBe(-1);
  });

  test("is none where its header or its first record's is cut off", () => {
    for (const length of [31, 32, 76, 76 + 23]) {
      expect(found(viewOf(events.slice(0, length)))).toBe(-1);
    }
    expect(found(viewOf(events.slice(0, 76 + 24)))).toBe(0);
  });

  test("is looked for from one place on and before another", () => {
    const view = behindNoise(events);
    expect(findBuffer(view, PREFIX, PREFIX + 1, schema)).toBe(PREFIX);
    expect(findBuffer(view, PREFIX + 1, view.byteLength, schema)).toBe(-1);
    expect(findBuffer(view, 0, PREFIX, schema)).toBe(-1);
  });
});

describe("a record behind a damaged one", () => {
  const [{ bytes }] = buffersOf(new Uint8Array([...new Uint8Array(512), ...events]));
  const START = 76;
  const at = (n: number): number => START + 28 * n + (n > 3 ? 18 : 0);
  const END = at(6);
  const behind = (
    n: number,
    change: (view: DataView) => void,
    limit = END,
  ): ReturnType<typeof findRecord> => {
    const copy = bytes.slice();
    change(viewOf(copy));
    return findRecord(viewOf(copy), at(n), limit, schema);
  };

  test("is the next one where the damaged one's lengths lead there; one event is lost then", () => {
    const unknown = (n: number) => (view: DataView) => view.setUint32(at(n), 0x401, true);
    expect(behind(1, unknown(1))).toEqual({ at: at(2), skipped: 1 });
    expect(behind(3, unknown(3))).toEqual({ at: at(4), skipped: 1 });
    expect(behind(5, unknown(5))).toEqual({ at: END, skipped: 1 });
  });

  test("is the first from which two follow each other, where they do not; how many are lost is not known", () => {
    const long = (n: number, length: number) => (view: DataView) => view.setUint32(at(n) + 20, length, true);
    expect(behind(1, long(1, 5))).toEqual({ at: at(2), skipped: undefined });
    expect(behind(1, long(1, 100_000))).toEqual({ at: at(2), skipped: undefined });
    // The list of actions has an unknown one.
    const action = (view: DataView): void => view.setUint32(at(3) + 28, 0x1000_0c01, true);
    expect(behind(3, action)).toEqual({ at: at(4), skipped: undefined });
    // The last record is followed by the end of the data, which is as good as a record.
    expect(behind(4, long(4, 5))).toEqual({ at: at(5), skipped: undefined });
    expect(behind(5, long(5, 5))).toBeUndefined();
  });

  test("is none where only one looks like one, or the limit comes before the second's head", () => {
    const ruined = (view: DataView): void => {
      view.setUint32(at(1) + 20, 5, true);
      for (let n = 3; n < 6; n++) view.setUint32(at(n) + 4, 0, true);
    };
    expect(behind(1, ruined)).toBeUndefined();
    const short = (view: DataView): void => view.setUint32(at(1) + 20, 5, true);
    expect(behind(1, short, at(3) + 23)).toBeUndefined();
    expect(behind(1, short, at(3) + 24)).toEqual({ at: at(2), skipped: undefined });
    expect(behind(1, short, at(4))).toEqual({ at: at(2), skipped: undefined });
  });
});
