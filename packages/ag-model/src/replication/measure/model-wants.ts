import type { Continuity } from "../clocks/continuity.ts";
import type { EventsToList } from "../event-index/list-events.ts";

/** What a model is built for, and what is known beside its events. */
export interface ModelWants {
  /**
   * Where each event lies. Without it the model of a capture with one primary, whose verdict needs none, lists no events; and where a function
   * is given, that is called with them, whose memory it may take, to have them listed elsewhere (`listEvents`).
   */
  readonly eventIndex?: boolean | ((events: EventsToList) => void);
  readonly continuity?: Continuity | undefined;
}
