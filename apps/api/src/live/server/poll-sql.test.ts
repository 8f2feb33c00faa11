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
import { LAST_STATEMENT, POLL_WAITING } from "./poll-sql.ts";

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

/** A connection with the rights of docs/live.md 2.2 and no more. */
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
