/** Polls for tests: everything is empty except for the values of a test. */
import type { LiveCounters, LiveDatabaseState, LivePoll } from "@aglens/contract";

/** A poll of the first replica that covers 1 s and ends at 1 s. */
export function poll(over: Partial<LivePoll>): LivePoll {
  return {
    replica: 0,
    at: 1e6,
    seconds: 1,
    waits: [],
    logWrites: [],
    databases: [],
    schedulers: null,
    waiting: [],
    counters: null,
    connections: [],
    failures: [],
    ...over,
  };
}

export function wait(type: string, waitMs: number): NonNullable<LivePoll["waits"]>[number] {
  return { type, waitMs, resourceMs: waitMs, signalMs: 0, count: 1, percent: 100 };
}

/** A database of a secondary that is SYNCHRONIZED and has reported no other value. */
export function databaseState(over: Partial<LiveDatabaseState>): LiveDatabaseState {
  return {
    database: "Sales",
    replicaId: "",
    isLocal: false,
    synchronization: "SYNCHRONIZED",
    suspended: false,
    suspendReason: null,
    sendQueueKb: null,
    sendKbPerSecond: null,
    redoQueueKb: null,
    redoKbPerSecond: null,
    lagSeconds: null,
    dataLossSeconds: null,
    ...over,
  };
}

interface Counted {
  readonly databases?: readonly Partial<LiveCounters["databases"][number]>[];
  readonly replicas?: readonly Partial<LiveCounters["replicas"][number]>[];
}

/** Counters of 5 s. */
export function counterReading({ databases = [], replicas = [] }: Counted): LiveCounters {
  return {
    seconds: 5,
    databases: databases.map((each) => ({
      database: "Sales",
      transactionDelayMs: null,
      mirroredPerSecond: null,
      receivedBytesPerSecond: null,
      redoneBytesPerSecond: null,
      ...each,
    })),
    replicas: replicas.map((each) => ({
      name: "SQL2",
      sentBytesPerSecond: null,
      flowControlMsPerSecond: null,
      flowControlsPerSecond: null,
      ...each,
    })),
  };
}
