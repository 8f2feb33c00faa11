/** Derives from a file's events which server wrote it (docs/contribute/model/attribution.md 2.5). */
import {
  fireTime,
  IdsOfParts,
  OTHER_EVENT,
  SpanOfParts,
  type EventColumns,
  type EventSpan,
} from "../events/index.ts";
import { DatabasesOfParts, type DatabaseEvidence } from "./role-periods.ts";

/**
 * Server that wrote a file, as far as its events name it. Every list is in ascending order, every id a lower-case GUID.
 */
export interface FileIdentity extends EventSpan {
  /** availability_replica_ids of the server itself: one per availability group it is in. */
  readonly ownIds: readonly string[];
  /** availability_replica_ids at the other end. */
  readonly partnerIds: readonly string[];
  /** availability_group_ids. */
  readonly groupIds: readonly string[];
  readonly databases: readonly DatabaseEvidence[];
  /** Events of the data movement path, used or not for a role. */
  readonly logEvents: number;
  /**
   * FILETIME ticks at which the server's µs counter was 0, the same in all its files but for steps of a clock; null
   * when no event has a start_timestamp.
   */
  readonly counterZeroTicks: bigint | null;
  /** Kind of events that the engine writes: events with start_timestamp, or those of 2012 without it. */
  readonly engine: "start_timestamp" | "2012";
}

/** The identity of a file's events; rows are in publish order. */
export function identityOf(columns: EventColumns): FileIdentity {
  const parts = new IdentityOfParts();
  parts.add(columns);
  return parts.identity();
}

/** The same from events in several parts, in the order of publish time. No part is kept. */
export class IdentityOfParts {
  readonly #ids = new IdsOfParts();
  readonly #span = new SpanOfParts();
  readonly #databases = new DatabasesOfParts();
  readonly #counter = new CounterSamples();
  #logEvents = 0;

  /** @throws ImpossibleIds where the events name far more ids than a server can have */
  add(columns: EventColumns): void {
    this.#ids.add(columns);
    this.#span.add(columns);
    this.#logEvents += countLogEvents(columns);
    this.#databases.add(columns);
    this.#counter.add(columns);
  }

  /** @throws ImpossibleIds where the events name ids that no server has */
  identity(): FileIdentity {
    const damage = this.#ids.ofDamage();
    const idsIn = (column: "self" | "partner" | "group"): string[] =>
      this.#ids.in(column).filter((id) => !damage.has(id));
    const ownIds = idsIn("self");
    const counterZeroTicks = this.#counter.zeroTicks();
    return {
      ownIds,
      partnerIds: idsIn("partner").filter((id) => !ownIds.includes(id)),
      groupIds: idsIn("group"),
      databases: this.#databases.evidence().filter(({ id }) => !damage.has(id)),
      ...this.#span.span(),
      logEvents: this.#logEvents,
      counterZeroTicks,
      engine: counterZeroTicks === null ? "2012" : "start_timestamp",
    };
  }
}

function countLogEvents({ kind, length }: EventColumns): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (kind[row] !== OTHER_EVENT) count++;
  return count;
}

/** Enough events for a median that no late publication changes; at most twice as many are kept. */
const COUNTER_SAMPLES = 401;

/**
 * Publish times minus the counter's µs when the event fired, of the first event with a counter in every interval of
 * events, all along the file. The interval is doubled whenever there are too many samples, so that the same events are
 * chosen in however many parts they arrive.
 */
class CounterSamples {
  #samples: { readonly row: number; readonly zeroTicks: bigint }[] = [];
  /** Number of events per sample. */
  #step = 1;
  /** The first row that may be a sample. */
  #next = 0;
  #rows = 0;

  add({ kind, start, processing, ticks, length }: EventColumns): void {
    let i = Math.max(0, this.#next - this.#rows);
    while (i < length) {
      if (Number.isNaN(start[i])) {
        i++;
        continue;
      }
      const fireTicks = BigInt(Math.round(fireTime(kind[i], start[i], processing[i]) * 10));
      this.#take({ row: this.#rows + i, zeroTicks: ticks[i] - fireTicks });
      i = this.#next - this.#rows;
    }
    this.#rows += length;
  }

  #take(sample: { readonly row: number; readonly zeroTicks: bigint }): void {
    this.#samples.push(sample);
    if (this.#samples.length > 2 * COUNTER_SAMPLES) {
      this.#step *= 2;
      this.#samples = this.#samples.filter(
        ({ row }, i, all) => i === 0 || this.#stretchOf(row) !== this.#stretchOf(all[i - 1].row),
      );
    }
    this.#next = (this.#stretchOf(sample.row) + 1) * this.#step;
  }

  #stretchOf(row: number): number {
    return Math.floor(row / this.#step);
  }

  /** When the counter was 0, by the median; null without any event that has one. */
  zeroTicks(): bigint | null {
    const zeros = this.#samples.map(({ zeroTicks }) => zeroTicks).sort((a, b) => (a < b ? -1 : 1));
    return zeros[zeros.length >> 1] ?? null;
  }
}
