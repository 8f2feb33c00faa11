/**
 * Files with random schemas and values, and the events that were written to them in the JSON form. Expected values are
 * computed from the values before they are written (docs/reference/xel-format.md 5), never by the reader.
 */
import {
  createXelWriter,
  type WritableType,
  type WriterColumn,
  type WriterMap,
  type WriterValue,
} from "../src/writer/index.ts";
import { joined, randomOf, type Random } from "./bytes.ts";

export type Json = number | string | boolean;

/** An event in the form of a line of `xel dump`. */
export interface ExpectedEvent {
  readonly name: string;
  readonly timestamp: string;
  readonly package: string;
  readonly uuid: string;
  readonly fields: Readonly<Record<string, Json>>;
  readonly actions: Readonly<Record<string, Json>>;
}

interface Sample {
  readonly written: WriterValue;
  readonly read: Json;
}

const START = 131_069_746_150_000_000n;
const UNIX_EPOCH = 116_444_736_000_000_000n;
const FILE_GUID = "5a0c8d11-7c54-4d0b-9a6f-2b6a1f0e3f1f";
const HEADER_BYTES = 512;

const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, "0");
const bits64 = (random: Random): bigint => (BigInt(random.next()) << 32n) | BigInt(random.next());
const same = (value: Json): Sample => ({ written: value, read: value });
const pointer = (value: bigint): string => `0x${hex(value, 16).toUpperCase()}`;
const guidOf = (random: Random): string => {
  const digits = hex(bits64(random), 16) + hex(bits64(random), 16);
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => digits.slice(from, to)).join("-"); // prettier-ignore
};

/** 64-bit integers beyond 2^53 are text in JSON. */
const jsonOf = (value: bigint): Json =>
  value >= -(2n ** 53n) + 1n && value <= 2n ** 53n - 1n ? Number(value) : String(value);
const wide = (value: bigint): Sample => ({ written: value, read: jsonOf(value) });

/** ISO 8601 with seven decimals of a FILETIME: the calendar's part from a `Date`, the rest computed here. */
export function isoOf(filetime: bigint): string {
  const seconds = (filetime - (filetime % 10_000_000n) - UNIX_EPOCH) / 10_000_000n;
  const fraction = String(filetime % 10_000_000n).padStart(7, "0");
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}

/** Small, large and edge values with equal frequency: a whole number of this many bits. */
function integer(random: Random, bits: number, signed: boolean): bigint {
  const all = 1n << BigInt(bits);
  const edges = [0n, 1n, all - 1n, all >> 1n, (all >> 1n) - 1n];
  const drawn =
    random.below(3) === 0 ? edges[random.below(edges.length)] : bits64(random) >> BigInt(random.below(64));
  return signed ? BigInt.asIntN(bits, drawn) : BigInt.asUintN(bits, drawn);
}

function float(random: Random, round: (value: number) => number): Sample {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 5e-324, 1.7e308];
  const drawn =
    random.below(3) === 0 ? odd[random.below(odd.length)] : (random.next() - 2 ** 31) / 2 ** random.below(40);
  const value = round(drawn);
  return { written: value, read: Number.isFinite(value) ? value : String(value) };
}

const CHARACTERS = ["a", "Z", " ", "\0", "\n", '"', "\\", "<", "&", "\u00e4", "\u20ac", "\uffff", "\ufeff", "\u{1f4be}", "\ud800"]; // prettier-ignore

function text(random: Random): Sample {
  const length = random.below(4) === 0 ? 0 : random.below(60);
  const written = Array.from({ length }, () => CHARACTERS[random.below(CHARACTERS.length)]).join("");
  // A lone surrogate is no character: U+FFFD replaces it.
  return { written, read: written.toWellFormed() };
}

const bytes = (random: Random, most: number): Uint8Array =>
  Uint8Array.from({ length: random.below(most) }, () => random.below(256));

const activityId = (random: Random): Sample => same(`${guidOf(random)}:${random.next()}`);

/** A value of each type, as it is written and as it has to be read. */
const SAMPLES: Readonly<Record<WritableType, (random: Random) => Sample>> = {
  int8(random) {
    const value = Number(integer(random, 8, true));
    // Without a sign, as in Microsoft's reader.
    return { written: value, read: value & 0xff };
  },
  int16: (random) => same(Number(integer(random, 16, true))),
  int32: (random) => same(Number(integer(random, 32, true))),
  int64: (random) => wide(integer(random, 64, true)),
  uint8: (random) => same(Number(integer(random, 8, false))),
  uint16: (random) => same(Number(integer(random, 16, false))),
  uint32: (random) => same(Number(integer(random, 32, false))),
  uint64: (random) => wide(integer(random, 64, false)),
  cpu_cycle: (random) => wide(integer(random, 64, false)),
  float32: (random) => float(random, Math.fround),
  float64: (random) => float(random, (value) => value),
  filetime(random) {
    const value = bits64(random) % 2_650_467_744_000_000_000n;
    return { written: value, read: isoOf(value) };
  },
  ptr(random) {
    const value = bits64(random);
    return { written: value, read: pointer(value) };
  },
  ansi_string(random) {
    const written = bytes(random, 40);
    const read = Array.from(written, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : "?")).join("");
    return { written, read };
  },
  unicode_string: text,
  xml: text,
  guid: (random) => same(guidOf(random)),
  binary_data(random) {
    const written = bytes(random, 60);
    return { written, read: `0x${Array.from(written, (byte) => hex(BigInt(byte), 2)).join("")}` };
  },
  callstack(random) {
    const frames = Array.from({ length: random.below(4) }, () => bits64(random));
    const rest = bytes(random, 8);
    const written = new Uint8Array(frames.length * 8 + rest.length);
    frames.forEach((frame, index) => new DataView(written.buffer).setBigUint64(index * 8, frame, true));
    written.set(rest, frames.length * 8);
    return { written, read: frames.map((frame) => `${pointer(frame)}\r\n`).join("") };
  },
  activity_id: activityId,
  activity_id_xfer: activityId,
  boolean: (random) => same(random.below(2) === 1),
};
const TYPES = Object.keys(SAMPLES) as WritableType[];

const NO_GUID = "00000000-0000-0000-0000-000000000000";
/** Value that the reader returns where no value was written: there is no null (docs/reference/xel-format.md 4.1). */
const ABSENT: Readonly<Record<WritableType, Json>> = {
  int8: 0, int16: 0, int32: 0, int64: 0, uint8: 0, uint16: 0, uint32: 0, uint64: 0, cpu_cycle: 0, float32: 0, float64: 0,
  filetime: "1601-01-01T00:00:00.0000000Z", ptr: "0x0000000000000000", ansi_string: "", unicode_string: "", xml: "",
  guid: NO_GUID, binary_data: "0x", callstack: "", activity_id: `${NO_GUID}:0`, activity_id_xfer: `${NO_GUID}:0`,
  boolean: false,
}; // prettier-ignore

const MAP_BYTES = [1, 2, 4, 8] as const;

function mapOf(random: Random, name: string): WriterMap {
  const bitMask = random.below(2) === 1;
  // Bit 31 makes the reference reader loop forever, so no file has it.
  const codes = bitMask ? [1, 2, 8, 64] : [0, 1, 2, 100, 255, 300, 65_530];
  const entries = codes.map((code) => [code, random.below(5) === 0 ? "" : `${name} ${code}`] as const);
  return { name, bytes: MAP_BYTES[random.below(4)], bitMask, entries };
}

function mapValue(random: Random, { bytes: size, bitMask = false, entries }: WriterMap): Sample {
  const codes = bitMask ? [0, 1, 3, 9, 66, 127] : [0, 1, 2, 7, 100, 200];
  const code = codes[random.below(codes.length)];
  const stored = size === 1 ? code & 0xff : code;
  return { written: code, read: mapText(stored, bitMask, new Map(entries)) };
}

function mapText(code: number, bitMask: boolean, texts: ReadonlyMap<number, string>): string {
  if (!bitMask) return texts.get(code) ?? String(code);
  const set = Array.from({ length: 8 }, (_, bit) => 1 << bit).filter((bit) => (code & bit) !== 0);
  return set.map((bit) => texts.get(bit) ?? String(code)).join(",");
}

/** A part of a file with its own schema: metadata, then events. */
function section(
  random: Random,
  prefix: string,
  count: number,
  guidsInPlace: boolean,
): { bytes: Uint8Array; events: ExpectedEvent[] } {
  const packages = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const maps = Array.from({ length: random.below(3) }, (_map, n) => mapOf(random, `map${n}`));
    const columnsOf = (): WriterColumn[] =>
      Array.from({ length: random.below(14) }, (_column, n) => {
        const map = random.below(4) === 0 ? maps[random.below(maps.length)] : undefined;
        return {
          name: `c${n}`,
          type: map === undefined ? TYPES[random.below(TYPES.length)] : { map: map.name },
        };
      });
    const events = Array.from({ length: 1 + random.below(4) }, (_event, n) => ({
      name: `${prefix}_p${index}_e${n}`,
      uuid: guidOf(random),
      columns: columnsOf(),
    }));
    const actions = Array.from({ length: random.below(4) }, (_action, n) => ({
      name: `${prefix}_p${index}_a${n}`,
      type: TYPES[random.below(TYPES.length)],
    }));
    // The same ids in each section: a later section replaces the earlier one.
    return { name: `package${index}`, id: [2, 7, 1023][index], maps, events, actions };
  });
  const allActions = packages.flatMap(({ actions }) => actions);
  const writer = createXelWriter(
    { packages, guidsInPlace },
    { startTicks: START, fileGuid: FILE_GUID, bufferBytes: [1, 200, 3000, 100_000][random.below(4)] },
  );
  const events = Array.from({ length: count }, () => {
    const owner = packages[random.below(packages.length)];
    const { name, uuid, columns } = owner.events[random.below(owner.events.length)];
    const sampleOf = (type: WriterColumn["type"]): Sample =>
      typeof type === "string" ? SAMPLES[type](random) : mapValue(random, owner.maps.find((map) => map.name === type.map)!); // prettier-ignore
    const absentOf = (type: WriterColumn["type"]): Json => {
      if (typeof type === "string") return ABSENT[type];
      const { bitMask = false, entries } = owner.maps.find((map) => map.name === type.map)!;
      return mapText(0, bitMask, new Map(entries));
    };
    const given = columns
      .filter(() => random.below(8) > 0)
      .map((column) => ({ ...column, ...sampleOf(column.type) }));
    const actions = allActions.filter(() => random.below(2) === 0).map((action) => ({ ...action, ...sampleOf(action.type) })); // prettier-ignore
    const ticks = bits64(random) >> 20n;
    const named = (values: readonly { name: string; written: WriterValue }[]): Record<string, WriterValue> =>
      Object.fromEntries(values.map((value) => [value.name, value.written]));
    writer.write(
      name,
      ticks,
      named(given),
      random.below(5) === 0 && actions.length === 0 ? undefined : named(actions),
    );
    const fields = columns.map(({ name: column, type }) => {
      const sample = given.find((value) => value.name === column);
      return [column, sample === undefined ? absentOf(type) : sample.read];
    });
    return {
      name,
      timestamp: isoOf(START + ticks),
      package: owner.name,
      uuid,
      fields: Object.fromEntries(fields),
      actions: Object.fromEntries(actions.map((action) => [action.name, action.read])),
    };
  });
  return { bytes: writer.finish(), events };
}

/** One of so many seeds gives a file that has GUIDs in place, which no SQL Server writes and readers accept. */
const IN_PLACE = 5;

/**
 * A file and its written events; the same for the same seed. Later sections have metadata in the middle of the file.
 */
export function vectorOf(seed: number): { bytes: Uint8Array; events: ExpectedEvent[] } {
  const random = randomOf(seed);
  const sections = Array.from({ length: 1 + random.below(4) }, (_, index) =>
    section(random, `s${index}`, 1 + random.below(60), seed % IN_PLACE === 0),
  );
  return {
    bytes: joined(...sections.map(({ bytes: part }, index) => part.subarray(index === 0 ? 0 : HEADER_BYTES))),
    events: sections.flatMap(({ events }) => events),
  };
}
