import type { CaptureFile, FileIdentity } from "@aglens/contract";
import { describe, expect, test } from "vitest";
import { filesOfGroup, groupedFiles } from "./grouped-files.ts";
import { withKnownNames } from "./known-names.ts";
import { NOTHING } from "./recognised.ts";

type Side = "primary" | "secondary";

const SECOND = 10_000_000n;
const START = 131_069_745_600_000_000n;

/** Identity in the events of a server: its id, the other server's id, and the role in each interval of ten seconds. */
function identity(own: string, partner: string, sides: readonly Side[], database = "sales"): FileIdentity {
  const count = (side: Side): number => sides.filter((each) => each === side).length * 100;
  return {
    ownIds: [own],
    partnerIds: [partner],
    groupIds: [],
    databases: [
      {
        id: database,
        primaryEvents: count("primary"),
        secondaryEvents: count("secondary"),
        stretches: sides.map((role, i) => ({
          role,
          fromTicks: String(START + BigInt(i) * 10n * SECOND),
          toTicks: String(START + BigInt(i + 1) * 10n * SECOND),
          blocks: 50,
        })),
      },
    ],
    events: 100,
    logEvents: 100,
    fromTicks: String(START),
    toTicks: String(START + BigInt(sides.length) * 10n * SECOND),
    counterZeroTicks: null,
    engine: "start_timestamp",
  };
}

let made = 0;

const file = (changes: Partial<CaptureFile> = {}): CaptureFile => ({
  ...NOTHING,
  id: `f${(made += 1)}`,
  name: "a.xel",
  folder: null,
  path: "",
  sha256: `hash ${made}`,
  size: 1,
  kind: "xel",
  given: {},
  role: "ignored",
  replica: "",
  ...changes,
});

const server = (own: string, partner: string, sides: readonly Side[], changes: Partial<CaptureFile> = {}) =>
  file({ identity: identity(own, partner, sides), detectedRole: sides[0] ?? "unknown", ...changes });

const labels = (files: readonly CaptureFile[]): string[] =>
  groupedFiles(files).files.map(({ role, replica }) => `${replica}, ${role}`);

describe("servers that nobody named", () => {
  test("go by their role while they have one", () => {
    const pair = [
      server("1", "2", ["primary"]),
      server("2", "1", ["secondary"]),
      server("3", "1", ["secondary"]),
    ];
    expect(labels(pair)).toEqual(["Primary, primary", "Secondary, secondary", "Secondary 2, secondary"]);
  });

  test("go by the start of their id when their role changed, and one of them is the primary by hint", () => {
    const files = [
      server("22222222-b", "11111111-a", ["secondary", "primary"]),
      server("11111111-a", "22222222-b", ["primary", "primary", "secondary"]),
    ];
    expect(labels(files)).toEqual(["22222222, secondary", "11111111, primary"]);
    const [group, ...more] = groupedFiles(files).groups;
    expect(more).toEqual([]);
    expect(group?.servers[0]?.roles.map(({ role, from }) => `${role} ${from}`)).toEqual([
      "primary 2016-05-06T02:16:00.0000000Z",
      "secondary 2016-05-06T02:16:20.0000000Z",
    ]);
  });
});

describe("what the user says", () => {
  const pair = (primary: Partial<CaptureFile>, secondary: Partial<CaptureFile>) => [
    server("1", "2", ["primary"], primary),
    server("2", "1", ["secondary"], secondary),
  ];

  test("names a server", () => {
    expect(labels(pair({}, { given: { replica: "SQL2" } }))).toEqual(["Primary, primary", "SQL2, secondary"]);
  });

  test("gives it a role, and the others the other one", () => {
    expect(labels(pair({}, { given: { role: "primary" } }))).toEqual([
      "Secondary, secondary",
      "Primary, primary",
    ]);
  });

  test("leaves a file out", () => {
    const { files, groups } = groupedFiles(pair({}, { given: { role: "ignored" } }));
    expect(files.map(({ role }) => role)).toEqual(["primary", "ignored"]);
    expect(groups[0]?.servers).toHaveLength(1);
    expect(groups[0]?.withoutFile).toEqual([{ id: "2", name: "2" }]);
  });

  test("takes a file in whose events show no side", () => {
    const bare = (given: CaptureFile["given"]) =>
      file({ identity: { ...identity("1", "2", []), ownIds: [], partnerIds: [], databases: [] }, given });
    expect(groupedFiles([bare({})])).toMatchObject({ files: [{ role: "ignored" }], groups: [] });
    expect(labels([bare({ role: "secondary", replica: "SQL2" })])).toEqual(["SQL2, secondary"]);
  });
});

test("names of a topology are used, unless it is left out", () => {
  const topology = (given: CaptureFile["given"]) =>
    file({ kind: "topology", replicaNames: { "1": "SQL1" }, databaseNames: { sales: "Sales" }, given });
  const one = server("1", "2", ["primary"]);
  expect(groupedFiles([one, topology({})])).toMatchObject({
    files: [{ replica: "SQL1" }, { role: "primary", replica: "Topology" }],
    groups: [{ name: "SQL1 · 6 May 2016, 02:16 UTC", databases: ["Sales"] }],
  });
  expect(groupedFiles([one, topology({ role: "ignored" })]).files[0]?.replica).toBe("Primary");
});

describe("names that are known from other captures", () => {
  const known = {
    replicas: new Map([
      ["1", "SQL1"],
      ["2", "SQL2"],
      ["3", "SQL3"],
    ]),
    databases: new Map([["sales", "Sales"]]),
    groups: new Map([["1", "AG14"]]),
  };
  const events = [server("1", "2", ["primary"]), server("2", "1", ["secondary"])];

  test("are those of ids in events, with their source", () => {
    const named = withKnownNames(events, known);
    expect(named.map(({ replicaNames }) => replicaNames)).toEqual([
      { "1": "SQL1", "2": "SQL2" },
      { "1": "SQL1", "2": "SQL2" },
    ]);
    expect(groupedFiles(named).groups).toMatchObject([
      {
        name: "AG14 · 6 May 2016, 02:16 UTC",
        group: "AG14",
        databases: ["Sales"],
        servers: [
          { name: "SQL1", nameFrom: "remembered" },
          { name: "SQL2", nameFrom: "remembered" },
        ],
      },
    ]);
    expect(withKnownNames(named, known)).toBe(named);
  });

  test("are outweighed by the capture's topology, which may name some only, and by its group", () => {
    const own = file({ kind: "topology", replicaNames: { "1": "PROD1" }, groupNames: ["PROD"] });
    expect(groupedFiles(withKnownNames([own, ...events], known)).groups).toMatchObject([
      {
        group: "PROD",
        servers: [
          { name: "PROD1", nameFrom: "topology" },
          { name: "SQL2", nameFrom: "remembered" },
        ],
      },
    ]);
  });

  test("go with what is no longer known", () => {
    const none = { replicas: new Map(), databases: new Map(), groups: new Map() };
    expect(withKnownNames(withKnownNames(events, known), none)).toEqual(events);
  });
});

test("a copy is not used, and says of what it is one", () => {
  const original = server("1", "2", ["primary"], { name: "a.xel", sha256: "same" });
  const copy = { ...original, id: "copy", name: "a (1).xel", path: "old.zip" };
  const { files, unused } = groupedFiles([copy, original]);
  expect(files.map(({ role }) => role)).toEqual(["ignored", "primary"]);
  expect(unused).toEqual([
    { file: "copy", sentence: "old.zip/a (1).xel is used once: it is the same file as a.xel." },
  ]);
});

test("a copy goes with the capture of its original", () => {
  const original = server("1", "2", ["primary"], { id: "original", sha256: "same" });
  const copy = { ...original, id: "copy", name: "copy.xel" };
  const other = server("3", "4", ["primary"], {
    id: "other",
    identity: identity("3", "4", ["primary"], "hr"),
  });
  const files = [copy, other, original];
  const ids = groupedFiles(files).groups.map((group) => filesOfGroup(files, group).map(({ id }) => id));
  expect(ids.map((group) => group.join()).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    "copy,original",
    "other",
  ]);
});

test("files that an earlier version recognized are one capture, by replica id and folder", () => {
  const old = { from: "2016-05-06T02:16:00.0000000Z", to: "2016-05-06T02:17:00.0000000Z", events: 5 };
  const files = [
    file({ ...old, detectedRole: "primary", replicaId: "1" }),
    file({ ...old, detectedRole: "secondary", replicaId: "2", folder: "SQL2" }),
  ];
  expect(groupedFiles(files).groups).toHaveLength(1);
  expect(labels(files)).toEqual(["Primary, primary", "SQL2, secondary"]);
});
