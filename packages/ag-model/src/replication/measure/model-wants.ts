import type { Continuity } from "../clocks/continuity.ts";

/** What a model is built for, and what is known beside its events. */
export interface ModelWants {
  /** Where each event is. Without it the model of a capture with one primary, whose verdict needs none, lists no events. */
  readonly eventIndex?: boolean;
  readonly continuity?: Continuity | undefined;
}
