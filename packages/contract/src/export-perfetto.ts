/**
 * A capture as a Perfetto trace (docs/reference/perfetto.md): TrackEvent packets in protobuf's wire format. Numbers of
 * fields are those of the published schema, protos/perfetto/trace of github.com/google/perfetto.
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { sortRows } from "@aglens/ag-model/numbers";
import type { CaptureTrace, TraceArg, TraceCounter, TraceLane } from "@aglens/ag-model/trace";

type Scalar = "uint64" | "int64" | "fixed64" | "uint32" | "int32" | "bool" | "double" | "string";
type Field = readonly [number: number, kind: Scalar | Fields];
interface Fields {
  readonly [name: string]: Field;
}
type Value = string | number | bigint | boolean | Message | readonly Message[];
interface Message {
  readonly [name: string]: Value | undefined;
}

const NAMED: Fields = { iid: [1, "uint64"], name: [2, "string"] };

const PROCESS: Fields = { pid: [1, "int32"], process_name: [6, "string"] };

const COUNTER: Fields = { unit: [3, "int32"], unit_name: [6, "string"] };

const TRACK_DESCRIPTOR: Fields = {
  uuid: [1, "uint64"],
  name: [2, "string"],
  process: [3, PROCESS],
  parent_uuid: [5, "uint64"],
  counter: [8, COUNTER],
  child_ordering: [11, "int32"],
  sibling_order_rank: [12, "int32"],
  description: [14, "string"],
};

const DEBUG_ANNOTATION: Fields = {
  name_iid: [1, "uint64"],
  int_value: [4, "int64"],
  double_value: [5, "double"],
  string_value: [6, "string"],
  string_value_iid: [17, "uint64"],
};

const TRACK_EVENT: Fields = {
  debug_annotations: [4, DEBUG_ANNOTATION],
  type: [9, "int32"],
  name_iid: [10, "uint64"],
  track_uuid: [11, "uint64"],
  double_counter_value: [44, "double"],
  flow_ids: [47, "fixed64"],
};

const INTERNED_DATA: Fields = {
  event_names: [2, NAMED],
  debug_annotation_names: [3, NAMED],
  // Its text is of the type bytes, which are UTF-8.
  debug_annotation_string_values: [29, NAMED],
};

const CLOCK: Fields = { clock_id: [1, "uint32"], timestamp: [2, "uint64"] };

const TRACE_PACKET: Fields = {
  clock_snapshot: [6, { clocks: [1, CLOCK], primary_trace_clock: [2, "int32"] }],
  timestamp: [8, "uint64"],
  trusted_packet_sequence_id: [10, "uint32"],
  track_event: [11, TRACK_EVENT],
  interned_data: [12, INTERNED_DATA],
  sequence_flags: [13, "uint32"],
  track_descriptor: [60, TRACK_DESCRIPTOR],
  first_packet_on_sequence: [87, "bool"],
};

/** `Trace.packet`. */
const PACKET = 1;

const SLICE_BEGIN = 1;
const SLICE_END = 2;
const COUNTER_EVENT = 4;
const UNIT_BYTES = 3;
const EXPLICIT_ORDER = 3;
const CLOCK_REALTIME = 1;
/** The clock of timestamps in every version of Perfetto: here it is ns of the trace. */
const CLOCK_BOOTTIME = 6;
const STATE_CLEARED = 1;
const NEEDS_STATE = 2;
/** All packets are of one writer. */
const SEQUENCE = 1;

const WIRE_TYPES: Readonly<Record<Scalar, WireType>> = {
  uint64: WireType.Varint,
  int64: WireType.Varint,
  uint32: WireType.Varint,
  int32: WireType.Varint,
  bool: WireType.Varint,
  fixed64: WireType.Bit64,
  double: WireType.Bit64,
  string: WireType.LengthDelimited,
};

function writeMessage(writer: BinaryWriter, fields: Fields, message: Message): void {
  for (const name in message) {
    const value = message[name];
    const field = fields[name];
    if (field === undefined) throw new RangeError(`The schema has no field ${name}.`);
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? (value as readonly Message[]) : [value as Message])
      writeField(writer, field, each);
  }
}

function writeField(
  writer: BinaryWriter,
  [number, kind]: Field,
  value: Exclude<Value, readonly Message[]>,
): void {
  if (typeof kind !== "string") {
    writer.tag(number, WireType.LengthDelimited).fork();
    writeMessage(writer, kind, value as Message);
    writer.join();
    return;
  }
  writer.tag(number, WIRE_TYPES[kind]);
  // The table of fields has the type of each value.
  (writer[kind] as (scalar: unknown) => unknown)(value);
}

/** Packets of a piece of a file: some 1 MB. */
const PIECE_PACKETS = 10_000;

/** The complete file. */
export function encodePerfetto(trace: CaptureTrace): Uint8Array {
  const pieces = [...perfettoPieces(trace)];
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The file in pieces, so that a long one is never completely in memory. */
export function* perfettoPieces(trace: CaptureTrace): Generator<Uint8Array> {
  const writer = new BinaryWriter();
  let packets = 0;
  for (const packet of packetsOf(trace)) {
    writeField(writer, [PACKET, TRACE_PACKET], packet);
    if (++packets % PIECE_PACKETS === 0) yield writer.finish();
  }
  yield writer.finish();
}

function* packetsOf(trace: CaptureTrace): Generator<Message> {
  const zeroUs = zeroOf(trace);
  const clock = new TraceClock(zeroUs);
  yield {
    clock_snapshot: {
      clocks: [
        { clock_id: CLOCK_BOOTTIME, timestamp: clock.ns(0) },
        { clock_id: CLOCK_REALTIME, timestamp: trace.originNs },
      ],
      primary_trace_clock: CLOCK_BOOTTIME,
    },
    trusted_packet_sequence_id: SEQUENCE,
    sequence_flags: STATE_CLEARED | NEEDS_STATE,
    first_packet_on_sequence: true,
  };
  const tracks = new Tracks(trace);
  yield* tracks.parents();
  for (const counter of trace.counters) yield* counterPackets(counter, tracks, clock);
  yield* slicePackets(trace.lanes, tracks, clock);
}

/**
 * µs of the capture at ns 0 of the trace: the origin, or a whole second before it where something happened earlier,
 * because timestamps have no sign.
 */
function zeroOf({ lanes, counters }: CaptureTrace): number {
  let first = 0;
  for (const { start } of lanes) for (const us of start) if (us < first) first = us;
  for (const { at } of counters) for (const us of at) if (us < first) first = us;
  return Math.floor(first / 1e6) * 1e6;
}

/** Instants of the capture on the trace's clock. */
class TraceClock {
  readonly #zeroUs: number;
  constructor(zeroUs: number) {
    this.#zeroUs = zeroUs;
  }
  /** @param us from the capture's origin */
  ns(us: number): number {
    return Math.round((us - this.#zeroUs) * 1_000);
  }
}

const packetOf = (more: Message): Message => ({
  ...more,
  trusted_packet_sequence_id: SEQUENCE,
  sequence_flags: NEEDS_STATE,
});

interface TrackPlace {
  readonly replica: number | null;
  readonly group: string | null;
  readonly name: string;
}

/** The tree of tracks: replicas as processes, in them groups, and the tracks of lanes and counters in these. */
class Tracks {
  readonly #trace: CaptureTrace;
  /** Names of a group's tracks are in their order. */
  readonly #groups = new Map<string, { readonly uuid: number; readonly names: Set<string> }>();
  #last = 0;
  constructor(trace: CaptureTrace) {
    this.#trace = trace;
    this.#last = trace.replicas.length;
  }

  /** Packets of replicas and groups. */
  *parents(): Generator<Message> {
    const { replicas, lanes, counters } = this.#trace;
    for (const [replica, name] of replicas.entries()) {
      const process = { pid: replica + 1, process_name: name };
      yield packetOf({ track_descriptor: { uuid: this.#ofReplica(replica), process } });
    }
    for (const { replica, group, name } of [...lanes, ...counters]) {
      if (replica === null || group === null) continue;
      const known = this.#groups.get(keyOf(replica, group));
      known?.names.add(name);
      if (known !== undefined) continue;
      const uuid = ++this.#last;
      this.#groups.set(keyOf(replica, group), { uuid, names: new Set([name]) });
      const parent_uuid = this.#ofReplica(replica);
      yield packetOf({
        track_descriptor: { uuid, name: group, parent_uuid, child_ordering: EXPLICIT_ORDER },
      });
    }
  }

  /** A new track; those of one name and place are drawn as one. */
  add(place: TrackPlace, about: string, counter?: Message): readonly [uuid: number, packet: Message] {
    const uuid = ++this.#last;
    const { name } = place;
    const descriptor = { uuid, name, description: about, counter, ...this.#parentOf(place) };
    return [uuid, packetOf({ track_descriptor: descriptor })];
  }

  #parentOf({ replica, group, name }: TrackPlace): Message {
    if (replica === null) return {};
    const parent = group === null ? undefined : this.#groups.get(keyOf(replica, group));
    if (parent === undefined) return { parent_uuid: this.#ofReplica(replica) };
    return { parent_uuid: parent.uuid, sibling_order_rank: [...parent.names].indexOf(name) };
  }

  #ofReplica(replica: number): number {
    return replica + 1;
  }
}

const keyOf = (replica: number, group: string): string => `${replica} ${group}`;

function* counterPackets(counter: TraceCounter, tracks: Tracks, clock: TraceClock): Generator<Message> {
  const unit = counter.unit === "bytes" ? { unit: UNIT_BYTES } : { unit_name: counter.unit };
  const [track_uuid, track] = tracks.add(counter, counter.about, unit);
  yield track;
  for (const [i, us] of counter.at.entries()) {
    const track_event = { type: COUNTER_EVENT, track_uuid, double_counter_value: counter.values[i] ?? 0 };
    yield packetOf({ timestamp: clock.ns(us), track_event });
  }
}

/** Numbers of texts that repeat, and the entries that introduce new ones. */
class Interned {
  readonly #iids = new Map<string, number>();
  #fresh: Message[] = [];

  iid(text: string): number {
    const known = this.#iids.get(text);
    if (known !== undefined) return known;
    const iid = this.#iids.size + 1;
    this.#iids.set(text, iid);
    this.#fresh.push({ iid, name: text });
    return iid;
  }

  /** The entries since the last call; undefined for none. */
  takeFresh(): readonly Message[] | undefined {
    if (this.#fresh.length === 0) return undefined;
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }
}

/** A lane as it is written: its slices in order, each on the first track of the lane that is free. */
interface OpenLane {
  readonly lane: TraceLane;
  readonly free: number[];
}

/** All slices in the order of time; one that ends when another begins ends first. */
function* slicePackets(lanes: readonly TraceLane[], tracks: Tracks, clock: TraceClock): Generator<Message> {
  const { laneOf, sliceOf, start, end } = allSlices(lanes, clock);
  const order = (keys: Float64Array): Uint32Array => sortRows(Uint32Array.from(keys.keys()), keys);
  const open: readonly OpenLane[] = lanes.map((lane) => ({ lane, free: [] }));
  const trackOf = new Uint32Array(start.length);
  const [names, argNames, texts] = [new Interned(), new Interned(), new Interned()];
  const ends = order(end).values();
  let next = ends.next();
  const endPacket = (slice: number): Message =>
    packetOf({ timestamp: end[slice], track_event: { type: SLICE_END, track_uuid: trackOf[slice] } });
  const isBefore = (slice: number, ns: number): boolean => (end[slice] ?? 0) <= ns;
  const isInstant = (slice: number): boolean => start[slice] === end[slice];
  function* endsUpTo(ns: number): Generator<Message> {
    for (; next.done !== true && isBefore(next.value, ns); next = ends.next()) {
      const slice = next.value;
      // A slice without a duration ended as it began.
      if (isInstant(slice)) continue;
      open[laneOf[slice] ?? 0]?.free.push(trackOf[slice] ?? 0);
      yield endPacket(slice);
    }
  }
  for (const slice of order(start)) {
    yield* endsUpTo(start[slice] ?? 0);
    const { lane, free } = open[laneOf[slice] ?? 0]!;
    let track = free.pop();
    if (track === undefined) {
      const [uuid, packet] = tracks.add(lane, lane.about);
      yield packet;
      track = uuid;
    }
    trackOf[slice] = track;
    const track_event = {
      type: SLICE_BEGIN,
      track_uuid: track,
      name_iid: names.iid(lane.nameOf?.(sliceOf[slice] ?? 0) ?? lane.name),
      flow_ids: lane.pathOf(sliceOf[slice] ?? 0) || undefined,
      debug_annotations: lane.argsOf(sliceOf[slice] ?? 0).map((arg) => annotation(arg, argNames, texts)),
    };
    yield packetOf({
      timestamp: start[slice],
      interned_data: freshData(names, argNames, texts),
      track_event,
    });
    if (!isInstant(slice)) continue;
    free.push(track);
    yield endPacket(slice);
  }
  yield* endsUpTo(Infinity);
}

function freshData(names: Interned, argNames: Interned, texts: Interned): Message | undefined {
  const data = {
    event_names: names.takeFresh(),
    debug_annotation_names: argNames.takeFresh(),
    debug_annotation_string_values: texts.takeFresh(),
  };
  return Object.values(data).every((fresh) => fresh === undefined) ? undefined : data;
}

function annotation([name, value]: TraceArg, argNames: Interned, texts: Interned): Message {
  const name_iid = argNames.iid(name);
  if (typeof value === "string") return { name_iid, string_value_iid: texts.iid(value) };
  return Number.isSafeInteger(value) ? { name_iid, int_value: value } : { name_iid, double_value: value };
}

/** The slices of all lanes in one numbering, in ns of the trace. */
function allSlices(lanes: readonly TraceLane[], clock: TraceClock) {
  const count = lanes.reduce((sum, { start }) => sum + start.length, 0);
  const slices = {
    laneOf: new Uint16Array(count),
    sliceOf: new Uint32Array(count),
    start: new Float64Array(count),
    end: new Float64Array(count),
  };
  let at = 0;
  for (const [number, lane] of lanes.entries())
    for (const [slice, us] of lane.start.entries()) {
      slices.laneOf[at] = number;
      slices.sliceOf[at] = slice;
      slices.start[at] = clock.ns(us);
      slices.end[at] = clock.ns(lane.end[slice] ?? us);
      at++;
    }
  return slices;
}
