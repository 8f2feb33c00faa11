import type { Continuity } from "../clocks/continuity.ts";

/** Purpose that a model is built for, and facts that its events do not show. */
export interface ModelWants {
  /**
   * Whether to list the place of each event. Without it the model of a capture with one primary, whose verdict needs
   * none, lists no events.
   */
  readonly eventIndex?: boolean;
  readonly continuity?: Continuity | undefined;
}
