import { expect, test } from "vitest";
import type { ReplicaProposal } from "../server/topology.ts";
import { ReplicaIdentity } from "./replica-identity.ts";

const replica = (changes: Partial<ReplicaProposal>): ReplicaProposal => ({
  replicaId: "r1",
  serverName: "SQL1",
  group: "AG1",
  role: "primary",
  commitMode: "sync",
  isThisServer: true,
  connected: true,
  ...changes,
});
const topologyOf = (...replicas: ReplicaProposal[]) => ({ replicas, databases: [], notes: [] });

test("before anything is known it has the user's name for the server", () => {
  const identity = new ReplicaIdentity("sql1:1433");
  expect(identity).toMatchObject({
    name: "sql1:1433",
    role: "unknown",
    replicaId: "",
    commitMode: "undetermined",
  });
  identity.setWho({ server_name: "", major_version: 16 });
  expect(identity.name).toBe("sql1:1433");
  identity.setWho({ server_name: "SQL1", major_version: 16 });
  expect(identity.name).toBe("SQL1");
  expect(identity.major).toBe(16);
});

test("the server that was met first is the one", () => {
  const identity = new ReplicaIdentity("listener:1433");
  expect(identity.isSame({ server_name: "SQL1" })).toBe(true);
  identity.setWho({ server_name: "SQL1" });
  expect(identity.isSame({ server_name: "SQL1" })).toBe(true);
  expect(identity.isSame({ server_name: "SQL2" })).toBe(false);
});

test("it is the replica of this server in the chosen group, else in the first it is in", () => {
  const identity = new ReplicaIdentity("sql1:1433");
  identity.setTopology(
    topologyOf(
      replica({ replicaId: "other", isThisServer: false, group: "AG2" }),
      replica({ replicaId: "first" }),
      replica({ replicaId: "second", group: "AG2", role: "secondary", commitMode: "async" }),
    ),
  );
  expect(identity.replicaId).toBe("first");
  identity.chooseGroup("AG2");
  expect(identity).toMatchObject({ replicaId: "second", role: "secondary", commitMode: "async" });
  identity.chooseGroup("AG9");
  expect(identity.replicaId).toBe("first");
  identity.setTopology(topologyOf());
  expect(identity.replicaId).toBe("");
});

test("a new topology keeps the group that was chosen", () => {
  const identity = new ReplicaIdentity("sql1:1433");
  const both = topologyOf(replica({ replicaId: "first" }), replica({ replicaId: "second", group: "AG2" }));
  identity.setTopology(both);
  identity.chooseGroup("AG2");
  identity.setTopology(both);
  expect(identity.replicaId).toBe("second");
});

test("a role that polls found is news once, and outlives a topology that shows none", () => {
  const identity = new ReplicaIdentity("sql1:1433");
  expect(identity.setRole("primary")).toBe(false);
  identity.setTopology(topologyOf(replica({ role: "unknown" })));
  expect(identity.setRole("secondary")).toBe(true);
  expect(identity.setRole("secondary")).toBe(false);
  identity.setTopology(topologyOf(replica({ role: "unknown" })));
  expect(identity.role).toBe("secondary");
  identity.setTopology(topologyOf(replica({ role: "primary" })));
  expect(identity.role).toBe("primary");
});
