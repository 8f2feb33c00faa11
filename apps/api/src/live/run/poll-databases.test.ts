import { expect, test } from "vitest";
import {
  connectionsIn,
  databaseStates,
  localRoles,
  localSignature,
  logFileIds,
  topologySignature,
} from "./poll-databases.ts";

const NAMES = new Map([["d1", "Sales"]]);

const primaryRow = {
  replica_id: "R1",
  group_database_id: "D1",
  database_id: 6,
  is_local: true,
  is_primary_replica: true,
  synchronization_state_desc: "SYNCHRONIZED",
  is_suspended: false,
  suspend_reason_desc: null,
  log_send_queue_size: null,
  log_send_rate: null,
  redo_queue_size: null,
  redo_rate: null,
  secondary_lag_seconds: null,
  last_commit_time: "2026-11-22T10:50:18.100",
};
const secondaryRow = {
  ...primaryRow,
  replica_id: "R2",
  is_local: false,
  is_primary_replica: false,
  log_send_queue_size: "120",
  log_send_rate: "4800",
  redo_queue_size: "62900",
  redo_rate: "48400",
  secondary_lag_seconds: "1",
  last_commit_time: "2026-11-22T10:49:57.300",
};

test("a primary sees its secondaries; nothing is lost with one that is SYNCHRONIZED", () => {
  expect(databaseStates([primaryRow, secondaryRow], NAMES)).toEqual([
    {
      database: "Sales",
      replicaId: "r1",
      isLocal: true,
      synchronization: "SYNCHRONIZED",
      suspended: false,
      suspendReason: null,
      sendQueueKb: null,
      sendKbPerSecond: null,
      redoQueueKb: null,
      redoKbPerSecond: null,
      lagSeconds: null,
      dataLossSeconds: null,
    },
    {
      database: "Sales",
      replicaId: "r2",
      isLocal: false,
      synchronization: "SYNCHRONIZED",
      suspended: false,
      suspendReason: null,
      sendQueueKb: 120,
      sendKbPerSecond: 4_800,
      redoQueueKb: 62_900,
      redoKbPerSecond: 48_400,
      lagSeconds: 1,
      dataLossSeconds: 0,
    },
  ]);
});

test("one that is not loses the commits since its newest: 20.8 s", () => {
  const behind = { ...secondaryRow, synchronization_state_desc: "SYNCHRONIZING" };
  expect(databaseStates([primaryRow, behind], NAMES)[1]?.dataLossSeconds).toBe(20.8);
  // The figures of the secondary may be newer than those of the primary.
  const ahead = { ...behind, last_commit_time: "2026-11-22T10:50:18.400" };
  expect(databaseStates([primaryRow, ahead], NAMES)[1]?.dataLossSeconds).toBe(0);
});

test("what is not known is not 0: no commit yet, no row of the primary, NULL in every column", () => {
  const behind = { ...secondaryRow, synchronization_state_desc: "NOT SYNCHRONIZING", last_commit_time: null };
  expect(databaseStates([primaryRow, behind], NAMES)[1]?.dataLossSeconds).toBeNull();
  expect(databaseStates([{ ...secondaryRow, synchronization_state_desc: null }], NAMES)[0]).toMatchObject({
    synchronization: null,
    dataLossSeconds: null,
  });
  const nothing = Object.fromEntries(Object.keys(secondaryRow).map((key) => [key, null]));
  expect(databaseStates([nothing], new Map())[0]).toMatchObject({
    suspended: false,
    sendQueueKb: null,
    redoKbPerSecond: null,
  });
});

test("a suspended database says why; the reason of one that runs again is not kept", () => {
  const suspended = { ...secondaryRow, is_suspended: true, suspend_reason_desc: "SUSPEND_FROM_USER" };
  expect(databaseStates([suspended], NAMES)[0]).toMatchObject({
    suspended: true,
    suspendReason: "SUSPEND_FROM_USER",
  });
  const resumed = { ...suspended, is_suspended: false };
  expect(databaseStates([resumed], NAMES)[0]).toMatchObject({ suspended: false, suspendReason: null });
});

test("queues do not change what the cluster is asked for; a role, a state and a suspension do", () => {
  const before = topologySignature([primaryRow, secondaryRow]);
  expect(topologySignature([secondaryRow, { ...primaryRow }])).toBe(before);
  expect(topologySignature([primaryRow, { ...secondaryRow, redo_queue_size: "1", redo_rate: "2" }])).toBe(
    before,
  );
  for (const change of [
    { is_primary_replica: true },
    { synchronization_state_desc: "NOT SYNCHRONIZING" },
    { is_suspended: true },
    { group_database_id: "D2" },
  ])
    expect(topologySignature([primaryRow, { ...secondaryRow, ...change }])).not.toBe(before);
});

test("names and files are asked again when a local database comes or leaves", () => {
  const before = localSignature([primaryRow, secondaryRow]);
  expect(localSignature([primaryRow])).toBe(before);
  expect(localSignature([primaryRow, { ...primaryRow, group_database_id: "D2", database_id: 7 }])).not.toBe(
    before,
  );
});

test("a role that is being decided is none; only other replicas are connected or not", () => {
  const states = [
    {
      replica_id: "R1",
      group_id: "G",
      is_local: true,
      role_desc: "RESOLVING",
      connected_state_desc: "CONNECTED",
    },
    {
      replica_id: "R2",
      group_id: "G",
      is_local: false,
      role_desc: "SECONDARY",
      connected_state_desc: "DISCONNECTED",
      last_connect_error_description: "The connection timed out.",
    },
    {
      replica_id: "R3",
      group_id: "G",
      is_local: false,
      role_desc: "SECONDARY",
      connected_state_desc: "CONNECTED",
      last_connect_error_description: "An error of last week.",
    },
    { replica_id: "R4", group_id: "G", is_local: false, role_desc: null, connected_state_desc: null },
  ];
  expect(localRoles(states)).toEqual([{ replicaId: "r1", groupId: "g", role: null }]);
  expect(connectionsIn(states)).toEqual([
    { replicaId: "r2", connected: false, lastError: "The connection timed out." },
    { replicaId: "r3", connected: true, lastError: null },
    { replicaId: "r4", connected: null, lastError: null },
  ]);
});

test("each database has its log files; where files cannot be seen it is the first one", () => {
  const databases = [{ database_id: 6 }, { database_id: 7 }];
  const files = [
    { database_id: 6, file_id: 2 },
    { database_id: 6, file_id: 5 },
  ];
  expect(logFileIds(databases, files)).toEqual([
    { databaseId: 6, fileId: 2 },
    { databaseId: 6, fileId: 5 },
    { databaseId: 7, fileId: 2 },
  ]);
});
