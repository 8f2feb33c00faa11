import { filetimeText, jsonValue, type XelEvent, type XelValue } from "xel-parser/format";
import {
  EVENTS,
  kindOfEvent,
  type ColumnName,
  type EventDefinition,
  type FieldRule,
} from "../events/catalog.ts";
import type { EventRun } from "../replication/shapes/event-runs.ts";
import { formatLsn } from "../replication/shapes/identity.ts";
import { slotOfReplica } from "../replication/shapes/slots.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { orNull } from "./null-for-nan.ts";

/** Place of one event of a block: file index, byte offset, and when it fired, µs on the primary's clock. */
export interface EventPlace {
  readonly file: number;
  readonly offset: number;
  readonly fire: number;
}

/** Place of the event in a row of a run. */
export const placeOfEvent = (run: EventRun, row: number): EventPlace => ({
  file: run.fileAt(row),
  offset: run.offsetAt(row),
  fire: run.fireAt(row),
});

/** Fields that are needed of a decoded event. */
type RawEvent = Pick<XelEvent, "name" | "ticks" | "fields" | "actions">;

/** One raw event of a block. */
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
 * A decoded event in the form that the sequence shows. `place` is its entry of `eventPlacesOf`: the analysis provides
 * when it fired on the primary's clock, and its own duration when it began (docs/contribute/model/events.md 1.3). Milliseconds
 * are too coarse for that, so an event that counts in them has no begin.
 */
export function toSequenceEvent(model: CaptureModel, place: EventPlace, event: RawEvent): SequenceEvent {
  const { fields } = event;
  const rule = ruleFor(event.name, "processing");
  const duration = rule ? toNumber(fields[rule.field]) : null;
  const inMilliseconds = rule?.scale === 1000;
  const file = model.files[place.file];
  return {
    secondary: slotOf(model, file.replica, event),
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

/** Field with the duration of an event of this name; null for an event without one. */
export const durationFieldOf = (name: string): string | null => ruleFor(name, "processing")?.field ?? null;

/**
 * On the primary an event about one hop names the secondary as its partner. @param own replica whose file contains the
 * event
 */
function slotOf(model: CaptureModel, own: number, event: RawEvent): number | null {
  const partner = event.fields[ruleFor(event.name, "partner")?.field ?? ""];
  if (typeof partner !== "string") return null;
  const replica = model.replicas.findIndex(({ ids }) => ids.includes(partner.toLowerCase()));
  const isPrimary = model.phases.some(({ primary }) => primary === own) && !isOfSecondary(event.name);
  return replica >= 0 && replica !== own && isPrimary ? slotOfReplica(own, replica) : null;
}

const isOfSecondary = (name: string): boolean => EVENTS[kindOfEvent(name)]?.evidenceOf === "secondary";

function ruleFor(name: string, column: ColumnName): FieldRule | undefined {
  const definition: EventDefinition | undefined = EVENTS[kindOfEvent(name)];
  return definition?.fields.find((rule) => rule.column === column);
}

/** A field as a number; null when it is absent or no number. */
function toNumber(value: XelValue | undefined): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "bigint" ? Number(value) : null;
}

/** A log_block_id as the log prints it; its type differs between builds. */
function lsnOf(blockId: XelValue | undefined): string | null {
  if (typeof blockId === "bigint") return formatLsn(blockId);
  return typeof blockId === "number" && Number.isSafeInteger(blockId) ? formatLsn(BigInt(blockId)) : null;
}

const asJson = (values: Readonly<Record<string, XelValue>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, jsonValue(value)]));
