/**
 * A reader of Perfetto traces that shares nothing with the writer: a walk over protobuf's wire format by its encoding
 * document (protobuf.dev/programming-guides/encoding), and numbers of fields as the published schema has them.
 */

/** Values of each field by its number: varints as bigint, fixed and delimited fields as bytes. */
type Wire = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

export function readWire(bytes: Uint8Array): Wire {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("A varint ends after the message.");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("A field ends after the message.");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, values);
    if ((tag & 7) === 0) values.push(varint());
    else if ((tag & 7) === 1) values.push(take(8));
    else if ((tag & 7) === 2) values.push(take(Number(varint())));
    else throw new RangeError(`Wire type ${tag & 7} is not used.`);
  }
  return fields;
}

const bytesIn = (wire: Wire, field: number): Uint8Array[] => (wire.get(field) ?? []) as Uint8Array[];
const messages = (wire: Wire, field: number): Wire[] => bytesIn(wire, field).map(readWire);
const one = (wire: Wire, field: number): Wire | undefined => messages(wire, field)[0];
const text = (wire: Wire | undefined, field: number): string | undefined => {
  const [bytes] = wire === undefined ? [] : bytesIn(wire, field);
  return bytes === undefined ? undefined : new TextDecoder("utf8", { fatal: true }).decode(bytes);
};
const number = (wire: Wire | undefined, field: number): number | undefined => {
  const value = wire?.get(field)?.[0];
  return value === undefined ? undefined : Number(BigInt.asIntN(64, value as bigint));
};
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const double = (wire: Wire, field: number): number | undefined => {
  const [bytes] = bytesIn(wire, field);
  return bytes && viewOf(bytes).getFloat64(0, true);
};

export interface ReadTrack {
  readonly uuid: number;
  readonly name: string | undefined;
  readonly process: string | undefined;
  readonly parent: number | undefined;
  readonly rank: number | undefined;
  readonly unit: string | undefined;
  readonly isCounter: boolean;
  readonly about: string | undefined;
}
export interface ReadSlice {
  readonly track: number;
  readonly name: string;
  readonly flows: readonly bigint[];
  readonly args: Readonly<Record<string, string | number>>;
  readonly start: number;
  end: number;
}
export interface ReadTrace {
  /** Value of each clock at the same instant: of the trace (6) and UTC (1), ns. */
  readonly clocks: ReadonlyMap<number, bigint>;
  readonly tracks: readonly ReadTrack[];
  readonly slices: readonly ReadSlice[];
  readonly counters: readonly { readonly track: number; readonly at: number; readonly value: number }[];
}

/** The trace as Perfetto imports it. @throws where a slice ends that is not open, or a name was not introduced */
export function readPerfetto(bytes: Uint8Array): ReadTrace {
  const clocks = new Map<number, bigint>();
  const tracks: ReadTrack[] = [];
  const slices: ReadSlice[] = [];
  const counters: { track: number; at: number; value: number }[] = [];
  const open = new Map<number, ReadSlice[]>();
  const names = [2, 3, 29].map((field) => ({ field, of: new Map<number, string>() }));
  const [eventNames, argNames, texts] = names.map(({ of }) => of) as [Names, Names, Names];
  const named = (all: Names, iid: number | undefined): string => {
    const found = all.get(iid ?? 0);
    if (found === undefined) throw new RangeError(`No packet introduced the name ${iid}.`);
    return found;
  };
  for (const packet of messages(readWire(bytes), 1)) {
    for (const clock of messages(one(packet, 6) ?? new Map(), 1))
      clocks.set(number(clock, 1) ?? 0, (clock.get(2)?.[0] ?? 0n) as bigint);
    const interned = one(packet, 12);
    for (const { field, of } of names)
      for (const entry of interned === undefined ? [] : messages(interned, field))
        of.set(number(entry, 1) ?? 0, text(entry, 2) ?? "");
    const track = one(packet, 60);
    if (track !== undefined) tracks.push(readTrack(track));
    const event = one(packet, 11);
    if (event === undefined) continue;
    const [at, uuid, type] = [number(packet, 8) ?? 0, number(event, 11) ?? 0, number(event, 9)];
    const own = open.get(uuid) ?? [];
    open.set(uuid, own);
    if (type === 1) {
      const args = messages(event, 4).map((arg) => {
        const iid = number(arg, 17);
        const value = iid === undefined ? (number(arg, 4) ?? double(arg, 5)) : named(texts, iid);
        return [named(argNames, number(arg, 1)), value] as const;
      });
      const flows = bytesIn(event, 47).map((flow) => viewOf(flow).getBigUint64(0, true));
      const slice = {
        track: uuid,
        name: named(eventNames, number(event, 10)),
        flows,
        args: Object.fromEntries(args) as ReadSlice["args"],
        start: at,
        end: Number.NaN,
      };
      own.push(slice);
      slices.push(slice);
    } else if (type === 2) {
      const ended = own.pop();
      if (ended === undefined) throw new RangeError(`No slice is open on track ${uuid} at ${at}.`);
      ended.end = at;
    } else if (type === 4) counters.push({ track: uuid, at, value: double(event, 44) ?? Number.NaN });
  }
  return { clocks, tracks, slices, counters };
}

type Names = Map<number, string>;

function readTrack(track: Wire): ReadTrack {
  const counter = one(track, 8);
  return {
    uuid: number(track, 1) ?? 0,
    name: text(track, 2),
    process: text(one(track, 3), 6),
    parent: number(track, 5),
    rank: number(track, 12),
    unit: number(counter, 3) === 3 ? "bytes" : text(counter, 6),
    isCounter: counter !== undefined,
    about: text(track, 14),
  };
}
