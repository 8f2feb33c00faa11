import { describe, expect, it } from "vitest";
import { mergeTopologies, readTopology, TopologyError, xmlText } from "./topology.ts";

const A = "a7f6cb00-0bb9-4251-8425-21b3e4313d44";
const B = "c327cb00-0bb9-4251-8425-21b3e4313d44";
const rows = (...elements: string[]): string => `<AGInfoRoot>${elements.join("")}</AGInfoRoot>`;
const replica = (attributes: string) =>
  readTopology(rows(`<row replica_id="${A}" ${attributes}/>`)).replicas.get(A);

describe("the topology file", () => {
  it("has replicas and databases in rows of any name, and ids in any spelling", () => {
    const topology = readTopology(
      rows(
        `<Replicas REPLICA_ID="{${A.toUpperCase()}}" replica_server_name="NODE3" availability_mode_desc="SYNCHRONOUS_COMMIT"/>`,
        `<x availability_replica_id="${B}" server_name="NODE4" availability_mode_desc="asynchronous_commit"/>`,
        `<DBs group_database_id="${A}" database_name="Sales"/>`,
        `<row group_database_id="${B}" db_name="Orders"/>`,
      ),
    );
    expect([...topology.replicas]).toEqual([
      [A, { name: "NODE3", commitMode: "sync" }],
      [B, { name: "NODE4", commitMode: "async" }],
    ]);
    expect([...topology.databases]).toEqual([
      [A, "Sales"],
      [B, "Orders"],
    ]);
  });

  it("has the groups' names, each once and harmless", () => {
    const { groups } = readTopology(
      rows(
        '<a group_name="SALES"/>',
        '<b GROUP_NAME="SALES"/>',
        '<c ag_name="CRM&#x202e;x"/>',
        '<d group_name=""/>',
      ),
    );
    expect([...groups]).toEqual(["SALES", "CRMx"]);
    expect([
      ...(mergeTopologies([
        { replicas: new Map(), databases: new Map() },
        readTopology(rows('<a group_name="HR"/>')),
      ]).groups ?? []),
    ]).toEqual(["HR"]);
  });

  it.each([
    ['availability_mode="1"', "sync"],
    ['availability_mode="0"', "async"],
    ['availability_mode_desc="SYNCHRONOUS_COMMIT"', "sync"],
    ['availability_mode_desc="ASYNCHRONOUS_COMMIT"', "async"],
    ['availability_mode_desc="ASYNCHRONOUS_COMMIT" availability_mode="1"', "async"],
    ['availability_mode_desc="CONFIGURATION_ONLY"', null],
    ['availability_mode="4"', null],
    ['is_local="0" is_commit_participant="1"', "sync"],
    ['availability_mode="0" is_local="0" is_commit_participant="1"', "async"],
    // A synchronous replica that catches up does not participate, and only the primary reports which replicas do.
    ['is_local="0" is_commit_participant="0"', null],
    ['is_local="1" is_commit_participant="1"', null],
    ["", null],
  ])("reads %s as %s", (attributes, commitMode) => {
    expect(replica(attributes)?.commitMode).toBe(commitMode);
  });

  it("puts together what several rows have of a replica, without losing what was known", () => {
    const of = readTopology(
      rows(
        `<a replica_id="${A}" replica_server_name="NODE3"/>`,
        `<b replica_id="${A}" availability_mode="1"/>`,
        `<c replica_id="${A}" role="PRIMARY"/>`,
      ),
    );
    expect(of.replicas.get(A)).toEqual({ name: "NODE3", commitMode: "sync" });
  });

  it("passes over rows whose id is none, and databases without a name", () => {
    const of = readTopology(
      rows(
        '<a replica_id="7"/>',
        `<b group_database_id="${A}"/>`,
        `<c group_database_id="x" database_name="Sales"/>`,
      ),
    );
    expect([of.replicas.size, of.databases.size]).toEqual([0, 0]);
  });

  it("has names that can be shown: bounded, without control and direction characters", () => {
    const long = "x".repeat(100_000);
    const { replicas, databases } = readTopology(
      rows(
        `<a replica_id="${A}" replica_server_name="SQL&#x202e;1&#10;${long}"/>`,
        `<b group_database_id="${B}" database_name="${long}"/>`,
        `<c group_database_id="${A}" database_name="&#x200b;"/>`,
      ),
    );
    expect(replicas.get(A)?.name).toMatch(/^SQL1x+…$/u);
    expect(replicas.get(A)?.name).toHaveLength(128);
    expect([...databases]).toEqual([[B, `${"x".repeat(127)}…`]]);
  });

  it("names no more than an availability group can have", () => {
    const id = (n: number): string => `${n.toString(16).padStart(8, "0")}${A.slice(8)}`;
    const replicas = (n: number): string =>
      rows(...Array.from({ length: n }, (_, i) => `<a replica_id="${id(i)}" replica_server_name="S${i}"/>`));
    const databases = (n: number): string =>
      rows(...Array.from({ length: n }, (_, i) => `<a group_database_id="${id(i)}" database_name="D${i}"/>`));
    expect(readTopology(replicas(200)).replicas.size).toBe(200);
    expect(() => readTopology(replicas(201))).toThrow("more than 200 replicas");
    expect(readTopology(databases(2000)).databases.size).toBe(2000);
    expect(() => readTopology(databases(2001))).toThrow("more than 2,000 databases");
  });

  it("has the offsets of servers' clocks, as far as there are such zones", () => {
    const read = (minutes: string) =>
      readTopology(rows(`<a replica_id="${A}" utc_offset_minutes="${minutes}"/>`)).serverOffsets.get(A);
    expect(["330", "-210", "0", "840", "841", "2e1", "", "99999"].map(read)).toEqual([
      330,
      -210,
      0,
      840,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is refused when it is other XML or none", () => {
    expect(() => readTopology("<a/>")).toThrow(
      new TopologyError("The topology file's root is a, expected AGInfoRoot."),
    );
    expect(() => readTopology("not xml")).toThrow("not well-formed XML");
    expect(() => readTopology("")).toThrow(TopologyError);
  });
});

describe("several topology files", () => {
  it("fill each other's gaps, the later one where both say something", () => {
    const of = (name: string, commitMode: "sync" | "async" | null, database: string) => ({
      replicas: new Map([[A, { name, commitMode }]]),
      databases: new Map([[A, database]]),
    });
    const merged = mergeTopologies([of("NODE3", null, "Sales"), of("", "sync", "Sales2")]);
    expect(merged.replicas.get(A)).toEqual({ name: "NODE3", commitMode: "sync" });
    expect(merged.databases.get(A)).toBe("Sales2");
    const offsets = [60, 120].map((minutes) => ({
      ...of("SQL1", null, "Sales"),
      serverOffsets: new Map([[A, minutes]]),
    }));
    expect(mergeTopologies(offsets).serverOffsets).toEqual(new Map([[A, 120]]));
    expect(mergeTopologies([of("OLD", "async", "x"), of("NEW", "sync", "y")]).replicas.get(A)).toEqual({
      name: "NEW",
      commitMode: "sync",
    });
  });
});

it("bytes that only begin with the sign of a tag are no XML", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(xmlText(bytes("\uFEFF <AGInfoRoot/>"))).toContain("<AGInfoRoot/>");
  expect(xmlText(bytes("<?xml version='1.0'?><a/>"))).not.toBeNull();
  expect(xmlText(bytes("< 5 ms is good"))).toBeNull();
  expect(xmlText(bytes("<a\u0000\u0003\u0001"))).toBeNull();
  expect(xmlText(Uint8Array.of(0x3c, 0x61, 0xfe, 0x80, 0x81, 0x9c))).toBeNull();
});
