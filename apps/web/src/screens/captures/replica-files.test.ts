import { describe, expect, it } from "vitest";
import { captureFile as file } from "../../../test/capture-file.ts";
import { byReplica, coverageOf, unixMs } from "./replica-files.ts";

describe("files of a capture", () => {
  it("groups rollovers by replica, the primary first, and finds what every replica covers", () => {
    const groups = byReplica([
      file({
        role: "secondary",
        replica: "SQL2",
        from: "2016-05-06T02:16:55.8000000Z",
        to: "2016-05-06T02:18:28.2000000Z",
      }),
      file({ id: "b", from: "2016-05-06T02:17:30.0000000Z", to: "2016-05-06T02:18:52.2000000Z", events: 5 }),
      file({ id: "a", from: "2016-05-06T02:16:55.0000000Z", to: "2016-05-06T02:17:30.0000000Z" }),
      file({ kind: "unreadable" }),
      file({ role: "ignored" }),
    ]);
    expect(groups.map((group) => [group.replica, group.files.map((one) => one.id), group.events])).toEqual([
      ["SQL1", ["a", "b"], 15],
      ["SQL2", ["f"], 10],
    ]);
    expect(coverageOf(groups)?.common).toEqual([
      Date.UTC(2016, 4, 6, 2, 16, 55, 800),
      Date.UTC(2016, 4, 6, 2, 18, 28, 200),
    ]);
  });

  it("finds nothing in common when the times do not meet", () => {
    const groups = byReplica([
      file({ from: "2016-05-06T02:00:00.0000000Z", to: "2016-05-06T02:01:00.0000000Z" }),
      file({
        role: "secondary",
        replica: "B",
        from: "2016-05-06T03:00:00.0000000Z",
        to: "2016-05-06T03:01:00.0000000Z",
      }),
    ]);
    expect(coverageOf(groups)?.common).toBeNull();
    expect(coverageOf([])).toBeNull();
    expect(unixMs(null)).toBeNull();
  });

  it("finds nothing in common while the times of a replica are not known", () => {
    const groups = byReplica([
      file({ from: "2016-05-06T02:00:00.0000000Z", to: "2016-05-06T02:01:00.0000000Z" }),
      file({ role: "secondary", replica: "B" }),
    ]);
    expect(coverageOf(groups)).toEqual({
      from: Date.UTC(2016, 4, 6, 2),
      to: Date.UTC(2016, 4, 6, 2, 1),
      common: null,
    });
  });

  it("calls a replica by the topology's name unless the user gave one", () => {
    const topology = file({ kind: "topology", replicaNames: { p: "NODE1" } });
    const names = (replica: string) => byReplica([file({ replicaId: "p", replica }), topology])[0].name;
    expect(names("Primary")).toBe("NODE1");
    expect(names("Payroll")).toBe("Payroll");
  });
});
