import { expect, test } from "vitest";
import type { ReplicaProposal } from "../server/topology.ts";
import { type AttachedServer, unattachedReplicas } from "./known-replicas.ts";

const replica = (serverName: string, changes: Partial<ReplicaProposal> = {}): ReplicaProposal => ({
  replicaId: `id of ${serverName}`,
  serverName,
  group: "AG1",
  role: "secondary",
  commitMode: "sync",
  isThisServer: false,
  connected: true,
  ...changes,
});

/** The primary, whose views list these secondaries as well. */
const primaryOf = (...secondaries: ReplicaProposal[]): AttachedServer => ({
  address: { host: "10.0.0.1" },
  name: "SQL1",
  hasAnswered: true,
  replicaId: "id of SQL1",
  group: "AG1",
  topology: { replicas: [replica("SQL1", { role: "primary", isThisServer: true }), ...secondaries] },
});

const connecting = (
  address: AttachedServer["address"],
  changes: Partial<AttachedServer> = {},
): AttachedServer => ({
  address,
  name: `${address.host}:1433`,
  hasAnswered: false,
  replicaId: "",
  group: "",
  topology: { replicas: [] },
  ...changes,
});

const namesOf = (...attached: AttachedServer[]): string[] =>
  unattachedReplicas(attached).map(({ name }) => name);

test("replicas of the run's group that nobody attaches, each once", () => {
  const old = { ...primaryOf(replica("sql3", { replicaId: "its id before it was joined again" })) };
  expect(
    unattachedReplicas([primaryOf(replica("SQL2"), replica("SQL3"), replica("SQL9", { group: "AG2" })), old]),
  ).toEqual([
    { replicaId: "id of SQL2", name: "SQL2", role: "secondary", commitMode: "sync" },
    { replicaId: "id of SQL3", name: "SQL3", role: "secondary", commitMode: "sync" },
  ]);
});

test("a server that has said its name is that replica before its place in the group is known", () => {
  const primary = primaryOf(replica("SQL2"), replica("SQL3"));
  expect(namesOf(primary, connecting({ host: "127.0.0.1" }, { name: "sql3", hasAnswered: true }))).toEqual([
    "SQL2",
  ]);
});

test("one that was chosen by its name is that replica before it answers", () => {
  const primary = primaryOf(replica("SQL2"), replica("SQL3"));
  expect(namesOf(primary, connecting({ host: "127.0.0.1", port: 50_003 }, { name: "SQL3" }))).toEqual([
    "SQL2",
  ]);
});

test.each([
  ["its host", { host: "sql3" }, []],
  ["its full name", { host: "sql3.corp.example" }, []],
  ["its host and a port", { host: "SQL3", port: 1433 }, []],
  ["its address", { host: "10.0.0.3" }, ["SQL3"]],
  ["its IPv6 address", { host: "fd00::3" }, ["SQL3"]],
  ["another host", { host: "sql33" }, ["SQL3"]],
  ["an instance that it does not have", { host: "sql3", instance: "TWO" }, ["SQL3"]],
])("while a server is connected by %s", (_, address, left) => {
  expect(namesOf(primaryOf(replica("SQL3")), connecting(address))).toEqual(left);
});

test.each([
  ["the instance's name", { host: "node3.corp", instance: "ag" }, ["NODE3\\OTHER"]],
  ["the host alone, which is its default instance", { host: "node3" }, ["NODE3\\AG", "NODE3\\OTHER"]],
  ["a port, which may be either's", { host: "node3", port: 1500 }, ["NODE3\\AG", "NODE3\\OTHER"]],
])("of two instances on one host: %s", (_, address, left) => {
  const primary = primaryOf(replica("NODE3\\AG"), replica("NODE3\\OTHER"));
  expect(namesOf(primary, connecting(address))).toEqual(left);
});

test("what a server said of itself counts more than its address", () => {
  const moved = connecting({ host: "sql3" }, { name: "SQL7", hasAnswered: true });
  expect(namesOf(primaryOf(replica("SQL3")), moved)).toEqual(["SQL3"]);
});
