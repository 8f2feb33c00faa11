import { expect, test } from "vitest";
import type { ReplicaProposal } from "../server/topology.ts";
import { LiveServer } from "@aglens/contract";
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
const identityAt = (host: string, knownAs?: string): ReplicaIdentity =>
  new ReplicaIdentity(LiveServer.parse({ host }), knownAs);
const topologyOf = (...replicas: ReplicaProposal[]) => ({ replicas, databases: [], warnings: [] });

test("before anything is known it has the user's name for the server", () => {
  const identity = identityAt("sql1");
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

test("a replica that was chosen by its name has that name until its server says its own", () => {
  const identity = identityAt("10.0.0.3", "SQL3");
  expect(identity).toMatchObject({ name: "SQL3", hasAnswered: false });
  identity.setWho({ server_name: "SQL4" });
  expect(identity).toMatchObject({ name: "SQL4", hasAnswered: true });
  identity.forgetServer();
  expect(identity).toMatchObject({ name: "10.0.0.3:1433", hasAnswered: false });
});

test("the server that was met first is the one", () => {
  const identity = identityAt("listener");
  expect(identity.isSame({ server_name: "SQL1" })).toBe(true);
  identity.setWho({ server_name: "SQL1" });
  expect(identity.isSame({ server_name: "SQL1" })).toBe(true);
  expect(identity.isSame({ server_name: "SQL2" })).toBe(false);
});

test("it is the replica of this server in the chosen group, else in the first it is in", () => {
  const identity = identityAt("sql1");
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
  const identity = identityAt("sql1");
  const both = topologyOf(replica({ replicaId: "first" }), replica({ replicaId: "second", group: "AG2" }));
  identity.setTopology(both);
  identity.chooseGroup("AG2");
  identity.setTopology(both);
  expect(identity.replicaId).toBe("second");
});

test("a role that polls found is news once, and outlives a topology that shows none", () => {
  const identity = identityAt("sql1");
  expect(identity.setRole("primary")).toBe(false);
  identity.setTopology(topologyOf(replica({ role: "unknown" })));
  expect(identity.setRole("secondary")).toBe(true);
  expect(identity.setRole("secondary")).toBe(false);
  identity.setTopology(topologyOf(replica({ role: "unknown" })));
  expect(identity.role).toBe("secondary");
  identity.setTopology(topologyOf(replica({ role: "primary" })));
  expect(identity.role).toBe("primary");
});

test("the offset of a server's clock from UTC is that of its own local time", () => {
  const identity = identityAt("sql1");
  expect(identity.utcOffsetMinutes).toBeNull();
  const offsetOf = (now: string): number | null => {
    identity.setWho({ server_name: "SQL1", local_now: now });
    return identity.utcOffsetMinutes;
  };
  expect(offsetOf("2026-11-28 15:04:05.1234567 +05:30")).toBe(330);
  expect(offsetOf("2026-11-28 06:04:05.1234567 -03:30")).toBe(-210);
  expect(offsetOf("2026-11-28 09:34:05.1234567 +00:00")).toBe(0);
});
