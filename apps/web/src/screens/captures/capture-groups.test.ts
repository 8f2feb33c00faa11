import { describe, expect, it, test } from "vitest";
import type { CaptureGroup, GroupServer } from "@aglens/contract";
import { captureFile } from "../../../test/capture-file.ts";
import { failoverText, groupsOf, restOf, uploadLead, uploadTitle } from "./capture-groups.ts";

const at = (clock: string): string => `2026-05-20T${clock}.0000000Z`;

const server = (name: string, more: Partial<GroupServer> = {}): GroupServer => ({
  name,
  nameFrom: "topology",
  ids: [`id of ${name}`],
  role: "primary",
  files: [name],
  roles: [],
  ...more,
});

const group = (servers: GroupServer[]): CaptureGroup => ({
  name: "AG1 · 20 May 2026, 16:16 UTC",
  group: "AG1",
  servers,
  databases: ["Sales"],
  withoutFile: [],
  foreign: false,
  warnings: [],
});

const role = (
  database: string,
  role: GroupServer["role"],
  from: string,
  to: string,
): GroupServer["roles"][number] => ({ database, role, from: at(from), to: at(to) });

const serversOf = (...servers: GroupServer[]) => {
  const files = servers.map(({ name }) => captureFile({ id: name, name: `${name}.xel` }));
  return groupsOf({ groups: [group(servers)], files })[0]?.servers ?? [];
};

const stepsOf = (one: GroupServer) =>
  serversOf(one)[0]?.roleSteps.map(({ role, of }) => (of === null ? role : `${role} of ${of}`));

describe("the roles of a server", () => {
  it("follow each other after a failover", () => {
    const [one] = serversOf(
      server("SQL1", {
        roles: [
          role("Sales", "primary", "16:16:36", "16:16:59"),
          role("Sales", "secondary", "16:17:06", "16:17:34"),
        ],
      }),
    );
    expect(one?.roleSteps.map(({ role }) => role)).toEqual(["primary", "secondary"]);
    expect(one?.roleTimes).toEqual([
      { role: "primary", from: Date.UTC(2026, 4, 20, 16, 16, 36), to: Date.UTC(2026, 4, 20, 16, 16, 59) },
      { role: "secondary", from: Date.UTC(2026, 4, 20, 16, 17, 6), to: Date.UTC(2026, 4, 20, 16, 17, 34) },
    ]);
  });

  it("are named with their databases where it had both at once", () => {
    const roles = [
      role("HR", "secondary", "16:16:36", "16:17:34"),
      role("Sales", "primary", "16:16:36", "16:17:34"),
    ];
    expect(stepsOf(server("SQL1", { roles }))).toEqual(["primary of Sales", "secondary of HR"]);
  });

  it("are one where all databases have it, and where no event shows any", () => {
    const roles = [
      role("HR", "secondary", "16:16:36", "16:17:34"),
      role("Sales", "secondary", "16:16:36", "16:17:34"),
    ];
    expect(stepsOf(server("SQL1", { roles }))).toEqual(["secondary"]);
    expect(stepsOf(server("SQL1"))).toEqual(["primary"]);
  });

  it("are the one that the user gave", () => {
    const roles = [
      role("Sales", "primary", "16:16:36", "16:16:59"),
      role("Sales", "secondary", "16:17:06", "16:17:34"),
    ];
    const files = [captureFile({ id: "SQL1", given: { role: "secondary" } })];
    const [one] =
      groupsOf({ groups: [group([server("SQL1", { role: "secondary", roles })])], files })[0]?.servers ?? [];
    expect(one?.roleSteps).toEqual([{ role: "secondary", of: null }]);
    expect(one?.roleTimes).toEqual([]);
  });
});

test("a failover is named with its instant and the time without a primary", () => {
  const servers = serversOf(
    server("SQL1", {
      roles: [
        role("Sales", "primary", "16:16:36", "16:16:59"),
        role("Sales", "secondary", "16:17:06", "16:17:34"),
      ],
    }),
    server("SQL2", {
      roles: [
        role("Sales", "secondary", "16:16:36", "16:16:59"),
        role("Sales", "primary", "16:17:05", "16:17:34"),
      ],
    }),
  );
  expect(failoverText(servers)).toEqual([
    "Failover at 16:16:59.0 from SQL1 to SQL2, 6.00\u2009s without a primary.",
  ]);
  expect(failoverText(serversOf(server("SQL1"), server("SQL2", { role: "secondary" })))).toEqual([]);
});

describe("the headline of an upload", () => {
  const used = captureFile({ id: "SQL1" });
  const copy = captureFile({ id: "copy", role: "ignored" });
  const topology = captureFile({ id: "t", kind: "topology" });

  it("counts captures and files", () => {
    const one = group([server("SQL1")]);
    expect(uploadTitle({ groups: [one, one], files: [used, copy, topology] })).toBe("2 captures in 3 files");
    expect(uploadTitle({ groups: [one], files: [used] })).toBe("1 capture in 1 file");
    expect(uploadTitle({ groups: [], files: [copy] })).toBe("No log transport in this file");
    expect(uploadTitle({ groups: [], files: [copy, copy] })).toBe("No log transport in these 2 files");
    expect(uploadTitle({ groups: [], files: [] })).toBeNull();
  });

  it("does not say of files that nobody could read what is in them", () => {
    const broken = captureFile({ id: "b", kind: "unreadable", role: "ignored" });
    expect(uploadTitle({ groups: [], files: [broken] })).toBe("This file cannot be read");
    expect(uploadTitle({ groups: [], files: [broken, broken] })).toBe("These 2 files cannot be read");
    expect(uploadTitle({ groups: [], files: [broken, copy] })).toBe("No log transport in these 2 files");
    expect(uploadLead({ files: [broken, copy], unused: [] })).toBe(
      "No file is used: 1 cannot be read, 1 is skipped.",
    );
  });

  it("says what is used and what is not", () => {
    const broken = captureFile({ id: "b", kind: "unreadable", role: "ignored" });
    expect(uploadLead({ files: [used, used, copy, topology, broken], unused: [] })).toBe(
      "Names and roles are from the files. 2 files are used, 1 gives names, 1 cannot be read, 1 is skipped.",
    );
    expect(restOf({ files: [used, copy, topology, broken] })).toEqual([copy, topology, broken]);
  });
});
