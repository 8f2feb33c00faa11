/** Rights that a watch needs of its login on a server. */
import type { LiveCheck, MissingPermission } from "@aglens/contract";
import type { z } from "zod";

export interface WatchRights {
  /** Whether it can read waits, queues and states. */
  readonly mayWatch: boolean;
  /** Whether it can also have an event session. */
  readonly mayRecord: boolean;
}

/** Permissions that are needed to poll begin with these words; other blocking ones are of the event session. */
const TO_READ = "VIEW SERVER";

export function rightsIn(missing: readonly MissingPermission[]): WatchRights {
  const blocking = missing.filter((each) => each.blocking);
  return {
    mayWatch: !blocking.some(({ permission }) => permission.startsWith(TO_READ)),
    mayRecord: blocking.length === 0,
  };
}

/** Rights by the answers of a check; without the events there is nothing to record. */
export function missingOf({ missing, hadrEnabled }: z.infer<typeof LiveCheck>): WatchRights {
  const { mayWatch, mayRecord } = rightsIn(missing);
  return { mayWatch: mayWatch && hadrEnabled, mayRecord: mayRecord && hadrEnabled };
}
