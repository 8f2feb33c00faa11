/** Definitions and parts of watches for tests. */
import { WatchDefinition } from "@aglens/contract";
import type { Recorder } from "../src/watch/recording.ts";
import type { WatchMessages } from "../src/watch/watch-messages.ts";

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

/** A recorder that records nothing: each recording is at once a capture. */
export const recorderStub = (): Recorder => ({
  arm: () => {},
  isArmed: false,
  begin: () => Promise.resolve({ captureId: "capture", recordedOn: ["SQL1"], problems: [] }),
  end: () => Promise.resolve(null),
  verdictOf: () => Promise.resolve(null),
  close: () => Promise.resolve(),
});

/** Messages that are sent to no one. */
export const messagesStub = (): WatchMessages => ({
  begin: () => Promise.resolve(),
  end: () => Promise.resolve(),
  add: () => Promise.resolve(),
  test: () => Promise.reject(new Error("not here")),
  close: () => Promise.resolve(),
});
