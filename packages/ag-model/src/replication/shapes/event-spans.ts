/** Times with and without events, which a verdict needs of all events. */

/** A range of time, µs. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When there were events of log blocks, and when there were none. */
export interface EventSpans {
  /** By file: its first and last event; from Infinity to -Infinity without events. */
  readonly files: readonly Span[];
  /** By replica: periods of PAUSE_US or more without an event. */
  readonly silences: readonly (readonly Span[])[];
}
