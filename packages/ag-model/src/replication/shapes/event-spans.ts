/** When there were events and when there were none: what a verdict asks of all events. */

/** A range of time, µs. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When there were events of log blocks, and when there were none. */
export interface EventSpans {
  /** By file: its first and last event; from Infinity to -Infinity where it has none. */
  readonly files: readonly Span[];
  /** By replica: periods of PAUSE_US or more without an event. */
  readonly silences: readonly (readonly Span[])[];
}
