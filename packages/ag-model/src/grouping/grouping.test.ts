import { describe, expect, it, test } from "vitest";
import { emptyColumns, eventsBetween, recognise, RecognitionOfParts } from "../events/index.ts";
import { joinColumns } from "../events/columns.ts";
import type { Topology } from "../replication/index.ts";
import { createDice } from "../../test/dice.ts";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { groupFiles, identityOf, IdentityOfParts, type FileToGroup } from "./index.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;

/** Ticks of 2016-05-06 02:16:00 UTC minus those at which the counter of hand-written events is 0. */
const START_US = Number((131_069_745_600_000_000n - 131_000_000_000_000_000n) / 10n);

interface Story {
  /** Own replica id; none for events of 2012 on a secondary. */
  readonly self?: string;
  readonly partners?: readonly string[];
  readonly databases?: readonly string[];
  /** µs after 02:16. */
  readonly from?: number;
  readonly to?: number;
  /** Log blocks of each database. */
  readonly blocks?: number;
  /** log_block_id of the first one; ids grow by a second's worth per second. */
  readonly firstBlock?: number;
  readonly name?: string;
  readonly folder?: string;
  readonly hash?: string;
  readonly server?: string;
  /** Value of the counter at 02:16, µs; null for an engine without start_timestamp. */
  readonly counter?: number | null;
}

let made = 0;

function fileOf(
  events: readonly EventSpec[],
  { name, folder = "", hash, server, counter = 0 }: Story,
): FileToGroup {
  made++;
  const timed = events.map(({ at = 0, ...event }): EventSpec =>
    counter === null ? { ...event, published: at } : { ...event, at: at + counter, took: 0, published: at },
  );
  return {
    name: name ?? `file-${made}.xel`,
    folder,
    size: 1000,
    hash: hash ?? `hash ${made}`,
    identity: identityOf(eventColumns(timed, START_US)),
    ...(server === undefined ? {} : { server }),
  };
}

/** Log blocks of each database between two instants. */
function blocksOf(
  { databases = ["db-sales"], from = 0, to = MINUTE, blocks = 10, firstBlock = 100 + from / SECOND }: Story,
  make: (spec: EventSpec) => EventSpec[],
): EventSpec[] {
  return databases.flatMap((database) =>
    Array.from({ length: blocks }, (_, i) =>
      make({
        kind: "capture",
        database,
        at: from + ((to - from) * i) / (blocks - 1),
        block: BigInt(firstBlock + i),
      }),
    ).flat(),
  );
}

const primary = (story: Story): FileToGroup =>
  fileOf(
    blocksOf(story, (spec) => [
      ...(story.partners ?? ["id-2"]).map((partner): EventSpec => ({ ...spec, partner })),
      { ...spec, kind: "receiveHarden", self: story.self ?? "id-1" },
    ]),
    { counter: 5 * MINUTE, ...story },
  );

const secondary = (story: Story): FileToGroup =>
  fileOf(
    blocksOf(story, (spec) => {
      const partner = story.partners?.[0] ?? "id-1";
      return story.self === undefined
        ? [{ ...spec, kind: "sendHarden", partner }]
        : [{ ...spec, kind: "transportReceive", self: story.self, partner }];
    }),
    { counter: 900 * MINUTE, ...story },
  );

/** Events that name nothing but a log block. */
const nameless = (story: Story): FileToGroup =>
  fileOf(
    blocksOf(story, ({ at = 0, block = 0n }) => [{ kind: "flushStart", at, block, local: 5 }]),
    story,
  );

const topology = (
  names: Readonly<Record<string, string>>,
  databases: Readonly<Record<string, string>> = {},
): Topology => ({
  replicas: new Map(Object.entries(names).map(([id, name]) => [id, { name, commitMode: null }])),
  databases: new Map(Object.entries(databases)),
});

const summary = (files: readonly FileToGroup[], topologies: readonly Topology[] = []) =>
  groupFiles(files, topologies).captures.map(({ servers }) =>
    servers.map(({ name, files }) => `${name}: ${files.map((file) => file.name).join(", ")}`),
  );

const codes = (files: readonly FileToGroup[], topologies: readonly Topology[] = []) =>
  groupFiles(files, topologies).captures.map(({ warnings }) => warnings.map(({ code }) => code));

/** Events of two databases whose roles change every 200 events or so, some of them without names, some without a counter. */
function eventsOfRolesThatChange() {
  const dice = createDice(7);
  const events = Array.from({ length: 4_000 }, (_, i): EventSpec => {
    const isPrimary = Math.floor(i / 200) % 2 === 0;
    const database = dice() < 0.5 ? "db-sales" : "db-stock";
    const block = BigInt(i >> 2);
    if (dice() < 0.1) return { kind: "flushStart", published: i };
    if (dice() < 0.1) return { kind: "receiveHarden", at: i, self: "id-1", partner: "id-2", database, block };
    return isPrimary
      ? { kind: "capture", at: i, partner: dice() < 0.5 ? "id-2" : "id-3", database, block }
      : { kind: "transportReceive", at: i, self: `own-${i % 3}`, group: "group", database, block };
  });
  return eventColumns(events);
}

describe("what events say of their server", () => {
  it.each([1, 7, 450, 5_000])("is the same of parts of %d events as of all together", (size) => {
    const columns = eventsOfRolesThatChange();
    const [identity, recognition] = [new IdentityOfParts(), new RecognitionOfParts()];
    for (let from = 0; from < columns.length; from += size) {
      const part = joinColumns([eventsBetween(columns, from, Math.min(from + size, columns.length))]);
      identity.add(part);
      recognition.add(part);
      // Their memory is reused afterwards.
      part.ticks.fill(0n);
      part.blockId.fill(0n);
    }
    expect(identity.identity()).toEqual(identityOf(columns));
    expect(recognition.recognition()).toEqual(recognise(columns));
    const roles = identityOf(columns).databases.map(({ stretches: periods }) => periods.length);
    expect(Math.min(...roles)).toBeGreaterThan(2);
  });

  it("finds the counter's 0 by events all along a file, whichever of them were published late", () => {
    const columns = eventColumns(
      Array.from({ length: 20_000 }, (_, i): EventSpec => ({
        kind: "flushStart",
        at: 100 * i,
        published: 100 * i + (i % 3 === 1 || i < 2_000 ? 90_000 : 1_000),
      })),
    );
    expect(identityOf(columns).counterZeroTicks).toBe(131_000_000_000_000_000n + 10_000n);
  });

  it("takes own ids from acknowledgments, receives and the commit manager, as a set", () => {
    const columns = eventColumns([
      { kind: "receiveHarden", at: 1, self: "b", partner: "x" },
      { kind: "transportReceive", at: 2, self: "a", partner: "y", group: "g2" },
      { kind: "commitManagerHarden", published: 3, self: "c", group: "g1" },
      { kind: "capture", at: 4, partner: "a" },
    ]);
    expect(identityOf(columns)).toMatchObject({
      ownIds: ["a", "b", "c"],
      partnerIds: ["x", "y"],
      groupIds: ["g1", "g2"],
      events: 4,
      logEvents: 4,
    });
  });

  it("counts the events of each side by database", () => {
    const columns = eventColumns([
      { kind: "capture", at: 1, database: "d2", block: 1n },
      { kind: "commitManagerHarden", published: 2, database: "d2", block: 1n },
      { kind: "apply", at: 3, database: "d1", block: 7n },
      { kind: "flushStart", at: 4, block: 1n },
    ]);
    expect(
      identityOf(columns).databases.map(({ id, primaryEvents, secondaryEvents }) => [
        id,
        primaryEvents,
        secondaryEvents,
      ]),
    ).toEqual([
      ["d1", 0, 1],
      ["d2", 2, 0],
    ]);
  });

  it("knows when the counter was 0, and an engine that writes no counter", () => {
    const late = eventColumns([
      { kind: "flushStart", at: 10, published: 1010 },
      { kind: "flushStart", at: 20, published: 1020 },
      { kind: "flushStart", at: 30, published: 9999 },
    ]);
    expect(identityOf(late)).toMatchObject({
      counterZeroTicks: 131_000_000_000_000_000n + 10_000n,
      engine: "start_timestamp",
    });
    expect(identityOf(eventColumns([{ kind: "flushStart", published: 1 }]))).toMatchObject({
      counterZeroTicks: null,
      engine: "2012",
    });
  });

  it("changes a role after three blocks of the other one, not after two", () => {
    const story = (letters: string) =>
      identityOf(
        eventColumns(
          Array.from(letters, (letter, i): EventSpec => ({
            kind: letter === "p" ? "capture" : "apply",
            at: i,
            took: 0,
            block: BigInt(i + 1),
            database: "d",
          })),
        ),
      ).databases[0].stretches.map(({ role, blocks }) => `${role} ${blocks}`);
    expect(story("ppppssppp")).toEqual(["primary 7"]);
    expect(story("ppppsssp")).toEqual(["primary 4", "secondary 3"]);
    expect(story("s")).toEqual(["secondary 1"]);
  });
});

describe("files and servers", () => {
  test("a server's files are those with its id, whatever folder and role", () => {
    const files = [
      primary({ self: "id-1", name: "a", folder: "x", to: MINUTE }),
      secondary({
        self: "id-1",
        partners: ["id-2"],
        name: "b",
        folder: "y",
        from: 2 * MINUTE,
        to: 3 * MINUTE,
      }),
      secondary({ self: "id-2", name: "c", folder: "x" }),
    ];
    expect(summary(files)).toEqual([["id-1: a, b", "id-2: c"]]);
    expect(summary(files.toReversed())).toEqual(summary(files));
  });

  test("a file that names no server is put where its counter fits, only when one does", () => {
    const files = [
      primary({ name: "a", counter: 0 }),
      secondary({ self: "id-2", name: "b", counter: MINUTE }),
    ];
    const tail = { name: "tail", from: 61 * SECOND, to: 62 * SECOND };
    expect(summary([...files, nameless({ ...tail, counter: MINUTE + 9 * SECOND })])).toEqual([
      ["id-1: a", "id-2: b, tail"],
    ]);
    expect(summary([...files, nameless({ ...tail, counter: MINUTE + 11 * SECOND })])).toHaveLength(2);
    const close = secondary({ self: "id-2", name: "b", counter: 5 * SECOND });
    expect(summary([files[0], close, nameless({ ...tail, counter: SECOND })])[0]).toEqual([
      "id-1: a",
      "id-2: b",
      "tail: tail",
    ]);
  });

  test("a server has the events of all its files", () => {
    // Two events for each block.
    const files = [
      primary({ name: "a", blocks: 10 }),
      primary({ name: "b", blocks: 4, from: 61 * SECOND, to: 2 * MINUTE }),
    ];
    expect(groupFiles(files).captures[0].servers.map(({ events }) => events)).toEqual([28]);
  });

  test("a server's files are listed oldest first, also where the oldest names no server", () => {
    const files = [
      primary({ name: "a", counter: 0 }),
      secondary({ self: "id-2", name: "b", counter: MINUTE }),
      nameless({ name: "head", from: -2 * SECOND, to: -SECOND, counter: MINUTE }),
    ];
    expect(summary(files)).toEqual([["id-1: a", "id-2: head, b"]]);
  });

  test("its folder decides where its counter does not; the top is no folder", () => {
    const files = (folder: string) => [
      primary({ name: "a", folder, counter: null }),
      secondary({ self: "id-2", name: "b", folder: "SQL2", counter: null }),
      nameless({ name: "tail", folder, from: 61 * SECOND, to: 62 * SECOND, counter: null }),
    ];
    expect(summary(files("SQL1"))).toEqual([["SQL1: a, tail", "SQL2: b"]]);
    expect(summary(files(""))).toHaveLength(2);
  });

  test("a zip beside a server's files is of that server, two zips beside each other are not", () => {
    const tail = { name: "tail", from: 61 * SECOND, to: 62 * SECOND, counter: null };
    const named = secondary({ self: "id-2", name: "b", folder: "night/SQL2", counter: null });
    expect(summary([named, nameless({ ...tail, folder: "night/SQL2/more.zip" })])).toEqual([
      ["SQL2: b, tail"],
    ]);
    const zipped = secondary({ self: "id-2", name: "b", folder: "night/a.zip", counter: null });
    expect(summary([zipped, nameless({ ...tail, folder: "night/b.zip" })])).toHaveLength(2);
  });

  test("a secondary in its primary's folder is not its primary: it names it as its partner", () => {
    const files = [
      primary({ name: "a", folder: "all", counter: null }),
      secondary({ name: "b", folder: "all", from: 2 * MINUTE, to: 3 * MINUTE, counter: null }),
    ];
    const [{ servers, warnings }] = groupFiles(files).captures;
    expect(servers.map(({ ids, roleHint }) => [ids, roleHint])).toEqual([
      [["id-1"], "primary"],
      [["id-2"], "secondary"],
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(["grouping.noTimeInCommon"]);
  });

  test("two files of one folder at one time are of two servers", () => {
    const files = [
      secondary({ self: "id-2", name: "a", folder: "all" }),
      nameless({ name: "b", folder: "all", counter: 3 * MINUTE }),
    ];
    expect(summary(files)).toEqual([["b: b", "id-2: a"]]);
  });

  test("what the user says of a server joins and parts files", () => {
    const [a, b] = [
      { self: "id-2", name: "a" },
      { self: "id-2", name: "b", from: 2 * MINUTE, to: 3 * MINUTE },
    ];
    const parted = [secondary({ ...a, server: "SQL2" }), secondary({ ...b, server: "SQL3" })];
    expect(summary(parted)).toEqual([["SQL2: a", "SQL3: b"]]);
    expect(summary([secondary({ ...a, server: "SQL2" }), secondary(b)])).toEqual([["SQL2: a, b"]]);
    const joined = [
      primary({ name: "p", server: "SQL1" }),
      nameless({ name: "n", server: "SQL1", counter: null }),
    ];
    expect(summary(joined)).toEqual([["SQL1: n, p"]]);
  });

  test("a topology joins the ids of one server, and equal names of two topologies do not", () => {
    const files = [
      primary({ self: "id-1", name: "a", databases: ["db-1"], partners: ["id-2"] }),
      primary({
        self: "id-8",
        name: "b",
        databases: ["db-8"],
        partners: ["id-9"],
        from: 2 * MINUTE,
        to: 3 * MINUTE,
      }),
    ];
    expect(summary(files, [topology({ "id-1": "SQL1", "id-8": "sql1" })])).toEqual([["SQL1: a, b"]]);
    expect(summary(files, [topology({ "id-1": "SQL1" }), topology({ "id-8": "SQL1" })])).toEqual([
      ["SQL1: b"],
      ["SQL1: a"],
    ]);
  });
});

describe("servers that no event names", () => {
  const three = (folders: readonly string[]) => [
    primary({ name: "p", partners: ["id-2", "id-3"], folder: folders[0], counter: null }),
    secondary({ name: "s", folder: folders[1], counter: null }),
    secondary({ name: "t", folder: folders[2], counter: null }),
  ];

  test("two that could be either replica are refused with a sentence that says what to do", () => {
    const [{ servers, warnings }] = groupFiles(three(["P", "SQL2", "SQL3"])).captures;
    expect(servers.map(({ name, ids }) => [name, ids])).toEqual([
      ["P", ["id-1"]],
      ["SQL2", []],
      ["SQL3", []],
    ]);
    expect(warnings).toEqual([
      {
        code: "grouping.undecided",
        refuses: true,
        sentence: expect.stringMatching(
          /^Can't identify the server that wrote s, t: .* folder .* topology XML/u,
        ),
      },
    ]);
  });

  test("a folder with the server's name in the topology decides; the last one is what is left", () => {
    const topologies = [topology({ "id-1": "P", "id-2": "SQL2", "id-3": "SQL3" })];
    const both = groupFiles(three(["P", "sql3", "SQL2"]), topologies).captures[0];
    expect(both.servers.map(({ name, ids, files }) => [name, ids[0], files[0].name])).toEqual([
      ["P", "id-1", "p"],
      ["SQL2", "id-2", "t"],
      ["SQL3", "id-3", "s"],
    ]);
    expect(both.warnings).toEqual([]);
    const one = groupFiles(three(["P", "SQL3", "else"]), topologies).captures[0];
    expect(one.servers.map(({ ids, files }) => [ids[0], files[0].name])).toEqual([
      ["id-1", "p"],
      ["id-2", "t"],
      ["id-3", "s"],
    ]);
  });

  test("rollover files at the top that fit both are refused, not shared out", () => {
    const rolled = { from: 61 * SECOND, to: 2 * MINUTE, counter: null };
    const files = [
      ...three(["", "", ""]),
      secondary({ name: "s2", ...rolled }),
      secondary({ name: "t2", ...rolled }),
    ];
    expect(codes(files)).toEqual([["grouping.undecided"]]);
    expect(summary(files)[0]).toHaveLength(5);
  });

  test("a primary and a secondary that both name only the other know each other", () => {
    const bare = blocksOf({}, (spec) => [{ ...spec, partner: "id-2" }]);
    const files = [fileOf(bare, { name: "p", counter: null }), secondary({ name: "s", counter: null })];
    const [{ servers, warnings }] = groupFiles(files, [topology({ "id-1": "A", "id-2": "B" })]).captures;
    expect(servers.map(({ ids, files }) => [ids, files[0].name])).toEqual([
      [["id-1"], "p"],
      [["id-2"], "s"],
    ]);
    expect(warnings).toEqual([]);
  });

  test("without a primary's file nothing has to be decided", () => {
    expect(codes(three(["P", "SQL2", "SQL3"]).slice(1))).toEqual([[]]);
  });
});

describe("captures", () => {
  const pair = (story: Story = {}) => [
    primary({ name: "p", folder: "SQL1", ...story }),
    secondary({ self: "id-2", name: "s", folder: "SQL2", ...story }),
  ];
  const other = { databases: ["db-other"], partners: ["id-8"], self: "id-9" };

  test("are named by their group, else by their servers, and by the time of the first event", () => {
    const nameOf = (files: FileToGroup[], ...known: Topology[]): string =>
      groupFiles(files, known).captures[0].name;
    const files = pair({ from: 20 * SECOND, to: 2 * MINUTE });
    expect(nameOf(files)).toBe("SQL1, SQL2 · 6 May 2016, 02:16 UTC");
    const servers = topology({ "id-1": "NODE1", "id-2": "NODE2" });
    expect(nameOf(files, servers)).toBe("NODE1, NODE2 · 6 May 2016, 02:16 UTC");
    const group = { ...servers, groups: new Set(["AG14"]) };
    expect(nameOf(files, servers, group)).toBe("AG14 · 6 May 2016, 02:16 UTC");
    const [named] = groupFiles(files, [servers]).captures;
    expect(named.servers.map(({ nameFrom }) => nameFrom)).toEqual(["topology", "topology"]);
    expect(nameOf(pair({ from: 21 * 60 * MINUTE, to: 22 * 60 * MINUTE }))).toBe(
      "SQL1, SQL2 · 6 May 2016, 23:16 UTC",
    );
  });

  test("are never named by ids: servers without a name are counted", () => {
    const nameOf = (files: FileToGroup[], ...known: Topology[]): string =>
      groupFiles(files, known).captures[0].name;
    const inOne = pair().map((file) => ({ ...file, folder: "" }));
    expect(nameOf(inOne)).toBe("2 replicas · 6 May 2016, 02:16 UTC");
    expect(nameOf([primary({ partners: [], name: "p", folder: "" })])).toBe(
      "1 replica · 6 May 2016, 02:16 UTC",
    );
    expect(nameOf(inOne, topology({ "id-2": "NODE2" }))).toBe("NODE2 and 1 more · 6 May 2016, 02:16 UTC");
    const four = [...pair(), ...["3", "4"].map((n) => secondary({ self: `id-${n}`, folder: `SQL${n}` }))];
    expect(nameOf(four)).toBe("SQL1 and 3 more · 6 May 2016, 02:16 UTC");
  });

  test("count replicas without a file that the events name", () => {
    const nameOf = (files: FileToGroup[], ...known: Topology[]): string =>
      groupFiles(files, known).captures[0].name.replace(/ · .*$/u, "");
    const files = pair({ partners: ["id-2", "id-3"] }).map((file) => ({ ...file, folder: "" }));
    expect(nameOf(files)).toBe("3 replicas");
    expect(nameOf(files.slice(0, 1))).toBe("3 replicas");
    // The names are those of the servers with files.
    expect(nameOf(files, topology({ "id-1": "NODE1", "id-2": "NODE2" }))).toBe("NODE1, NODE2");
  });

  test("have the group of the last topology that knows all of their servers", () => {
    const nameOf = (...known: Topology[]): string => groupFiles(pair(), known).captures[0].name;
    const all = { ...topology({ "id-1": "NODE1", "id-2": "NODE2" }), groups: new Set(["AG14"]) };
    const given = { ...topology({ "id-1": "NODE1", "id-2": "B" }), groups: new Set(["SALES"]) };
    expect(nameOf(all, given)).toBe("SALES · 6 May 2016, 02:16 UTC");
    expect(nameOf(given, all)).toBe("AG14 · 6 May 2016, 02:16 UTC");
    const ofTwo = { ...all, groups: new Set(["AG14", "AG16"]) };
    expect(nameOf(ofTwo)).toBe("NODE1, NODE2 · 6 May 2016, 02:16 UTC");
  });

  test("have the group that all topologies of some of their servers or databases agree on", () => {
    const nameOf = (...known: Topology[]): string => groupFiles(pair(), known).captures[0].name;
    const ofServer = { ...topology({ "id-1": "NODE1" }), groups: new Set(["AG14"]) };
    const ofDatabase = { ...topology({}, { "db-sales": "Sales" }), groups: new Set(["AG15"]) };
    const ofOthers = { ...topology({ "id-9": "NODE9" }), groups: new Set(["AG99"]) };
    expect(nameOf(ofServer, ofOthers)).toBe("AG14 · 6 May 2016, 02:16 UTC");
    expect(nameOf(ofDatabase)).toBe("AG15 · 6 May 2016, 02:16 UTC");
    expect(nameOf(ofServer, ofDatabase)).toBe("NODE1, SQL2 · 6 May 2016, 02:16 UTC");
    expect(nameOf(ofOthers)).toBe("SQL1, SQL2 · 6 May 2016, 02:16 UTC");
  });

  test("the last of several topologies names servers and databases", () => {
    const old = topology({ "id-1": "OLD1", "id-2": "OLD2" }, { "db-sales": "Old" });
    const [{ servers, databases }] = groupFiles(pair(), [
      old,
      topology({ "id-1": "NEW1", "id-2": "" }, { "db-sales": "Sales" }),
    ]).captures;
    expect(servers.map(({ name }) => name)).toEqual(["NEW1", "OLD2"]);
    expect(databases.map(({ name }) => name)).toEqual(["Sales"]);
  });

  test("a folder names a server only when it holds its files alone; a zip's name counts", () => {
    const zipped = [
      primary({ name: "p", folder: "SQL1.zip/xel" }),
      secondary({ self: "id-2", name: "s", folder: "SQL2.zip/xel" }),
    ];
    expect(summary(zipped)).toEqual([["SQL1: p", "SQL2: s"]]);
    const inOne = [
      primary({ name: "p", folder: "all.zip" }),
      secondary({ self: "id-2", name: "s", folder: "all.zip" }),
    ];
    expect(summary(inOne)).toEqual([["id-1: p", "id-2: s"]]);
    const below = [
      primary({ name: "p", folder: "all.zip/A" }),
      secondary({ self: "id-2", name: "s", folder: "all.zip/B" }),
    ];
    expect(summary(below)).toEqual([["A: p", "B: s"]]);
    const alone = primary({ name: "p", folder: "all.zip/A" });
    expect(summary([alone])).toEqual([["A: p"]]);
    expect(
      summary([alone, primary({ name: "x", folder: "more.zip/B", ...other })])
        .flat()
        .sort(),
    ).toEqual(["A: p", "B: x"]);
  });

  test("equal names of two captures are told apart", () => {
    const files = [
      primary({ name: "p", self: "id-1", server: "SQL1" }),
      primary({ name: "q", server: "SQL1", ...other }),
    ];
    const names = [topology({}, { "db-sales": "Sales", "db-other": "Sales" })];
    expect(groupFiles(files, names).captures.map(({ name }) => name)).toEqual([
      "SQL1 · 6 May 2016, 02:16 UTC",
      "SQL1 · 6 May 2016, 02:16 UTC (2)",
    ]);
  });

  test("captures are in the order of their beginnings, the newest first; those that begin together by their names", () => {
    const named = (server: string, of: string, from = 0): FileToGroup =>
      primary({
        name: server,
        server,
        databases: [`db-${of}`],
        self: `id-${of}`,
        partners: [`far-${of}`],
        from,
      });
    const files = [named("B", "one"), named("C", "two", 30 * SECOND), named("A", "three")];
    for (const given of [files, files.toReversed()])
      expect(groupFiles(given).captures.map(({ servers }) => servers[0].name)).toEqual(["C", "A", "B"]);
  });

  test("a file of another group is foreign beside a pair, and no part of it", () => {
    const { captures } = groupFiles([...pair(), primary({ name: "x", ...other })]);
    expect(
      captures.map(({ foreign, warnings, servers }) => [
        foreign,
        warnings.map(({ code }) => code),
        servers.length,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [false, [], 2],
        [true, ["grouping.foreign"], 1],
      ]),
    );
    expect(captures.flatMap(({ warnings }) => warnings)[0].sentence).toContain("x: from another group");
  });

  test("two lone servers of two groups are two captures, neither foreign", () => {
    expect(
      groupFiles([pair()[0], primary({ name: "x", ...other })]).captures.map(({ foreign }) => foreign),
    ).toEqual([false, false]);
  });

  test.each([
    ["59 min", 59, 1],
    ["61 min", 61, 2],
  ])("%s between two runs", (_, gap, count) => {
    const from = MINUTE + gap * MINUTE;
    const files = [...pair(), ...pair({ from, to: from + MINUTE })];
    expect(groupFiles(files).captures).toHaveLength(count);
    expect(codes(files)).toEqual(count === 1 ? [[]] : [["grouping.otherTime"], ["grouping.otherTime"]]);
  });

  test("a secondary at another time stays and is named, without a word about the others", () => {
    const late = secondary({
      self: "id-3",
      name: "late",
      folder: "SQL3",
      from: 10 * MINUTE,
      to: 11 * MINUTE,
    });
    const [{ servers, warnings }] = groupFiles([...pair(), late]).captures;
    expect(servers).toHaveLength(3);
    expect(warnings.map(({ sentence }) => sentence)).toEqual([
      "SQL3 has no time in common with SQL1, SQL2: its events cover 02:26 to 02:27, 6 May 2016, and the others cover 02:16 to 02:17, 6 May 2016. AG Lens can't match their log blocks.",
    ]);
  });

  test("servers of which one begins in the instant in which the other ends have no time in common", () => {
    const [first] = pair();
    const next = secondary({ self: "id-2", from: MINUTE, to: 2 * MINUTE });
    expect(codes([first, next])).toEqual([["grouping.noTimeInCommon"]]);
  });

  test.each([
    ["9 s", 9, []],
    ["11 s", 11, ["grouping.twoInOneRole"]],
  ])("two primaries of one database for %s", (_, seconds, expected) => {
    const from = MINUTE - seconds * SECOND;
    const files = [pair()[0], primary({ self: "id-2", partners: ["id-1"], name: "q", from, to: 2 * MINUTE })];
    expect(codes(files)).toEqual([expected]);
  });

  test("two primaries of one database are said with the time of both", () => {
    const second = (from: number, to: number) =>
      primary({ self: "id-2", partners: ["id-1"], name: "q", folder: "SQL2", from, to });
    const sentenceOf = (...files: FileToGroup[]): string =>
      groupFiles(files).captures[0].warnings[0].sentence;
    const early = primary({ name: "p", folder: "SQL1", to: 5 * MINUTE });
    const both = "SQL1 and SQL2 both contain events of a primary of database db-sales from";
    const end = "6 May 2016. AG Lens distinguishes them by replica id.";
    expect(sentenceOf(early, second(2 * MINUTE, 9 * MINUTE))).toBe(`${both} 02:18 to 02:21, ${end}`);
    expect(sentenceOf(early, second(2 * MINUTE, 4 * MINUTE))).toBe(`${both} 02:18 to 02:20, ${end}`);
  });

  test("servers that change their roles are no two primaries", () => {
    const later = { from: 2 * MINUTE, to: 3 * MINUTE };
    const files = [
      ...pair(),
      secondary({
        self: "id-1",
        partners: ["id-2"],
        name: "p2",
        folder: "SQL1",
        counter: 5 * MINUTE,
        ...later,
      }),
      primary({
        self: "id-2",
        partners: ["id-1"],
        name: "s2",
        folder: "SQL2",
        counter: 900 * MINUTE,
        ...later,
      }),
    ];
    expect(summary(files)).toEqual([["SQL1: p, p2", "SQL2: s, s2"]]);
    expect(codes(files).flat()).not.toContain("grouping.twoInOneRole");
  });

  test("replicas without a file are in the order of their ids, whichever server names them", () => {
    const files = [
      primary({ partners: ["id-2", "id-4"], name: "p", folder: "SQL1" }),
      secondary({ self: "id-2", partners: ["id-0"], name: "s", folder: "SQL2" }),
    ];
    const [{ withoutFile }] = groupFiles(files).captures;
    expect(withoutFile.map(({ id }) => id)).toEqual(["id-0", "id-4"]);
  });

  test("replicas without a file are listed", () => {
    const [{ withoutFile }] = groupFiles(
      [primary({ partners: ["id-2", "id-3"] })],
      [topology({ "id-3": "SQL3" })],
    ).captures;
    expect(withoutFile).toEqual([
      { id: "id-2", name: "id-2" },
      { id: "id-3", name: "SQL3" },
    ]);
  });

  test("no file, no capture", () => {
    expect(groupFiles([])).toEqual({ captures: [], unused: [] });
  });
});

describe("files that are not used", () => {
  test("the same content under another name or in a zip is used once and said", () => {
    const files = [
      primary({ name: "a.xel", hash: "h" }),
      primary({ name: "a (1).xel", folder: "copy.zip", hash: "h" }),
      { ...primary({ name: "b.xel", hash: "h" }), size: 999 },
    ];
    for (const given of [files, files.toReversed()]) {
      const { captures, unused } = groupFiles(given);
      expect(captures[0].servers[0].files.map(({ name }) => name)).toEqual(["a.xel", "b.xel"]);
      expect(unused.map(({ file, warning }) => [file.name, warning.sentence])).toEqual([
        ["a (1).xel", "copy.zip/a (1).xel is used once: it is the same file as a.xel."],
      ]);
    }
  });

  test("of two copies the one whose server was said by the user is used", () => {
    const files = [
      primary({ name: "a.xel", hash: "h" }),
      primary({ name: "b.xel", hash: "h", server: "SQL7" }),
    ];
    const { captures, unused } = groupFiles(files);
    expect(captures[0].servers.map(({ name }) => name)).toEqual(["SQL7"]);
    expect(unused.map(({ file }) => file.name)).toEqual(["a.xel"]);
  });

  test("of copies of a file that was still being written the longest is used", () => {
    const whole = primary({ name: "a.xel", folder: "10:07", blocks: 10, to: 9 * SECOND });
    const copies = [
      primary({ name: "a.xel", folder: "10:05", blocks: 4, to: 3 * SECOND }),
      primary({ name: "a.xel", folder: "10:06", blocks: 7, to: 6 * SECOND }),
    ];
    // The other server's file begins at the same instant and is shorter, but it is no copy: its counter is another.
    const other = secondary({ name: "b.xel", self: "id-2", blocks: 3, to: 2 * SECOND });
    const files = [...copies, whole, other];
    for (const given of [files, files.toReversed()]) {
      const { captures, unused } = groupFiles(given);
      expect(captures.map(({ servers }) => servers.map(({ files }) => files))).toEqual([[[whole], [other]]]);
      expect(unused.map(({ warning }) => warning.sentence).toSorted()).toEqual([
        "10:05/a.xel is skipped: it is an earlier copy of 10:07/a.xel, which contains all its events and later ones.",
        "10:06/a.xel is skipped: it is an earlier copy of 10:07/a.xel, which contains all its events and later ones.",
      ]);
    }
  });

  test("files without a hash are never the same", () => {
    expect(groupFiles([primary({ hash: "" }), primary({ hash: "" })]).unused).toEqual([]);
  });

  test("another session and an empty file are left out", () => {
    const other = { ...nameless({ name: "system_health.xel" }), identity: identityOf(emptyColumns(4180)) };
    const empty = { ...nameless({ name: "empty.xel" }), identity: identityOf(emptyColumns(0)) };
    const unasked = { ...nameless({ name: "logins.xel" }), identity: empty.identity, events: 149 };
    const { captures, unused } = groupFiles([other, empty, unasked]);
    expect(captures).toEqual([]);
    expect(unused.map(({ warning }) => warning.sentence).toSorted()).toEqual([
      "empty.xel is skipped: it contains no events.",
      "logins.xel is skipped: a different session wrote it, and its 149 events aren't about log blocks.",
      "system_health.xel is skipped: a different session wrote it, and its 4,180 events aren't about log blocks.",
    ]);
  });
});

describe("servers whose UTC clocks differ by hours", () => {
  const HOUR = 60 * MINUTE;
  /** Files of a pair whose secondary's clock is ahead; the log blocks are those that the primary writes then. */
  const pairOff = (ahead: number, { from = 0, firstBlock }: { from?: number; firstBlock?: number } = {}) => {
    const blocks = { firstBlock: firstBlock ?? 100 + from / SECOND, blocks: 20 };
    return [
      primary({ name: "a", folder: "SQL1", from, to: from + MINUTE, ...blocks }),
      secondary({
        self: "id-2",
        name: "b",
        folder: "SQL2",
        from: from + ahead,
        to: from + ahead + MINUTE,
        ...blocks,
      }),
    ];
  };

  test.each([5 * HOUR, -11 * HOUR, 2 * MINUTE])("are one capture by their log blocks (%d µs)", (ahead) => {
    const { captures } = groupFiles(pairOff(ahead));
    expect(captures).toHaveLength(1);
    const [{ name, warnings }] = captures;
    expect(warnings).toEqual([
      {
        code: "grouping.utcApart",
        sentence:
          "SQL2 and SQL1 recorded the same log blocks, at different times by their UTC clocks. The analysis aligns the clocks by the log blocks.",
        refuses: false,
      },
    ]);
    // The time of a capture is its primary's.
    expect(name).toBe("SQL1, SQL2 · 6 May 2016, 02:16 UTC");
  });

  test("are two captures at two times, though their log blocks follow each other", () => {
    const files = [...pairOff(0, { firstBlock: 100 }), ...pairOff(0, { from: 2 * HOUR, firstBlock: 120 })];
    expect(summary(files)).toEqual([
      ["SQL1: a", "SQL2: b"],
      ["SQL1: a", "SQL2: b"],
    ]);
    expect(codes(files)).toEqual([["grouping.otherTime"], ["grouping.otherTime"]]);
  });

  test("are two captures at two times, though a restore gave their log blocks the same ids again", () => {
    const files = [...pairOff(0, { firstBlock: 100 }), ...pairOff(0, { from: 2 * HOUR, firstBlock: 100 })];
    expect(summary(files)).toEqual([
      ["SQL1: a", "SQL2: b"],
      ["SQL1: a", "SQL2: b"],
    ]);
  });

  test("are two captures where the same log blocks are days apart, whichever server each is of", () => {
    for (const [ahead, captures] of [
      [49 * HOUR, 1],
      [52 * HOUR, 2],
      [-52 * HOUR, 2],
    ] as const)
      expect(groupFiles(pairOff(ahead)).captures, String(ahead)).toHaveLength(captures);
  });

  test("are joined whatever the files are split into and in any order", () => {
    const [a, b] = pairOff(5 * HOUR);
    const later = secondary({
      self: "id-2",
      name: "c",
      folder: "SQL2",
      from: 5 * HOUR + MINUTE,
      to: 5 * HOUR + 2 * MINUTE,
      firstBlock: 120,
      blocks: 20,
    });
    for (const files of [
      [a, b, later],
      [later, b, a],
    ])
      expect(summary(files)).toEqual([["SQL1: a", "SQL2: b, c"]]);
  });

  test("are not joined by the id of a damaged event", () => {
    const [a, b] = pairOff(0);
    const damaged = (block: number): EventSpec => ({
      kind: "capture",
      database: "db-sales",
      partner: "id-2",
      at: 2 * HOUR + 30 * SECOND,
      block: BigInt(block),
    });
    const late = fileOf(
      [
        ...blocksOf({ from: 2 * HOUR, to: 2 * HOUR + MINUTE, firstBlock: 5_000 }, (spec) => [
          { ...spec, partner: "id-2" },
          { ...spec, kind: "receiveHarden", self: "id-1" },
        ]),
        damaged(1),
        damaged(2),
      ],
      { name: "late", folder: "SQL1", counter: 5 * MINUTE },
    );
    expect(groupFiles([a, b, late]).captures).toHaveLength(2);
  });

  test("are joined by databases of which one is in common", () => {
    const [a, b] = pairOff(5 * HOUR);
    const other = secondary({
      self: "id-3",
      name: "c",
      folder: "SQL3",
      databases: ["db-stock"],
      from: 5 * HOUR,
      to: 5 * HOUR + MINUTE,
    });
    expect(groupFiles([a, b, other]).captures.map(({ servers }) => servers.length)).toEqual([3]);
  });
});

describe("a file that fits more than one", () => {
  const tail = { name: "tail", folder: "all", counter: null, from: 61 * SECOND, to: 62 * SECOND };

  test("of several captures at one time belongs to none of them", () => {
    const one = secondary({ self: "id-2", name: "a", folder: "all", counter: null });
    const other = secondary({
      self: "id-9",
      partners: ["id-8"],
      databases: ["db-stock"],
      name: "b",
      folder: "all",
      counter: null,
    });
    expect(summary([one, nameless(tail)])).toEqual([["all: a, tail"]]);
    const names = groupFiles([one, other, nameless(tail)]).captures.map(({ servers }) =>
      servers.flatMap(({ files }) => files.map(({ name }) => name)).join(),
    );
    expect(names.toSorted()).toEqual(["a", "b", "tail"]);
  });

  test("of two sessions at one time, the short one within the long one's is of another server", () => {
    const long = secondary({ self: "id-2", name: "long", folder: "all", counter: null });
    const short = { name: "short", folder: "all", counter: null };
    expect(summary([long, nameless({ ...short, from: 20 * SECOND, to: 30 * SECOND })])[0]).toHaveLength(2);
    // A session's next file overlaps with less than half of the shorter one.
    expect(summary([long, nameless({ ...short, from: 56 * SECOND, to: 66 * SECOND })])).toEqual([
      ["all: long, short"],
    ]);
  });
});

describe("a distributed availability group", () => {
  const blocks = { blocks: 20 };
  /** The primary of the second group: it receives from id-1 and sends the same blocks to id-9. */
  const forwarder = (story: Story = {}): FileToGroup =>
    fileOf(
      blocksOf({ ...blocks, ...story }, (spec) => [
        { ...spec, kind: "transportReceive", self: "id-5", partner: "id-1" },
        { ...spec, kind: "capture", partner: "id-9" },
        { ...spec, kind: "receiveHarden", self: "id-5", partner: "id-9" },
      ]),
      { name: "f", folder: "SQL5", counter: 70 * MINUTE, ...story },
    );
  const second = (): FileToGroup =>
    secondary({
      self: "id-9",
      partners: ["id-5"],
      name: "s",
      folder: "SQL9",
      counter: 7 * MINUTE,
      ...blocks,
    });
  const first = (): FileToGroup[] => [
    primary({ partners: ["id-2", "id-5"], name: "a", folder: "SQL1", ...blocks }),
    secondary({ self: "id-2", name: "b", folder: "SQL2", ...blocks }),
  ];

  test("is analyzed without its forwarder and what is behind that, each listed with the reason", () => {
    const { captures, unused } = groupFiles([...first(), forwarder(), second()]);
    expect(captures.map(({ servers }) => servers.map(({ name }) => name))).toEqual([["SQL1", "SQL2"]]);
    // No file of the forwarder is requested.
    expect(captures[0].withoutFile).toEqual([]);
    const instead =
      "To analyze the second availability group, provide the files of the forwarder and its secondaries alone.";
    expect(unused.map(({ file, warning }) => [file.name, warning.code, warning.sentence])).toEqual([
      [
        "f",
        "grouping.forwarder",
        `SQL5/f is skipped: SQL5 is the forwarder of a distributed availability group. It sends on the log blocks that it receives. ${instead}`,
      ],
      [
        "s",
        "grouping.forwarder",
        `SQL9/s is skipped: its server receives log blocks from SQL5, the forwarder of a distributed availability group. ${instead}`,
      ],
    ]);
  });

  test("has its second group analyzed where that is alone", () => {
    const { captures, unused } = groupFiles([forwarder(), second()]);
    expect(unused).toEqual([]);
    expect(captures.map(({ servers }) => servers.length)).toEqual([2]);
  });

  test("is none where the servers changed their roles", () => {
    const changed = fileOf(
      [
        ...blocksOf({ to: 30 * SECOND, ...blocks }, (spec) => [
          { ...spec, kind: "transportReceive", self: "id-2", partner: "id-1" },
        ]),
        ...blocksOf({ from: 31 * SECOND, firstBlock: 119, ...blocks }, (spec) => [
          { ...spec, kind: "capture", partner: "id-1" },
          { ...spec, kind: "receiveHarden", self: "id-2", partner: "id-1" },
        ]),
      ],
      { name: "b", folder: "SQL2", counter: 70 * MINUTE },
    );
    const { captures, unused } = groupFiles([first()[0], changed]);
    expect(unused).toEqual([]);
    expect(captures[0].servers).toHaveLength(2);
  });
});
