import type { ReplicaRow, ReplicaRows } from "@aglens/contract";
import { REMOTE_STAGE_IDS } from "@aglens/ag-model/replication";

const statistics = (us: number) => ({ n: 100, p50: us, p95: 2 * us, p99: 3 * us, max: 4 * us, mean: us });

/** A row whose path takes `us`, all of it in the network out. */
export const replicaRow = (us: number, more: Partial<ReplicaRow> = {}): ReplicaRow => ({
  commits: 0,
  released: [0, 0],
  path: statistics(us),
  wholePaths: 100,
  stages: {
    ...(Object.fromEntries(REMOTE_STAGE_IDS.map((id) => [id, 0])) as ReplicaRow["stages"]),
    wireOut: us,
    remoteHarden: us,
  },
  behind: null,
  ...more,
});

export const BEHIND: NonNullable<ReplicaRow["behind"]> = {
  p50: 60_000,
  p95: 120_000,
  max: 270_000,
  bytesP50: 3_100,
  bytesMax: 14_800,
  medians: [60_000, 60_000],
  longest: [270_000, 100_000, null, 0],
  mostBytes: [14_800, 0, null, 0],
};

/** Two bins of a second: 30 commits by the second secondary, 9 by the first, 1 by the local write; a third is asynchronous. */
export const replicaRows = (): ReplicaRows => ({
  from: 0,
  to: 2_000_000,
  binUs: 1_000_000,
  commits: 40,
  latency: statistics(4_000),
  blocks: 100,
  local: { commits: 1, released: [1, 0], write: statistics(2_600) },
  replicas: [
    replicaRow(3_300, { commits: 9, released: [9, 0] }),
    replicaRow(3_700, { commits: 30, released: [10, 20] }),
    replicaRow(74_000, { behind: BEHIND }),
  ],
});
