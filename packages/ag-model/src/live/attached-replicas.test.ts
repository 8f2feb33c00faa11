import { describe, expect, it } from "vitest";
import { eventColumns } from "../../test/events.ts";
import { readTopology } from "../replication/shapes/topology.ts";
import { AttachedReplicas, type AttachedInput } from "./attached-replicas.ts";
import { LiveModel } from "./live-model.ts";
import type { LiveModelReplica } from "./picture.ts";

/** Events from 0 to an instant, µs of the run. */
const readTo = (to: number) => ({ from: 0, to });
const A = "a7f6cb00-0bb9-4251-8425-21b3e4313d44";
const B = "c327cb00-0bb9-4251-8425-21b3e4313d44";

const replica = (name: string, role: LiveModelReplica["role"], replicaId = ""): LiveModelReplica => ({
  name,
  role,
  replicaId,
});
const two = () =>
  new AttachedReplicas([replica("10.0.0.1", "secondary", B), replica("10.0.0.2", "primary", A)]);

describe("attached replicas", () => {
  it("are found by their role and by their id, those that are added included", () => {
    const replicas = two();
    expect([
      replicas.primary,
      replicas.attachedAs(A),
      replicas.attachedAs(B),
      replicas.attachedAs(""),
    ]).toEqual([1, 1, 0, -1]);
    replicas.add(replica("10.0.0.3", "unknown", "x"));
    expect([replicas.attachedAs("x"), replicas.described.length]).toEqual([2, 3]);
    expect(new AttachedReplicas([replica("10.0.0.1", "secondary")]).primary).toBe(-1);
    expect(new AttachedReplicas([replica("10.0.0.1", "secondary")]).attachedAs("")).toBe(-1);
  });

  it("are called by the name that a server has, as soon as one is known", () => {
    const replicas = two();
    replicas.add(replica("10.0.0.3", "unknown"));
    expect([0, 1].map((r) => replicas.nameOf(r))).toEqual(["10.0.0.1", "10.0.0.2"]);
    replicas.setTopology(
      readTopology(
        `<AGInfoRoot><row replica_id="${A}" replica_server_name="SQL1"/><row replica_id="${B}" replica_server_name="SQL2"/></AGInfoRoot>`,
      ),
    );
    expect(replicas.described.map(({ name }) => name)).toEqual(["SQL2", "SQL1", "10.0.0.3"]);
    replicas.setRole(2, "secondary", B);
    expect([replicas.described[2].name, replicas.nameOf(2)]).toEqual(["SQL2", "SQL2"]);
  });

  it("change their role only where they had another one", () => {
    const replicas = two();
    replicas.add(replica("10.0.0.3", "unknown"));
    expect([
      replicas.changesRole(0, "primary"),
      replicas.changesRole(0, "secondary"),
      replicas.changesRole(2, "primary"),
    ]).toEqual([true, false, false]);
    replicas.setRole(0, "primary", "");
    expect(replicas.described[0]).toEqual(replica("10.0.0.1", "primary", B));
  });

  it("learn up to where they were read, which never falls, and who they are", () => {
    const replicas = two();
    replicas.add(replica("10.0.0.3", "unknown"));
    expect([replicas.newest, replicas.decodedTo]).toEqual([0, [Number.NaN, Number.NaN, Number.NaN]]);
    replicas.advance(0, readTo(500), 7, "other");
    replicas.advance(0, readTo(400), Number.NaN, "");
    replicas.advance(2, readTo(300), 0, "x");
    expect([replicas.newest, replicas.decodedTo]).toEqual([500, [500, Number.NaN, 300]]);
    expect(replicas.described.map(({ replicaId }) => replicaId)).toEqual([B, A, "x"]);
    expect([replicas.isExcused(0), replicas.given()]).toEqual([false, []]);
    replicas.gap(0, "connection");
    expect([replicas.isExcused(0), replicas.isExcused(1)]).toEqual([true, false]);
  });

  it("wait for the primary's first event for ten seconds, and for its next ones without end", () => {
    const given = (role: "primary" | "secondary"): AttachedInput => ({
      replica: 0,
      input: { role, columns: eventColumns([]) },
    });
    const lacks = (
      replicas: AttachedReplicas,
      seconds: number,
      ...roles: ("primary" | "secondary")[]
    ): boolean => replicas.lacksPrimary(roles.map(given), BigInt(Math.round(seconds * 1e7)));
    expect([lacks(two(), 9.9999, "secondary"), lacks(two(), 10, "secondary")]).toEqual([true, false]);
    expect(lacks(two(), 1, "secondary", "primary")).toBe(false);
    expect(lacks(new AttachedReplicas([replica("10.0.0.1", "secondary")]), 1, "secondary")).toBe(false);
    const heard = two();
    heard.advance(1, readTo(5), 0, "");
    expect(lacks(heard, 99, "secondary")).toBe(true);
  });
});

it("a run without an event has no bins and no overview, and its lanes and time from the start", () => {
  const live = new LiveModel([replica("SQL1", "primary", A), replica("SQL2", "secondary", B)]);
  expect(live.whole()).toMatchObject({
    bins: null,
    overview: null,
    originTicks: 0n,
    now: 0,
    verdict: null,
    clocks: [],
  });
  expect(live.step(1_000n)).toMatchObject({ bins: null, overview: null, now: 0 });
});
