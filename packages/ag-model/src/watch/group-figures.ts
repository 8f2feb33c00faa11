/** The last polls of a group by replica, for a monitoring system. */
import { databasesOf, pointOf, primaryOf, rowsOfSecondary } from "./point.ts";
import type { PolledDatabase, ReplicaPoll } from "./point.ts";

/** A group's replicas with their last polls; `reading` is null where the last one is too old. */
export interface PolledGroup {
  /** Name of the availability group. */
  readonly group: string;
  readonly replicas: readonly ReplicaPoll[];
}

/** A secondary replica, of all its databases; null for what is unknown. */
export interface SecondaryFigures {
  /** replica_server_name. */
  readonly name: string;
  /** Sums. */
  readonly sendQueueKb: number | null;
  readonly redoQueueKb: number | null;
  /** Estimated data loss: the largest. */
  readonly rpoSeconds: number | null;
  /** Whether all of them are SYNCHRONIZED; null for a replica in asynchronous-commit mode. */
  readonly isSynchronized: boolean | null;
}

export interface GroupFigures {
  /** Mean commit delay of the last poll, ms. */
  readonly delayMs: number | null;
  readonly secondaries: readonly SecondaryFigures[];
}

export function groupFigures(replicas: readonly ReplicaPoll[]): GroupFigures {
  const primary = primaryOf(replicas);
  const remote = primary === null ? [] : databasesOf(primary).filter(({ isLocal }) => !isLocal);
  const { delayMs, notSynchronized } = pointOf(0, replicas);
  const secondaries = replicas
    .filter((replica) => replica !== primary && replica.role !== "primary")
    .map((replica): SecondaryFigures => {
      const rows = rowsOfSecondary(replica, remote);
      const isAwaited = replica.commitMode === "sync" && primary?.commitMode !== "async";
      const isKnown = rows.some(({ synchronization }) => synchronization !== null);
      return {
        name: replica.serverName,
        sendQueueKb: sumOf(rows, ({ sendQueueKb }) => sendQueueKb),
        redoQueueKb: sumOf(rows, ({ redoQueueKb }) => redoQueueKb),
        rpoSeconds: known(rows, ({ dataLossSeconds }) => dataLossSeconds).reduce<number | null>(
          (most, loss) => Math.max(most ?? 0, loss),
          null,
        ),
        isSynchronized: isAwaited && isKnown ? !notSynchronized.includes(replica.serverName) : null,
      };
    });
  return { delayMs, secondaries };
}

type Value = (row: PolledDatabase) => number | null;

const known = (rows: readonly PolledDatabase[], value: Value): number[] =>
  rows.map(value).filter((each) => each !== null);

function sumOf(rows: readonly PolledDatabase[], value: Value): number | null {
  const values = known(rows, value);
  return values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0);
}
