import { expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { commonGroup, mergedTopology, readTopologySets, roleInView } from "./topology.ts";

const GROUP = { group_id: "g1", name: "AG1", is_distributed: false, primary_replica: "SQL1" };
const replica = (id: string, name: string, more: object): Record<string, unknown> => ({
  replica_id: id,
  group_id: "g1",
  replica_server_name: name,
  availability_mode: 1,
  is_local: null,
  role_desc: null,
  connected_state_desc: null,
  ...more,
});

/** The group in a secondary's views: states are only of itself (docs/contribute/live-protocol.md 4.2). */
const onSecondary = readTopologySets(
  [GROUP],
  [
    replica("R1", "SQL1", {}),
    replica("R2", "SQL2", { is_local: true, role_desc: "SECONDARY", connected_state_desc: "CONNECTED" }),
    replica("R3", "SQL3", { availability_mode: 0 }),
  ],
  [{ group_id: "g1", group_database_id: "D1", database_id: 9, database_name: "Shop", is_local: true }],
  [{ group_id: "g1", dns_name: "shop-listener", port: 1433 }],
);

test("a secondary knows the primary by name", () => {
  expect(onSecondary.replicas).toMatchObject([
    { replicaId: "r1", role: "primary", commitMode: "sync", isThisServer: false, connected: null },
    { replicaId: "r2", role: "secondary", isThisServer: true, connected: true },
    { replicaId: "r3", role: "secondary", commitMode: "async" },
  ]);
  expect(onSecondary.databases).toEqual([
    { id: "d1", databaseId: 9, name: "Shop", group: "AG1", isContainedSystem: false },
  ]);
  expect(onSecondary.warnings[0]).toContain("shop-listener:1433 is a listener");
});

test("what the states say of a role counts before the name of the primary, which may be of a moment before", () => {
  const { replicas } = readTopologySets(
    [GROUP],
    [replica("R1", "SQL1", { role_desc: "SECONDARY" }), replica("R2", "SQL2", { role_desc: "PRIMARY" })],
    [],
    [],
  );
  expect(replicas.map(({ role }) => role)).toEqual(["secondary", "primary"]);
});

test("a contained group's own master and msdb are named as such; databases of such names in other groups are not", () => {
  const database = (group: string, name: string, id: number): Record<string, unknown> => ({
    group_id: group,
    group_database_id: `D${id}`,
    database_id: id,
    database_name: name,
    is_local: true,
  });
  const { databases, warnings } = readTopologySets(
    [
      { ...GROUP, is_contained: true },
      { ...GROUP, group_id: "g2", name: "AG2", is_contained: false },
    ],
    [],
    [
      database("g1", "Shop", 6),
      database("g1", "AG1_master", 7),
      database("g1", "AG1_msdb", 8),
      database("g1", "AG1_model", 9),
      database("g2", "AG2_master", 10),
    ],
    [],
  );
  const system = databases.filter(({ isContainedSystem }) => isContainedSystem).map(({ name }) => name);
  expect(system).toEqual(["AG1_master", "AG1_msdb"]);
  expect(warnings).toContain(
    "AG1 is a contained availability group. Its own AG1_master and AG1_msdb are recorded like user databases.",
  );
  expect(warnings.filter((sentence) => sentence.includes("contained"))).toHaveLength(1);
});

test("a distributed group is named and left out", () => {
  const topology = readTopologySets(
    [GROUP, { group_id: "g2", name: "DAG", is_distributed: true, primary_replica: null }],
    [
      replica("R1", "SQL1", { is_local: true, role_desc: "PRIMARY" }),
      replica("X", "AG1", { group_id: "g2" }),
    ],
    [],
    [],
  );
  expect(topology.replicas.map(({ serverName }) => serverName)).toEqual(["SQL1"]);
  expect(topology.warnings).toEqual([
    "DAG is a distributed availability group. AG Lens skips its rows and shows its member group on this server.",
  ]);
});

test("servers' knowledge as one", () => {
  const merged = mergedTopology([
    onSecondary,
    {
      replicas: [{ ...elementAt(onSecondary.replicas, 0), commitMode: "undetermined" }],
      databases: [],
      warnings: [],
    },
  ]);
  expect(merged.replicas.get("r1")).toEqual({ name: "SQL1", commitMode: "sync" });
  expect([...merged.databases]).toEqual([["d1", "Shop"]]);
  expect(commonGroup([onSecondary])).toBe("AG1");
});

test("a role that is being decided is none", () => {
  expect(roleInView("RESOLVING")).toBeNull();
});
