import type { CaptureReplica } from "../src/lanes/lanes.ts";

/** A synchronous replica with a file and an aligned clock, ±0.24 ms; `more` sets the differences. */
export const replicaNamed = (name: string, more: Partial<CaptureReplica> = {}): CaptureReplica => ({
  name,
  hasCapture: true,
  uncertaintyUs: 243,
  leastRoundTripUs: 600,
  commitMode: "sync",
  ...more,
});
