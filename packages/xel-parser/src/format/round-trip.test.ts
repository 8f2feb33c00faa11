import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readXelBytes } from "./index.ts";
import { createXelWriter, type WritableType, type WriterSchema, type WriterValue } from "../writer/index.ts";

/** A written value, and the value that the reader has to return (docs/reference/xel-format.md 5). */
interface Sample {
  readonly written: WriterValue;
  readonly read: unknown;
}

const same = <T extends WriterValue>(values: fc.Arbitrary<T>): fc.Arbitrary<Sample> =>
  values.map((value) => ({ written: value, read: value }));

const hex16 = (value: bigint): string => `0x${value.toString(16).toUpperCase().padStart(16, "0")}`;
const uint64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
const guid = fc.uuid();
const activityId = fc.tuple(guid, fc.nat()).map(([id, sequence]) => `${id}:${sequence}`);
/** ASCII without a change: bytes from 0x80 on become `?`. */
const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 40 });
/** Complete surrogate pairs only: a lone one becomes U+FFFD. */
const unicode = fc.string({ unit: "binary", maxLength: 40 });
const integer = (min: number, max: number): fc.Arbitrary<Sample> => same(fc.integer({ min, max }));

const samples: Readonly<Record<WritableType, fc.Arbitrary<Sample>>> = {
  // int8 is read without a sign, as the reference reader does.
  int8: fc.integer({ min: -128, max: 127 }).map((value) => ({ written: value, read: value & 0xff })),
  int16: integer(-32_768, 32_767),
  int32: integer(-2_147_483_648, 2_147_483_647),
  int64: same(fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n })),
  uint8: integer(0, 255),
  uint16: integer(0, 65_535),
  uint32: integer(0, 4_294_967_295),
  uint64: same(uint64),
  float32: same(fc.float()),
  float64: same(fc.double()),
  cpu_cycle: same(uint64),
  filetime: fc.nat({ max: 3000 }).map((days) => ({
    written: BigInt(days) * 864_000_000_000n,
    read: `${new Date(Date.UTC(1601, 0, 1 + days)).toISOString().slice(0, 19)}.0000000Z`,
  })),
  ptr: uint64.map((value) => ({ written: value, read: hex16(value) })),
  ansi_string: same(ascii),
  unicode_string: same(unicode),
  guid: same(guid),
  binary_data: same(fc.uint8Array({ maxLength: 40 })),
  callstack: fc
    .array(uint64, { maxLength: 5 })
    .map((frames) => frames.map((frame) => `${hex16(frame)}\r\n`).join(""))
    .map((value) => ({ written: value, read: value })),
  activity_id: same(activityId),
  activity_id_xfer: same(activityId),
  boolean: same(fc.boolean()),
  xml: same(unicode),
};

const TYPES = Object.keys(samples) as WritableType[];

const value = fc.oneof(...TYPES.map((type) => samples[type].map((sample) => ({ type, ...sample }))));
const event = fc.record({
  ticks: fc.bigInt({ min: 0n, max: 1n << 50n }),
  fields: fc.array(value, { maxLength: 12 }),
  actions: fc.array(value, { maxLength: 4 }),
});

const START = 131_069_746_150_000_000n;

type Value = { readonly type: WritableType } & Sample;

const named = (prefix: string, values: readonly Value[], side: "written" | "read"): Record<string, never> =>
  Object.fromEntries(values.map((each, i) => [`${prefix}${i}_${each.type}`, each[side]])) as Record<
    string,
    never
  >;

function schemaOf(events: readonly { fields: readonly Value[]; actions: readonly Value[] }[]): WriterSchema {
  const columns = (prefix: string, values: readonly Value[]) =>
    values.map(({ type }, i) => ({ name: `${prefix}${i}_${type}`, type }));
  const actions = new Map(
    events.flatMap(({ actions }) => columns("a", actions)).map((each) => [each.name, each]),
  );
  return {
    packages: [
      { name: "first", id: 3, actions: [...actions.values()] },
      {
        name: "second",
        id: 1023,
        events: events.map(({ fields }, i) => ({ name: `e${i}`, columns: columns("c", fields) })),
      },
    ],
  };
}

describe("what the writer writes, the reader reads", () => {
  it("for events of every type, as columns and as actions, in buffers of any size", () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 2000 }),
        (events, bufferBytes) => {
          const writer = createXelWriter(schemaOf(events), { startTicks: START, bufferBytes });
          events.forEach(({ ticks, fields, actions }, i) =>
            writer.write(
              `e${i}`,
              ticks,
              named("c", fields, "written"),
              actions.length > 0 ? named("a", actions, "written") : undefined,
            ),
          );
          const { events: read, report } = readXelBytes(writer.finish());
          expect(report.clean).toBe(true);
          expect(read.map(({ name }) => name)).toEqual(events.map((_, i) => `e${i}`));
          events.forEach(({ ticks, fields, actions }, i) => {
            expect(read[i].package).toBe("second");
            expect(read[i].ticks).toBe(START + ticks);
            expect(read[i].fields).toEqual(named("c", fields, "read"));
            expect(read[i].actions).toEqual(named("a", actions, "read"));
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([1, 2, 4, 8] as const)("for maps of %i bytes, plain and bit masks", (bytes) => {
    const entries = [[0, "None"], [1, "Read"], [2, "Write"], [4, "Execute"]] as const; // prettier-ignore
    const maps = [
      { name: "plain", bytes, entries },
      { name: "mask", bytes, entries, bitMask: true },
    ];
    const columns = maps.map(({ name }) => ({ name, type: { map: name } }));
    const writer = createXelWriter({
      packages: [{ name: "p", id: 1, maps, events: [{ name: "e", columns }] }],
    });
    writer.write("e", 1, { plain: "Write", mask: 5 });
    writer.write("e", 2, { plain: 3, mask: "None" });
    expect(readXelBytes(writer.finish()).events.map(({ fields }) => fields)).toEqual([
      { plain: "Write", mask: "Read,Execute" },
      // A code without text is its number; a mask of no bits is empty.
      { plain: "3", mask: "" },
    ]);
  });

  it("for an event larger than a buffer", () => {
    const columns = [{ name: "text", type: "unicode_string" }] as const;
    const writer = createXelWriter(
      { packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] },
      { bufferBytes: 1000 },
    );
    const texts = ["a", "b".repeat(100_000), "c"];
    texts.forEach((text, i) => writer.write("e", i, { text }));
    const { events } = readXelBytes(writer.finish());
    expect(events.map(({ fields }) => fields["text"])).toEqual(texts);
  });
});
