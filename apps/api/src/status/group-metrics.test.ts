import type { PolledGroup } from "@aglens/ag-model/watch";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { addPolledGroups } from "./group-metrics.ts";

/** A group AG1 whose primary waited for its secondary, ms per commit, and has so much log to send to it, KB. */
function group(primary: string, secondary: string, delayMs: number, sendQueueKb: number): PolledGroup {
  const row = { database: "Sales", synchronization: "SYNCHRONIZED", redoQueueKb: 0, dataLossSeconds: 0 };
  const [first, second] = [`id of ${primary}`, `id of ${secondary}`];
  return {
    group: "AG1",
    replicas: [
      {
        serverName: primary,
        replicaId: first,
        role: "primary",
        commitMode: "sync",
        reading: {
          seconds: 5,
          waits: [{ type: "HADR_SYNC_COMMIT", waitMs: 100 * delayMs, count: 100 }],
          counters: null,
          databases: [
            { ...row, replicaId: first, isLocal: true, sendQueueKb: null },
            { ...row, replicaId: second, isLocal: false, sendQueueKb },
          ],
        },
      },
      { serverName: secondary, replicaId: second, role: "secondary", commitMode: "sync", reading: null },
    ],
  };
}

test("groups of two clusters with one name have series of all replicas, and one group is read once", async () => {
  const registry = new Registry();
  // A watch and a live run of the first group, the live run with a newer poll; and a watch of the second one.
  addPolledGroups(registry, () => [
    group("SQL1", "SQL2", 4, 300),
    group("SQL1", "SQL2", 90, 900),
    group("CRM1", "CRM2", 30, 20),
  ]);
  const lines = (await registry.metrics()).split("\n");
  expect(lines.filter((line) => line.startsWith("aglens_send_queue_bytes{"))).toEqual([
    'aglens_send_queue_bytes{group="AG1",replica="SQL2"} 307200',
    'aglens_send_queue_bytes{group="AG1",replica="CRM2"} 20480',
  ]);
  expect(lines).toContain('aglens_commit_delay_seconds{group="AG1"} 0.03');
});
