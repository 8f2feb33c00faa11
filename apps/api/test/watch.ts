/** Definitions of watches for tests. */
import { WatchDefinition } from "@aglens/contract";

/** A watch that polls every 5 s and has no trigger, on these servers. */
export function definitionOf(servers: readonly object[], more: object = {}): WatchDefinition {
  return WatchDefinition.parse({
    group: "SALES-AG",
    replicas: servers.map((server) => ({ server })),
    login: "sales",
    triggers: { commitDelay: null, timesUsual: null, queue: null, state: false, schedules: [], http: false },
    recording: {
      quietSeconds: 60,
      mostSeconds: 600,
      ringSeconds: null,
      mostPerDay: 6,
      mostPerWeek: 20,
      mostBytesPerWeek: 2_000_000_000,
      holdOffSeconds: 900,
      keepDays: null,
      withoutCommits: false,
    },
    receivers: [],
    ...more,
  });
}
