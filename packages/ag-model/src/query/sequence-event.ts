import { filetimeText } from "xel-parser/format";
import {
  EVENTS,
  kindOfEvent,
  type ColumnName,
  type EventDefinition,
  type FieldRule,
} from "../events/catalogue.ts";
import { lsn } from "../replication/identity.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { orNull } from "./null-for-nan.ts";

/** Where one event of a block is: file index, byte offset, and when it fired, µs on the primary's clock. */
export interface EventPlace {
  readonly file: number;
  readonly offset: number;
  readonly fire: number;
}

/** What is needed of a decoded event; any decoder's event fits. */
export interface DecodedEvent {
  readonly name: string;
  /** Published UTC, FILETIME ticks. */
  readonly ticks: bigint;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly actions: Readonly<Record<string, unknown>>;
}

/** One raw event of a block; the shape of `SequenceEvent` in contract/api.ts. */
export interface SequenceEvent {
  /** Secondary whose hop the event names, or null. */
  secondary: number | null;
  replica: number;
  name: string;
  mode: number | null;
  begin: number | null;
  fire: number | null;
  byPublish: boolean;
  duration: number | null;
  durationUnit: string | null;
  lsn: string | null;
  timestamp: string;
  fields: Record<string, unknown>;
  actions: Record<string, unknown>;
  file: string;
  offset: number;
}

/**
 * A decoded event as the sequence shows it. `place` is its entry of `eventsOf`: when it fired on the primary's clock is
 * known from analysis, when it began follows from its own duration (ag-domain 1.3). Milliseconds are too coarse for
 * that, so an event that counts in them has no begin.
 */
export function toSequenceEvent(model: CaptureModel, place: EventPlace, event: DecodedEvent): SequenceEvent {
  const { fields } = event;
  const rule = ruleFor(event.name, "processing");
  const duration = rule ? toNumber(fields[rule.field]) : null;
  const inMilliseconds = rule?.scale === 1000;
  const file = model.files[place.file];
  return {
    secondary: secondaryOf(model, event),
    replica: file.replica,
    name: event.name,
    mode: toNumber(fields["mode"]),
    begin: inMilliseconds ? null : orNull(place.fire - (duration ?? 0)),
    fire: orNull(place.fire),
    byPublish: toNumber(fields[ruleFor(event.name, "start")?.field ?? "start_timestamp"]) === null,
    duration,
    durationUnit: duration === null ? null : inMilliseconds ? "ms" : "µs",
    lsn: lsnOf(fields[ruleFor(event.name, "blockId")?.field ?? "log_block_id"]),
    timestamp: filetimeText(event.ticks),
    fields: asJson(fields),
    actions: asJson(event.actions),
    file: file.name,
    offset: place.offset,
  };
}

/** On the primary an event about one hop names the secondary as its partner. */
function secondaryOf(model: CaptureModel, event: DecodedEvent): number | null {
  const partner = event.fields[ruleFor(event.name, "partner")?.field ?? ""];
  if (typeof partner !== "string") return null;
  const replica = model.replicas.findIndex(({ id }) => id !== "" && id === partner.toLowerCase());
  return replica > 0 ? replica - 1 : null;
}

function ruleFor(name: string, column: ColumnName): FieldRule | undefined {
  const definition: EventDefinition | undefined = EVENTS[kindOfEvent(name)];
  return definition?.fields.find((rule) => rule.column === column);
}

/** Numbers, bigints, numeric text, and maps that carry `{ value }`. */
function toNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && /^-?\d+$/u.test(value)) return Number(value);
  if (typeof value === "object" && value !== null && "value" in value) return toNumber(value.value);
  return null;
}

function lsnOf(blockId: unknown): string | null {
  if (typeof blockId === "bigint") return lsn(blockId);
  if (typeof blockId === "number" && Number.isSafeInteger(blockId)) return lsn(BigInt(blockId));
  if (typeof blockId === "string" && /^\d+$/u.test(blockId)) return lsn(BigInt(blockId));
  return null;
}

function asJson(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, jsonValue(value)]));
}

/** 64-bit integers as numbers when safe and strings otherwise, binary as 0x hex, a map as its text. */
function jsonValue(value: unknown): unknown {
  if (typeof value === "bigint") {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : value.toString();
  }
  if (typeof value === "number") return orNull(value);
  if (value instanceof Uint8Array) {
    return `0x${Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
  if (Array.isArray(value)) return value.map(jsonValue);
  if (typeof value === "object" && value !== null) {
    return "text" in value ? value.text : asJson(value as Record<string, unknown>);
  }
  return value;
}
