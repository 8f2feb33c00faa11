import { describe, expect, it } from "vitest";
import type { EventSpec } from "../../../test/events.ts";
import { serverOf } from "../../../test/servers.ts";
import { blockId } from "../../../test/paths.ts";
import { learnDatabases } from "./databases.ts";
import { findGroups } from "./groups.ts";

/** An arrival on the primary `self` from `partner`, of a database. */
const arrival = (database: string, self: string, partner: string, at: number): EventSpec => ({
  kind: "receiveHarden",
  mode: 2,
  took: 0,
  database,
  self,
  partner,
  block: blockId(0x22, 16 + at),
  at,
});

function grouped(...events: EventSpec[]) {
  const server = serverOf(events);
  const databases = learnDatabases([server]);
  const { ids } = databases;
  const { groupOf, members } = findGroups([server], databases);
  return {
    of: Object.fromEntries(ids.map((id, d) => [id, groupOf[d]])),
    members: members.map((each) => [...each].sort()),
  };
}

describe("availability groups", () => {
  it("are of databases whose events name the same replicas", () => {
    expect(
      grouped(
        arrival("sales", "a1", "b1", 1),
        arrival("hr", "a2", "b2", 2),
        arrival("orders", "a1", "c1", 3),
        arrival("sales", "a1", "d1", 4),
      ),
    ).toEqual({
      of: { sales: 0, hr: 1, orders: 0 },
      members: [
        ["a1", "b1", "c1", "d1"],
        ["a2", "b2"],
      ],
    });
  });

  it("are one for databases of which no event names a replica", () => {
    const silent = (database: string, at: number): EventSpec => ({
      kind: "apply",
      mode: 2,
      took: 0,
      database,
      block: blockId(0x22, 16 + at),
      at,
    });
    expect(grouped(silent("sales", 1), silent("hr", 2), arrival("orders", "a1", "b1", 3)).of).toEqual({
      sales: 0,
      hr: 0,
      orders: 1,
    });
  });

  it("are found from events with the database's own name only, not from those that a database_id leads to", () => {
    const named = arrival("sales", "a1", "b1", 1);
    const own: EventSpec = { kind: "flushStart", local: 5, block: named.block!, at: 2 };
    const packed: EventSpec = {
      kind: "compression",
      local: 5,
      partner: "zzz",
      took: 1,
      block: named.block!,
      at: 3,
    };
    expect(grouped(named, own, packed).members).toEqual([["a1", "b1"]]);
  });
});
