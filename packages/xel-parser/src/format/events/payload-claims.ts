/**
 * Checks whether the columns of an event account for every byte of its payload (docs/reference/xel-format.md 4.1). SQL
 * Server leaves no byte between the values, so an unclaimed byte means that this decoder reads the layout wrong.
 */
import type { EventSchema, Schema } from "../metadata.ts";
import { baseTypeOf, inlineWidth, isVariable, mapOf } from "../types.ts";

/** An event type whose payloads have bytes that no column claims. */
export interface UnclaimedPayload {
  readonly package: string;
  readonly event: string;
  /** Events whose columns use fewer or more bytes than their payload has. */
  readonly events: number;
  /** Bytes of these payloads that no column claims. */
  readonly bytes: number;
  /** Byte offset in the file of the first such record. */
  readonly offset: number;
}

/** The bytes that the columns of an event type use: their fixed parts, some of which point to others. */
export interface PayloadClaim {
  readonly event: EventSchema;
  readonly inline: readonly Span[];
  /** Bytes that are in at least one of the inline parts. */
  readonly inlineBytes: number;
  /** Where the last inline part ends. */
  readonly inlineEnd: number;
  /** Offsets of the descriptors from the payload's start, in the order of the columns. */
  readonly descriptors: readonly number[];
}

/** Bytes from the payload's start. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The bytes that the columns of an event type claim. */
export function payloadClaimOf(event: EventSchema, schema: Schema): PayloadClaim {
  const descriptors: number[] = [];
  const inline = event.columns.map(({ type, offset }) => {
    const map = mapOf(schema, type);
    const base = map === undefined ? baseTypeOf(type) : -1;
    if (isVariable(base, schema)) descriptors.push(offset);
    return { from: offset, to: offset + (map?.size ?? inlineWidth(base, schema)) };
  });
  const inlineEnd = Math.max(0, ...inline.map(({ to }) => to));
  return { event, inline, inlineBytes: covered(inline, inlineEnd), inlineEnd, descriptors };
}

/** Bytes of a payload that are in at least one of the parts. */
function covered(parts: readonly Span[], length: number): number {
  const isIn = new Uint8Array(length);
  for (const { from, to } of parts) isIn.fill(1, Math.min(from, length), Math.max(0, Math.min(to, length)));
  return isIn.reduce((sum, one) => sum + one, 0);
}

/**
 * Whether the values follow the fixed part in the order of the columns and fill the payload, as SQL Server writes them.
 * A reader then touches only bytes of the payload.
 * @param payload its start, bytes from the view's start; all of it is in the view
 */
export function isFilled(
  view: DataView,
  payload: number,
  length: number,
  { inlineBytes, inlineEnd, descriptors }: PayloadClaim,
): boolean {
  if (inlineBytes !== inlineEnd || length < inlineEnd) return false;
  let next = inlineEnd;
  for (let index = 0; index < descriptors.length; index++) {
    const at = payload + descriptors[index];
    const bytes = view.getUint32(at + 4, true);
    const offset = view.getUint32(at, true);
    // A value without bytes is never read, but its place has to be valid.
    if (bytes === 0 ? offset > length : offset !== next) return false;
    next += bytes;
  }
  return next === length;
}

/** Bytes of a payload that its columns do not claim; -1 where they claim all of them, and bytes outside of it. */
function unclaimedBytes(
  view: DataView,
  payload: number,
  length: number,
  { inline, inlineEnd, descriptors }: PayloadClaim,
): number {
  if (length < inlineEnd) return -1;
  const values = descriptors.map((offset) => {
    const from = view.getUint32(payload + offset, true);
    return { from, to: from + view.getUint32(payload + offset + 4, true) };
  });
  const unclaimed = length - covered([...inline, ...values], length);
  return unclaimed === 0 && values.some(({ to }) => to > length) ? -1 : unclaimed;
}

/** Files glued together may describe ever more event types; further ones are counted together. */
const MOST_TYPES = 1_000;
const OTHERS = { package: "", event: "(other events)" };

/** Counts the payloads with unclaimed bytes, by event type. */
export class UnclaimedPayloads {
  readonly #found = new Map<string, { -readonly [Key in keyof UnclaimedPayload]: UnclaimedPayload[Key] }>();

  /** Counts a payload that is not filled, unless its values are only in another order. @param offset of its record in the file */
  add(view: DataView, payload: number, length: number, claim: PayloadClaim, offset: number): void {
    const unclaimed = unclaimedBytes(view, payload, length, claim);
    if (unclaimed === 0) return;
    const { event } = claim;
    const name = this.#found.size < MOST_TYPES ? { package: event.package.name, event: event.name } : OTHERS;
    const key = `${name.package}.${name.event}`;
    const known = this.#found.get(key) ?? { ...name, events: 0, bytes: 0, offset };
    known.events++;
    known.bytes += Math.max(0, unclaimed);
    this.#found.set(key, known);
  }

  /** Payloads found so far, in the order of the file. */
  list(): UnclaimedPayload[] {
    return [...this.#found.values()];
  }
}

/** The same event types of several parts of a file, in the file's order. */
export function joinUnclaimed(parts: readonly (readonly UnclaimedPayload[])[]): UnclaimedPayload[] {
  const byType = Map.groupBy(parts.flat(), ({ package: owner, event }) => `${owner}.${event}`);
  return [...byType.values()].map((same) => ({
    ...same[0],
    events: same.reduce((sum, { events }) => sum + events, 0),
    bytes: same.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
}
