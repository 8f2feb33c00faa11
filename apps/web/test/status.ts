/** Figures of a server for tests. */
import type { ServerFigures, StatusJob } from "@aglens/contract";

/** A server at rest on a disk of 40 GB. */
export function serverFigures(change: Partial<ServerFigures> = {}): ServerFigures {
  return {
    begun: "2026-11-01T00:00:00.000Z",
    now: "2026-12-12T05:00:00.000Z",
    disk: { free: 23e9, total: 40e9, keptFree: 2e9, parts: null, growthPerDay: null },
    analyses: { running: 0, waiting: 0, most: 2 },
    recognitions: { running: 0, waiting: 0 },
    liveRuns: { running: 0, most: 4 },
    answers: { p95Ms: 30, minutes: [null, 28, 30] },
    eventLoop: { p99Ms: 4.9, minutes: [null, 5, 4.9] },
    refusals: { refused: 3, requests: 48_210, hours: 24 },
    unclaimed: { files: 0, bytes: 0, types: [] },
    threads: [{ work: "analysis", number: 1, shares: [0, 1] }],
    servers: [],
    people: [],
    ...change,
  };
}

/** An analysis that runs. */
export function statusJob(captureId: string, change: Partial<StatusJob> = {}): StatusJob {
  return {
    captureId,
    name: `Capture ${captureId}`,
    owner: "Ann",
    bytes: 613e6,
    phase: "join",
    share: 1,
    waiting: null,
    mayChange: true,
    ...change,
  };
}
