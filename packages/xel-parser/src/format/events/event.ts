import { ACTIONS_FLAG, EVENT_HEADER_BYTES, FORMAT_VERSION, ObjectKind, VERSION_MASK } from "../constants.ts";
import { Damage, otherVersion } from "../errors.ts";
import { checkActions, checkFields, checkMasks, decodeActions, decodeFields } from "./event-values.ts";
import { kindOf, type Schema } from "../metadata.ts";
import { NUMBER_BYTES, type WantedAction } from "../columns/event-numbers.ts";
import { isFilled, type UnclaimedPayloads } from "./payload-claims.ts";
import { tooManyActions, unknownAction, type RecordPlan, type RecordPlans } from "./record-plan.ts";
import { filetimeOf } from "../time.ts";
import type { XelValue } from "../types.ts";

/**
 * One event with all of its data, values in the file's order. `fields` and `actions` are decoded on first access; until
 * both were, the event keeps the bytes of its buffer in memory.
 */
export interface XelEvent {
  readonly name: string;
  readonly package: string;
  /** UUID of the event type, lower case. */
  readonly uuid: string;
  /** FILETIME: UTC, 100 ns since 1601. */
  readonly ticks: bigint;
  /** Byte offset of the record in the file. */
  readonly offset: number;
  /**
   * Columns by name; a second one of a name has `#2` after it. A column of a type that no event can have is missing.
   */
  readonly fields: Record<string, XelValue>;
  /** Actions by name; a second one of a name has its package and a dot before it. */
  readonly actions: Record<string, XelValue>;
}

/** An event and where the next record begins, in bytes from the view's start. */
export interface DecodedEvent {
  readonly event: XelEvent;
  readonly next: number;
}

/**
 * Reads one event record (docs/reference/xel-format.md 4). `origin` is the file offset of the view's start; the view's
 * bytes must not change while the event is in use. The complete record is checked here: throws Damage or RangeError
 * when it is damaged, so that decoding its values later cannot fail.
 * @param unclaimed counts the record where its payload has bytes that no column claims
 */
export function decodeEvent(
  view: DataView,
  at: number,
  origin: number,
  plans: RecordPlans,
  unclaimed?: UnclaimedPayloads,
): DecodedEvent {
  const plan = recordPlanAt(view, at, plans);
  const next = checkRecord(view, at, plan, unclaimed, origin);
  return { event: new RecordEvent(plan, view, at, origin + at), next };
}

/** The plan of the record at a place. Throws Damage or RangeError when no readable record begins there. */
export function recordPlanAt(view: DataView, at: number, plans: RecordPlans): RecordPlan {
  checkVersion(view, at, plans.schema);
  return plans.event(view.getUint32(at, true));
}

/**
 * End of the record of a plan. Throws Damage or RangeError unless all of it can be read. Parameters as of
 * `decodeEvent`.
 */
export function checkRecord(
  view: DataView,
  at: number,
  plan: RecordPlan,
  unclaimed?: UnclaimedPayloads,
  origin = 0,
): number {
  const { owner, claim } = plan;
  plan.clock.check(view.getUint32(at + 12, true), view.getInt32(at + 16, true));
  const payload = at + EVENT_HEADER_BYTES;
  const end = payload + view.getUint32(at + 20, true);
  const next = hasActions(view.getUint32(at + 4, true)) ? checkActions(view, end, owner) : end;
  if (next > view.byteLength) throw new RangeError("outside the buffer");
  const length = end - payload;
  const isUsual = isFilled(view, payload, length, claim);
  // No value of a payload without gaps is longer than that.
  if (!isUsual || length > owner.limits.valueBytes)
    checkFields(view, payload, claim, next - at, owner.limits);
  if (!isUsual) unclaimed?.add(view, payload, length, claim, origin + at);
  if (plan.masksMayBeLong) checkMasks(view, payload, plan);
  return next;
}

/**
 * Throws Damage unless the record's flags have the version: the cheapest sign that a record begins here. A record that
 * is complete except for its version is reported by that version.
 */
export function checkVersion(view: DataView, at: number, schema: Schema): void {
  const flags = view.getUint32(at + 4, true);
  const version = flags & VERSION_MASK;
  if (version === FORMAT_VERSION || version === (schema.version & VERSION_MASK)) return;
  const end = at + EVENT_HEADER_BYTES + view.getUint32(at + 20, true);
  const like = (flags & ~(VERSION_MASK | ACTIONS_FLAG)) === 0 && schema.events.has(view.getUint32(at, true));
  if (version !== 0 && like && end <= view.byteLength) {
    if (schema.force) return;
    throw new Damage("unsupported-version", otherVersion("an event", version));
  }
  throw new Damage("bad-event", "the bytes at the start of an event are not an event");
}

/**
 * Skips an action list and returns its end (docs/reference/xel-format.md 4.2). An action without metadata is Damage, as
 * for the reference reader.
 * @param wanted gets the place of its number
 */
export function skipActions(view: DataView, at: number, schema: Schema, wanted?: WantedAction): number {
  let position = at;
  for (let count = 0; ; count++) {
    const rid = view.getUint32(position, true);
    const length = view.getUint32(position + 4, true);
    position += 8;
    if (kindOf(rid) !== ObjectKind.action) return position;
    if (!schema.actions.has(rid)) throw unknownAction();
    if (count === schema.limits.actions) throw tooManyActions(count);
    if (rid === wanted?.rid && length === NUMBER_BYTES) wanted.at = position;
    position += length;
  }
}

/** Whether an action list follows the payload. */
export function hasActions(flags: number): boolean {
  return (flags & ACTIONS_FLAG) !== 0;
}

/** An event over the bytes of its record, which `decodeEvent` has found complete. */
class RecordEvent implements XelEvent {
  readonly offset: number;
  readonly #plan: RecordPlan;
  /** Undefined once everything was decoded, so that a kept event does not keep its buffer. */
  #view: DataView | undefined;
  readonly #at: number;
  #ticks: bigint | undefined;
  #fields: Record<string, XelValue> | undefined;
  #actions: Record<string, XelValue> | undefined;

  constructor(plan: RecordPlan, view: DataView, at: number, offset: number) {
    this.offset = offset;
    this.#plan = plan;
    this.#view = view;
    this.#at = at;
  }

  get name(): string {
    return this.#plan.event.name;
  }

  get package(): string {
    return this.#plan.event.package.name;
  }

  get uuid(): string {
    return this.#plan.event.uuid;
  }

  get ticks(): bigint {
    this.#ticks ??= filetimeOf(this.#plan.event.package, this.#view!.getBigInt64(this.#at + 12, true));
    return this.#ticks;
  }

  get fields(): Record<string, XelValue> {
    if (this.#fields === undefined) {
      this.#fields = decodeFields(this.#view!, this.#at + EVENT_HEADER_BYTES, this.#plan);
      this.#letGo();
    }
    return this.#fields;
  }

  get actions(): Record<string, XelValue> {
    if (this.#actions === undefined) {
      const view = this.#view!;
      const end = this.#at + EVENT_HEADER_BYTES + view.getUint32(this.#at + 20, true);
      const list = hasActions(view.getUint32(this.#at + 4, true)) ? end : -1;
      this.#actions = decodeActions(view, list, this.#plan.owner);
      this.#letGo();
    }
    return this.#actions;
  }

  #letGo(): void {
    if (this.#fields === undefined || this.#actions === undefined) return;
    this.#ticks = this.ticks;
    this.#view = undefined;
  }
}
