import { type Capture, NAMES_FILE } from "@aglens/contract";
import { readTopology } from "@aglens/ag-model/replication";
import { expect, test } from "vitest";
import { captureFile } from "../../test/capture-file.ts";
import { captureOf } from "../../test/capture.ts";
import { replicaSummary, summaryOf } from "../../test/summary.ts";
import { hasRenames, namesOf, namesXml } from "./names-client.ts";

const REPLICA = "f3400915-0000-0000-0000-000000000001";
const OF_OTHER_GROUP = "f3400915-0000-0000-0000-000000000009";
const DATABASE = "814415b6-0000-0000-0000-000000000003";

test("names by id are a topology that SQL Server's own would be read as", () => {
  const xml = namesXml({
    group: `A&B <"AG">`,
    servers: [
      { ids: [REPLICA, OF_OTHER_GROUP], name: "SQL1" },
      { ids: [], name: "Secondary" },
    ],
    databases: [{ ids: [DATABASE], name: "Sales & more" }],
  });
  const { replicas, databases, groups } = readTopology(xml);
  expect([...replicas].map(([id, { name }]) => [id, name])).toEqual([
    [REPLICA, "SQL1"],
    [OF_OTHER_GROUP, "SQL1"],
  ]);
  expect([...databases]).toEqual([[DATABASE, "Sales & more"]]);
  expect([...groups]).toEqual([`A&B <"AG">`]);
  expect(readTopology(namesXml({ group: "", servers: [], databases: [] })).groups.size).toBe(0);
});

test("the group is that of the last topology, unless it has several", () => {
  const groupOf = (...files: readonly (readonly string[])[]): string =>
    namesOf(
      captureOf({ files: files.map((groupNames) => captureFile({ groupNames: [...groupNames] })) }),
      summaryOf(),
    ).group;
  expect(groupOf([])).toBe("");
  expect(groupOf(["AG14"], ["AG15"], [])).toBe("AG15");
  expect(groupOf(["AG14"], ["AG15", "AG16"])).toBe("");
});

test("servers and databases are those of the summary, with their ids", () => {
  const summary = summaryOf({
    replicas: [replicaSummary({ ids: [REPLICA], name: "Primary" }), replicaSummary({ ids: [], name: "x" })],
    databases: [{ id: DATABASE, name: "database 814415b6", group: 0, replicaIds: [], localIds: [] }],
  });
  expect(namesOf(captureOf({ name: "Night" }), summary)).toEqual({
    capture: "Night",
    group: "",
    servers: [
      { ids: [REPLICA], name: "Primary" },
      { ids: [], name: "x" },
    ],
    databases: [{ ids: [DATABASE], name: "database 814415b6" }],
  });
});

test("a name is from AlwaysOn_health where no topology has it", () => {
  const replicaNames = { [REPLICA]: "SQL1" };
  const summary = summaryOf({ replicas: [replicaSummary({ ids: [REPLICA], name: "SQL1" })] });
  const sourceOf = (...kinds: ("evidence" | "topology" | "xel")[]) => {
    const files = kinds.map((kind) => captureFile({ kind, replicaNames, groupNames: ["AG14"] }));
    const { servers, groupFrom } = namesOf(captureOf({ files }), summary);
    return [servers[0]?.from, groupFrom];
  };
  expect(sourceOf("xel", "evidence")).toEqual(["health", "health"]);
  expect(sourceOf("topology", "evidence")).toEqual(["topology", "topology"]);
  expect(sourceOf("xel")).toEqual(["remembered", "remembered"]);
});

test("names that were given are a file of the capture", () => {
  const named = captureFile({ kind: "topology", name: NAMES_FILE });
  expect(hasRenames(captureOf({ files: [captureFile()] }))).toBe(false);
  expect(hasRenames(captureOf({ files: [captureFile(), named] }))).toBe(true);
});

test("a name says where it is from: a user, a topology file, or another capture with the same id", () => {
  const summary = summaryOf({
    replicas: [
      replicaSummary({ ids: [REPLICA], name: "SQL1" }),
      replicaSummary({ ids: [OF_OTHER_GROUP], name: "SQL2" }),
      replicaSummary({ ids: [], name: "NODE3" }),
    ],
    databases: [{ id: DATABASE, name: "Sales", group: 0, replicaIds: [], localIds: [] }],
  });
  const remembered = { [REPLICA]: "SQL1", [OF_OTHER_GROUP]: "SQL2" };
  const events = captureFile({
    replicaNames: remembered,
    databaseNames: { [DATABASE]: "Sales" },
    groupNames: ["AG"],
  });
  const topology = captureFile({ kind: "topology", name: "a.xml", replicaNames: { [REPLICA]: "SQL1" } });
  const sourcesOf = (files: Capture["files"]): unknown[] => {
    const { groupFrom, servers, databases } = namesOf(captureOf({ files }), summary);
    return [groupFrom, ...servers.map(({ from }) => from), ...databases.map(({ from }) => from)];
  };
  expect(sourcesOf([])).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(sourcesOf([events, topology])).toEqual([
    "remembered",
    "topology",
    "remembered",
    undefined,
    "remembered",
  ]);
  const renamed = captureFile({ kind: "topology", name: NAMES_FILE, databaseNames: { [DATABASE]: "Sales" } });
  const given = captureFile({ given: { replica: "NODE3" } });
  expect(sourcesOf([events, topology, renamed, given])).toEqual([
    "remembered",
    "topology",
    "remembered",
    "renamed",
    "renamed",
  ]);
});
