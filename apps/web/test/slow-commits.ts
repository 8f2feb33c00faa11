import type { SlowCommit } from "@aglens/contract";

interface PageInput extends Partial<Omit<SlowCommit, "paths">> {
  /** End of the path to each secondary after the commit's start, µs. */
  readonly ends?: readonly (number | null)[];
}

/** A commit of block 7 at 5 s that waited 12 ms for the path to the first secondary, all of it on the network out. */
export const slowCommit = ({ ends = [12_000], ...more }: PageInput = {}): SlowCommit => ({
  row: 1,
  block: 7,
  database: 0,
  lsn: "00000022:00000167",
  start: 5_000_000,
  waited: 12_000,
  queued: 100,
  wokenAfter: 40,
  gate: 2,
  secondary: 0,
  releasedBy: 1,
  commitsOfBlock: 1,
  otherEarlierBy: 3_000,
  largest: "wireOut",
  localStart: 100,
  localEnd: 9_000,
  paths: ends.map((end) => ({
    start: 100,
    end,
    stages: {
      send: 0,
      wireOut: end === null ? null : end - 100,
      secondaryAppend: 0,
      secondaryFlush: 0,
      ackBuild: 0,
      ackSend: 0,
      wireBack: 0,
      ackReceive: 0,
      remoteHarden: end === null ? null : end - 100,
    },
    paused: null,
  })),
  ...more,
});
