import { feedOf, type FileBytes } from "../byte-source.ts";
import { asDamage } from "../errors.ts";
import { checkRecord, recordPlanAt } from "../events/event.ts";
import { recordPlansOf, type RecordPlan, type RecordPlans } from "../events/record-plan.ts";
import type { Schema } from "../metadata.ts";
import { drain, EventCount, reportOf, type FileReport, type ReadOptions } from "../reader.ts";
import { BufferWalk, type BufferOutcome, type EventBuffer } from "../walk/walk.ts";
import { EventTableBuilder, type EventTable } from "./event-table.ts";

/** How a file is read into tables. */
export interface TableOptions extends ReadOptions {
  /** Events of a table, at least, before it is yielded. */
  readonly tableRows?: number;
  /** About the bytes in memory of a table, and of all tables three times as many. */
  readonly tableBytes?: number;
}

const TABLE_ROWS = 65_536;
const TABLE_BYTES = 32 * 1024 * 1024;
/** Event types that gather events at a time; forged files may describe any number. */
const MOST_BUILDERS = 1_000;

/**
 * Reads a .xel file of any session as columns, one event type at a time, without an object per event. Tables of one type
 * follow one another in file order, so that memory does not grow with the file. An event type that the metadata
 * describes in two ways has tables with different columns, and so have events with different actions. Damage is handled
 * as in `readXel`; input that is no .xel file throws XelFormatError.
 */
export async function* readEventTables(
  chunks: FileBytes,
  options: TableOptions = {},
): AsyncGenerator<EventTable, FileReport> {
  const walk = new BufferWalk(options.limits, options.force);
  const feed = feedOf(chunks);
  const steps = walk.buffers();
  const decoder = new TableDecoder(walk.schema, options);
  let outcome: BufferOutcome | undefined;
  try {
    for (let step = steps.next(); !step.done; step = steps.next(outcome)) {
      outcome = undefined;
      if ("needUntil" in step.value) {
        await feed.readInto(walk.window, step.value.needUntil);
      } else {
        yield* decoder.takeOutdated();
        outcome = decoder.decode(step.value);
        yield* decoder.takeFull();
        options.onProgress?.(step.value.offset + step.value.view.byteLength, decoder.count.events);
      }
    }
    await drain(walk, feed);
  } finally {
    await feed.end();
  }
  yield* decoder.takeAll();
  return reportOf(walk, decoder.count);
}

class TableDecoder {
  readonly count = new EventCount();
  readonly #schema: Schema;
  readonly #options: TableOptions;
  readonly #tableRows: number;
  readonly #tableBytes: number;
  #plans: RecordPlans;
  /** Null for an event type that isn't wanted. */
  readonly #builders = new Map<RecordPlan, EventTableBuilder | null>();

  constructor(schema: Schema, options: TableOptions) {
    this.#schema = schema;
    this.#options = options;
    this.#tableRows = options.tableRows ?? TABLE_ROWS;
    this.#tableBytes = options.tableBytes ?? TABLE_BYTES;
    this.#plans = recordPlansOf(schema);
  }

  /** Tables that end because the metadata changed. */
  *takeOutdated(): Generator<EventTable> {
    const plans = recordPlansOf(this.#schema);
    if (plans === this.#plans) return;
    this.#plans = plans;
    yield* this.takeAll();
  }

  /** Adds the events of a buffer; damage ends it, and events before it stay. */
  decode({ view, offset, dataOffset, dataEnd }: EventBuffer): BufferOutcome {
    let position = dataOffset;
    try {
      while (position < dataEnd) {
        const plan = recordPlanAt(view, position, this.#plans);
        const next = checkRecord(view, position, plan, this.count.unclaimed, offset);
        this.#builderOf(plan)?.add(view, position, offset);
        position = next;
        this.count.events++;
      }
      return { position };
    } catch (error) {
      return { position, damage: asDamage(error, "bad-event") };
    }
  }

  /** Tables with enough events, or all of them where they need much memory together. */
  *takeFull(): Generator<EventTable> {
    let bytes = 0;
    for (const builder of this.#builders.values()) bytes += builder?.bytes ?? 0;
    if (bytes >= 3 * this.#tableBytes || this.#builders.size > MOST_BUILDERS) return yield* this.takeAll();
    for (const builder of this.#builders.values())
      if (builder !== null && (builder.rows >= this.#tableRows || builder.bytes >= this.#tableBytes))
        yield builder.take();
  }

  *takeAll(): Generator<EventTable> {
    for (const builder of this.#builders.values())
      if (builder !== null && builder.rows > 0) yield builder.take();
    this.#builders.clear();
  }

  #builderOf(plan: RecordPlan): EventTableBuilder | null {
    const known = this.#builders.get(plan);
    if (known !== undefined) return known;
    const { only } = this.#options;
    const builder = only === undefined || only.has(plan.event.name) ? new EventTableBuilder(plan) : null;
    this.#builders.set(plan, builder);
    return builder;
  }
}
