import type { EventColumns } from "./columns.ts";

/** Number and span of events in several parts, in the order of publish time. */
export interface EventSpan {
  readonly events: number;
  /** FILETIME ticks of the first and last event; 0 without events. */
  readonly fromTicks: bigint;
  readonly toTicks: bigint;
}

/** Counts events and finds the first and the last. */
export class SpanOfParts {
  #span: EventSpan = { events: 0, fromTicks: 0n, toTicks: 0n };

  add({ length, ticks }: EventColumns): void {
    if (length === 0) return;
    const { events, fromTicks } = this.#span;
    this.#span = {
      events: events + length,
      fromTicks: events === 0 ? ticks[0] : fromTicks,
      toTicks: ticks[length - 1],
    };
  }

  span(): EventSpan {
    return this.#span;
  }
}
