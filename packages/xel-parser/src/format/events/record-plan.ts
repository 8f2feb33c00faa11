import { Damage } from "../errors.ts";
import type { ReadLimits } from "../limits.ts";
import type { ActionSchema, EventSchema, MapSchema, Schema } from "../metadata.ts";
import { payloadClaimOf, type PayloadClaim } from "./payload-claims.ts";
import { RecentTexts } from "./recent-texts.ts";
import { RecentGuids } from "../recent-guids.ts";
import { TickClock } from "../tick-clock.ts";
import { baseTypeOf, inlineWidth, isText, isVariable, mapOf, type XelValue } from "../types.ts";

/** Characters of -2147483648. */
const LONGEST_NUMBER = 11;

/** How to read one column or action of an event. */
export interface ValuePlan {
  readonly name: string;
  /** Bytes from the payload's start; 0 for actions, which have their own place. */
  readonly offset: number;
  /** Base type, or -1 for a map. */
  readonly base: number;
  readonly map: MapSchema | undefined;
  readonly variable: boolean;
  /** A variable value that is text. */
  readonly isText: boolean;
  /** Bytes of the inline part; 0 when no event can have the type. */
  readonly width: number;
}

/** How to read an action. */
export interface ActionPlan extends ValuePlan {
  /** Its name where an event has one of that name already: with its package. */
  readonly fullName: string;
}

/** How to read one event type with all its values. */
export interface RecordPlan {
  readonly event: EventSchema;
  readonly owner: RecordPlans;
  readonly clock: TickClock;
  readonly columns: readonly ValuePlan[];
  /** Its bit masks could mean more text than the limits allow, so that each record has to be checked. */
  readonly masksMayBeLong: boolean;
  readonly claim: PayloadClaim;
  readonly newFields: () => Record<string, XelValue>;
}

/** The plans of all event types and actions of the metadata at one moment; created on first use. */
export class RecordPlans {
  readonly pointerSize: number;
  readonly limits: ReadLimits;
  /** Texts of the GUIDs met lately. */
  readonly guids = new RecentGuids<string>();
  /** Texts met lately. */
  readonly texts = new RecentTexts();
  readonly newActions = recordMaker();
  readonly generation: number;
  readonly schema: Schema;
  readonly #events = new Map<number, RecordPlan>();
  readonly #actions = new Map<number, ActionPlan>();

  constructor(schema: Schema) {
    this.schema = schema;
    this.generation = schema.generation;
    this.pointerSize = schema.pointerSize;
    this.limits = schema.limits;
  }

  /** Throws Damage when the metadata has no such event. */
  event(rid: number): RecordPlan {
    return this.#events.get(rid) ?? this.#compileEvent(rid);
  }

  /** Throws Damage when the metadata has no such action, as the reference reader does. */
  action(rid: number): ActionPlan {
    return this.#actions.get(rid) ?? this.#compileAction(rid);
  }

  #compileEvent(rid: number): RecordPlan {
    const event = this.schema.events.get(rid);
    if (event === undefined) throw unknownEvent(rid, this.schema);
    const names = new Map<string, number>();
    const columns = event.columns.map(({ name, type, offset }) =>
      this.#value(unusedName(name, names), type, offset),
    );
    const plan = {
      event,
      owner: this,
      clock: new TickClock(event.package),
      columns,
      masksMayBeLong: columns.reduce((sum, { map }) => sum + longestMask(map), 0) > this.limits.mapUnits,
      claim: payloadClaimOf(event, this.schema),
      newFields: recordMaker(),
    };
    this.#events.set(rid, plan);
    return plan;
  }

  #compileAction(rid: number): ActionPlan {
    const action: ActionSchema | undefined = this.schema.actions.get(rid);
    if (action === undefined) throw unknownAction();
    const fullName = `${action.package}.${action.name}`;
    const plan = { ...this.#value(action.name, action.type, 0), fullName };
    this.#actions.set(rid, plan);
    return plan;
  }

  #value(name: string, type: number, offset: number): ValuePlan {
    const map = mapOf(this.schema, type);
    const base = map === undefined ? baseTypeOf(type) : -1;
    // A map of 8 bytes counts with its low 4 (docs/reference/xel-format.md 5.2).
    const width = map === undefined ? inlineWidth(base, this.schema) : Math.min(map.size, 4);
    return { name, offset, base, map, variable: isVariable(base, this.schema), isText: isText(base), width };
  }
}

const known = new WeakMap<Schema, RecordPlans>();

/** The plans for the current metadata. */
export function recordPlansOf(schema: Schema): RecordPlans {
  let plans = known.get(schema);
  if (plans === undefined || plans.generation !== schema.generation) {
    plans = new RecordPlans(schema);
    known.set(schema, plans);
  }
  return plans;
}

/** The name, or with a number where it is in use. `used` counts the requests for each name. */
function unusedName(name: string, used: Map<string, number>): string {
  let free = name;
  while (used.has(free)) {
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    free = `${name}#${count}`;
  }
  used.set(free, 1);
  return free;
}

/** The Damage for an event the metadata before it does not describe. */
export function unknownEvent(rid: number, schema: Schema): Damage {
  if (schema.events.size === 0) {
    return new Damage("no-metadata", "its events come before the metadata that describes them");
  }
  return new Damage(
    "unknown-event",
    `event type 0x${rid.toString(16).padStart(8, "0")} is not in the file's metadata`,
  );
}

/** The Damage for an action the metadata does not describe. */
export function unknownAction(): Damage {
  return new Damage("unknown-action", "an event has an action that is not in the file's metadata");
}

/** The Damage for an event with more actions than `ReadLimits.actions`. */
export function tooManyActions(most: number): Damage {
  return new Damage("bad-event", `an event has more than ${most} actions`);
}

/**
 * Length of the longest text of a bit mask: the text of each bit, or the number in its place, and the commas between.
 */
function longestMask(map: MapSchema | undefined): number {
  if (map === undefined || !map.bitmask) return 0;
  let units = 0;
  for (let bit = 0; bit < 32; bit++) {
    units += 1 + Math.max(LONGEST_NUMBER, map.texts.get((1 << bit) | 0)?.length ?? 0);
  }
  return units;
}

/**
 * Creates empty records with arbitrary names: names come from the file, so `__proto__` must be one like any other. A
 * separate constructor per event type lets the engine give all events of the type one hidden class, which
 * `Object.create(null)` does not.
 */
function recordMaker(): () => Record<string, XelValue> {
  const Fields = function () {} as unknown as new () => Record<string, XelValue>;
  Fields.prototype = Object.create(null) as object;
  return () => new Fields();
}
