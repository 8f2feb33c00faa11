import { describe, expect, it } from "vitest";
import type { EventSpec } from "../../../test/events.ts";
import { serverOf } from "../../../test/servers.ts";
import { blockId } from "../../../test/paths.ts";
import { nameAckSends } from "./ack-databases.ts";
import { collectBlocks } from "./blocks.ts";
import { learnDatabases } from "./databases.ts";
import { NO_DATABASE } from "../prepare/own-databases.ts";

const block = (offset: number): bigint => blockId(0x22, offset);
const received = (database: string, offset: number, at: number): EventSpec => ({
  kind: "transportReceive",
  mode: 2,
  took: 0,
  database,
  block: block(offset),
  at,
});
/** An acknowledgment of all before `end`. */
const built = (database: string, end: number, at: number): EventSpec => ({
  kind: "sendHarden",
  mode: 3,
  took: 0,
  database,
  block: block(end),
  at,
});
const sent = (end: number, at: number, took: number): EventSpec => ({
  kind: "ackSendComplete",
  took,
  block: block(end),
  at,
});

/** Blocks at 15 in "sales" and at 15 and 16 in "orders", received 500, 480 and 470 µs before 0, each of one sector. */
const BLOCKS = [received("sales", 15, -500), received("orders", 15, -480), received("orders", 16, -470)];

/** Database of each event of the acknowledgments. */
function named(events: readonly EventSpec[]): (string | null)[] {
  const server = serverOf([...BLOCKS, ...events]);
  const { ids } = learnDatabases([server]);
  nameAckSends(server, collectBlocks([server], ids.length));
  return [...server.database].map((d) => (d === NO_DATABASE ? null : ids[d]));
}

describe("hadr_lsn_send_complete, which names no database", () => {
  it("is of the acknowledgment of the same block just before it", () => {
    const events = [built("sales", 16, 100), built("orders", 17, 110), sent(17, 180, 1), sent(16, 190, 1)];
    expect(named(events)).toEqual(["sales", "orders", "orders", "sales"]);
  });

  it("is of the one whose block was received when its total_processing_time began, where two have equal ids", () => {
    const both = [built("sales", 16, 100), built("orders", 16, 110)];
    expect(named([...both, sent(16, 180, 680), sent(16, 185, 665)]).slice(2)).toEqual(["sales", "orders"]);
    expect(named([...both, sent(16, 180, 660), sent(16, 185, 685)]).slice(2)).toEqual(["orders", "sales"]);
  });

  it("is without one where nothing shows which of two it is", () => {
    const both = [built("sales", 16, 100), built("orders", 16, 110)];
    const { took: _, ...untimed } = sent(16, 180, 1);
    expect(named([...both, untimed]).slice(2)).toEqual([null]);
  });

  it("is without one more than 1 ms behind, before it, and for another block", () => {
    expect(named([built("sales", 16, 100), sent(16, 1_100, 1)])).toEqual(["sales", "sales"]);
    expect(named([built("sales", 16, 100), sent(16, 1_101, 1)])).toEqual(["sales", null]);
    expect(named([sent(16, 90, 1), built("sales", 16, 100)])).toEqual([null, "sales"]);
    expect(named([built("sales", 16, 100), sent(20, 180, 1)])).toEqual(["sales", null]);
  });
});
