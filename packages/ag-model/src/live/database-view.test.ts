/** A run of two databases, watched one at a time: events written by hand, so that every figure is known. */
import { describe, expect, it, vi } from "vitest";
import { BASE_TICKS, eventColumns, type EventSpec } from "../../test/events.ts";
import { handFedRow } from "../../test/hand-fed-stream.ts";
import { blockId, blocksInARow, hopEvents, localEvents, secondaryEvents } from "../../test/paths.ts";
import { fireTime, EventKind, type EventColumns } from "../events/index.ts";
import { LiveModel } from "./live-model.ts";
import type { DatabasePicture, LiveModelPicture } from "./picture.ts";
import { laid } from "../../test/laid-bins.ts";

vi.mock("xel-parser/format", async (original) => {
  const { openHandFedStream } = await import("../../test/hand-fed-stream.ts");
  return { ...(await original<object>()), openColumnStream: openHandFedStream };
});
vi.mock("../events/index.ts", async (original) => {
  const events = await original<typeof import("../events/index.ts")>();
  return { ...events, eventColumnsOf: (parts: readonly EventColumns[]) => events.mergeColumns(parts) };
});

const SECOND = 1_000_000;
const SECONDS = 24;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const ticks = (seconds: number): bigint => BASE_TICKS + BigInt(Math.round(seconds * 1e7));

/** Sales writes ten blocks a second, which are hardened on the secondary after 4 ms. */
const sales = blocksInARow(SECONDS * 10, SECOND / 10);
/** Stock writes two a second; its log write on the secondary takes 60 ms instead of 2.9 ms. */
const stock = blocksInARow(SECONDS * 2, SECOND / 2, {
  database: "stock-id",
  local: 8,
  commitEnd: 70_000,
}).map((path, i) => ({ ...path, block: blockId(0x31, 16 + 2 * i), at: path.at + 30_000 }));
const SLOW = {
  secondaryFlushEnd: 60_586,
  ackBuilt: 60_600,
  ackDeparted: 60_620,
  ackSent: 60_700,
  ackReceived: 61_000,
  ackProcessed: 61_050,
};

const onPrimary: EventSpec[] = [
  ...sales.flatMap((path) => [...localEvents(path), ...hopEvents(path)]),
  ...stock.flatMap((path) => [...localEvents(path), ...hopEvents(path, SLOW)]),
];
const onSecondary: EventSpec[] = [
  ...sales.flatMap((path) => secondaryEvents(path)),
  ...stock
    .flatMap((path) => secondaryEvents(path, SLOW))
    .map((event) => (event.local === undefined ? event : { ...event, local: 9 })),
];

/** @param watched when a user begins to watch a database alone, by name: second of the run */
function play(watched: Readonly<Record<string, number>>): { live: LiveModel; pictures: LiveModelPicture[] } {
  const live = new LiveModel([
    { name: "SQL1", role: "primary", replicaId: "primary-id" },
    { name: "SQL2", role: "secondary", replicaId: "secondary-id" },
  ]);
  live.setTopology({
    replicas: new Map(),
    databases: new Map([
      ["sales-id", "Sales"],
      ["stock-id", "Stock"],
    ]),
  });
  const pictures: LiveModelPicture[] = [];
  for (let second = 1; second <= SECONDS; second++) {
    for (const [replica, events] of [onPrimary, onSecondary].entries()) {
      const fresh = events.filter(({ kind, at = Number.NaN, took = Number.NaN }) => {
        const fired = fireTime(EventKind[kind], at, took) / SECOND;
        return fired < second && fired >= second - 1;
      });
      if (fresh.length > 0) live.push(replica, handFedRow(eventColumns(fresh)));
    }
    pictures.push(live.step(ticks(second)));
    for (const [name, from] of Object.entries(watched)) if (from === second) live.watchDatabase(name);
  }
  return { live, pictures };
}

describe("a database that is watched", () => {
  const { live, pictures } = play({ Sales: 2, Stock: 14 });
  const last = pictures.at(-1)!;
  const of = (name: string, picture = last): DatabasePicture => picture.byDatabase[name];

  it("is among those that the run has", () => {
    expect(last.databases).toEqual(["Sales", "Stock"]);
    expect(Object.keys(last.byDatabase)).toEqual(["Sales", "Stock"]);
  });

  it("has figures and rates of its own blocks and commits only", () => {
    expect(of("Sales")).toMatchObject({ blocksPerSecond: 10, commitsPerSecond: 10 });
    expect(of("Stock")).toMatchObject({ blocksPerSecond: 2, commitsPerSecond: 2 });
    expect(of("Sales").figures["commit"]).toMatchObject({ p50: 5_000, max: 5_000 });
    expect(of("Stock").figures["commit"]).toMatchObject({ p50: 70_000, max: 70_000 });
    expect(of("Sales").figures["hop0.secondaryFlush"].p50).toBe(3_500 - 586);
    expect(of("Stock").figures["hop0.secondaryFlush"].p50).toBe(60_000);
    expect(last.figures["commit"]).toMatchObject({ p50: 5_000, max: 70_000 });
  });

  it("has bins of its own, in which every block of the run counts for one database", () => {
    const whole = live.whole();
    const own = ["Sales", "Stock"].map((name) => of(name, whole));
    for (const [i, count] of whole.bins!.count.entries())
      expect(sum(own.map(({ bins }) => bins!.count[i]))).toBe(count);
    for (const [i, count] of whole.overview!.count.entries())
      expect(sum(own.map(({ overview }) => overview!.count[i]))).toBe(count);
    expect(own[1].bins!.max["hop0.secondaryFlush"].filter((us) => us > 0).every((us) => us === 60_000)).toBe(
      true,
    );
  });

  it("begins with the blocks of the last minute, when it is watched later", () => {
    // The run has 22 blocks until then and 20 after it.
    expect(sum(of("Stock", live.whole()).bins!.count)).toBeGreaterThan(30);
  });

  it("is judged alone", () => {
    expect(of("Stock").verdict?.place).toBe("secondary");
    expect(of("Stock").verdict?.severity).not.toBe("none");
    expect(of("Sales").verdict?.severity).toBe("none");
  });

  it("sends with each step what may have changed, as the picture of all does", () => {
    expect(of("Sales").bins!.firstBin).toBe(last.bins!.firstBin);
    expect(of("Sales").bins!.count.length).toBe(last.bins!.count.length);
  });
});

describe("a change of roles", () => {
  it("leaves whoever watches a database the bins that the run has of it", () => {
    const { live, pictures } = play({ Sales: 2 });
    live.setRole(0, "secondary", "");
    live.setRole(1, "primary", "");
    const followed = [...pictures, live.step(ticks(SECONDS + 1))].map(
      ({ byDatabase }) => byDatabase["Sales"],
    );
    const { bins, overview } = live.whole().byDatabase["Sales"];
    expect(laid(followed.map((own) => own?.overview ?? null))).toEqual(overview!.count);
    expect(laid(followed.map((own) => own?.bins ?? null))).toEqual(bins!.count);
  });
});

describe("a database that nobody watches", () => {
  it("is not computed", () => {
    expect(play({}).pictures.at(-1)!.byDatabase).toEqual({});
    const { live } = play({ Sales: 2 });
    live.unwatchDatabase("Sales");
    expect(live.step(ticks(SECONDS + 1)).byDatabase).toEqual({});
  });

  it("is empty while the run has no log of it", () => {
    const { byDatabase } = play({ Archive: 2 }).pictures.at(-1)!;
    expect(byDatabase["Archive"]).toMatchObject({ verdict: null, blocksPerSecond: 0 });
    expect(sum(byDatabase["Archive"].bins!.count)).toBe(0);
  });
});
