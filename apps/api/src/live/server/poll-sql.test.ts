import { LiveLogin, LiveServer } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import {
  startGroup,
  type GroupOptions,
  type StandIn,
  type StandInGroup,
} from "../../../../../fixtures/replica-standin/index.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { connect, PATIENCE } from "./connection.ts";
import type { Connection } from "./connection.ts";
import {
  LAST_STATEMENT,
  localDatabases,
  POLL_WAITING,
  pollCounters,
  pollDatabases,
  pollLogFiles,
  replicaStates,
} from "./poll-sql.ts";
import { logFileIds } from "../run/poll-databases.ts";
import { askTopology } from "./topology.ts";

const LOGIN = LiveLogin.parse({ kind: "sql", user: "aglens", password: "aglens" });

let clock: TestClock;
let group: StandInGroup | null = null;
const connections: Connection[] = [];

beforeEach(() => {
  clock = new TestClock();
});
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  await group?.close();
  group = null;
});

async function start(options: GroupOptions): Promise<readonly StandIn[]> {
  group = await startGroup({ clock, ...options });
  return group.replicas;
}

/** A connection with the rights of docs/guide/attach.md 4 and no more. */
async function connectTo({ host, port }: StandIn): Promise<Connection> {
  const server = LiveServer.parse({ host, port, encryption: "off" });
  const connection = await connect(server, LOGIN, PATIENCE);
  connections.push(connection);
  return connection;
}

describe("the text of what waits", () => {
  test.each(["2014", "2019", "2022", "2025"] as const)(
    "is of the waiting request, on %s, also of a session with several requests",
    async (version) => {
      const replicas = await start({ version });
      const connection = await connectTo(elementAt(replicas, 0));
      group?.network(60_000);
      await clock.pass(1_000);
      const [waiting = []] = await connection.query(POLL_WAITING);
      const sessions = [...new Set(waiting.map((row) => Number(row["session_id"])))];
      expect(sessions.length).toBeGreaterThan(3);
      for (const session of sessions) {
        // oxlint-disable-next-line no-await-in-loop -- one statement per connection
        const sets = await connection.query(LAST_STATEMENT, { session: String(session) });
        expect(sets, `session ${session}`).toEqual([
          [{ text: "UPDATE dbo.Orders SET Status = 2 WHERE Id = @id; COMMIT;" }],
        ]);
      }
    },
  );

  test("is none of a session that has gone", async () => {
    const connection = await connectTo(elementAt(await start({}), 0));
    expect(await connection.query(LAST_STATEMENT, { session: "9999" })).toEqual([[]]);
  });
});

describe.each(["global primary", "forwarder"] as const)("the %s of a distributed group", (distributed) => {
  const SALES = { database_name: "Sales" };

  /** Databases in the views of the primary, without the distributed group. */
  async function asked(version: "2016" | "2022" | "2025") {
    const replicas = await start({ version, distributed });
    const connection = await connectTo(elementAt(replicas, 0));
    const major = { "2016": 13, "2022": 16, "2025": 17 }[version];
    const query = async (sql: string) => await connection.query(sql);
    return { connection, major, query };
  }

  test.each(["2016", "2022", "2025"] as const)("has each row once, on %s", async (version) => {
    const { major, query } = await asked(version);
    const [states = []] = await query(pollDatabases(major));
    // One database on two replicas.
    expect(states).toHaveLength(2);
    expect(new Set(states.map((row) => row["group_id"])).size).toBe(1);
    expect(states.filter((row) => row["is_local"] === true)).toHaveLength(1);
    for (const row of states) expect(Number(row["redo_queue_size"] ?? 0)).toBeLessThan(900_000);
    const [names = []] = await query(localDatabases(major));
    expect(names).toMatchObject([SALES]);
    const [roles = []] = await query(replicaStates(major));
    expect(roles.map((row) => [row["is_local"], row["role_desc"]])).toEqual([
      [true, "PRIMARY"],
      [false, "SECONDARY"],
    ]);
    const [counters = []] = await query(pollCounters(major));
    const instances = new Set(counters.map((row) => String(row["instance_name"])));
    expect([...instances].toSorted()).toEqual(["Sales", "TestAG:SQL2"]);
  });

  test("is told once, with the name of the group", async () => {
    const { connection } = await asked("2022");
    const { replicas, databases, warnings } = await askTopology(connection, 16, "SQL1");
    expect(replicas.map(({ serverName }) => serverName)).toEqual(["SQL1", "SQL2"]);
    expect(databases.map(({ name }) => name)).toEqual(["Sales"]);
    expect(warnings.filter((sentence) => sentence.includes("DAG1"))).toEqual([
      "DAG1 is a distributed availability group. AG Lens skips its rows and shows its member group on this server.",
    ]);
  });
});

test("a login that sees no definitions gets each database of the session once, though the views have it twice", async () => {
  const replicas = await start({ distributed: "global primary", deny: ["VIEW ANY DEFINITION"] });
  const connection = await connectTo(elementAt(replicas, 0));
  const { databases, warnings } = await askTopology(connection, 16, "SQL1");
  expect(databases.map(({ databaseId }) => databaseId)).toEqual([6]);
  expect(warnings).toEqual([expect.stringContaining("can't recognize distributed availability groups")]);
  const [names = [], files = []] = await connection.query(localDatabases(16));
  expect(names).toHaveLength(2);
  expect(logFileIds(names, files)).toEqual([{ databaseId: 6, fileId: 2 }]);
});

test.each(["2022", "2025"] as const)(
  "%s shows which databases a contained group has of its own",
  async (version) => {
    const connection = await connectTo(elementAt(await start({ version, contained: true }), 0));
    const { databases } = await askTopology(connection, 16, "SQL1");
    expect(databases.map(({ name, isContainedSystem }) => [name, isContainedSystem])).toEqual([
      ["Sales", false],
      ["TestAG_master", true],
      ["TestAG_msdb", true],
    ]);
    // They have no writes, and their rows have the same form as others.
    expect((await connection.query(pollDatabases(16)))[0]).toHaveLength(6);
  },
);

test("2014 has no distributed groups and no column for them: its statements run", async () => {
  const connection = await connectTo(elementAt(await start({ version: "2014" }), 0));
  for (const sql of [pollDatabases(12), localDatabases(12), replicaStates(12), pollCounters(12)]) {
    // oxlint-disable-next-line no-await-in-loop -- one statement per connection
    expect((await connection.query(sql))[0]).not.toEqual([]);
  }
});

test("log files are asked in one result set, each by its numbers", async () => {
  const connection = await connectTo(elementAt(await start({ databases: 2 }), 0));
  await clock.pass(500);
  const files = [6, 7, 8].map((databaseId) => ({ databaseId, fileId: 2 }));
  const sets = await connection.query(pollLogFiles(files));
  expect(sets).toHaveLength(1);
  // A missing file has no row.
  expect(sets[0]).toMatchObject([
    { database_id: 6, file_id: 2 },
    { database_id: 7, file_id: 2 },
  ]);
});
