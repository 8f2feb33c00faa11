/**
 * A run step by step, from events written by hand: blocks that settle, lanes that are drawn, replicas that are waited
 * for, and effects of a change of roles.
 */
import { describe, expect, it, vi } from "vitest";
import { BASE_TICKS, eventColumns, type EventSpec } from "../../test/events.ts";
import { handFedRow } from "../../test/hand-fed-stream.ts";
import { laid } from "../../test/laid-bins.ts";
import { blocksInARow, hopEvents, localEvents, secondaryEvents } from "../../test/paths.ts";
import { fireTime, EventKind, type EventColumns } from "../events/index.ts";
import { LiveModel } from "./live-model.ts";
import type { LiveModelPicture, LiveModelReplica } from "./picture.ts";

vi.mock("xel-parser/format", async (original) => {
  const { openHandFedStream } = await import("../../test/hand-fed-stream.ts");
  return { ...(await original<object>()), openColumnStream: openHandFedStream };
});
vi.mock("../events/index.ts", async (original) => {
  const events = await original<typeof import("../events/index.ts")>();
  return { ...events, eventColumnsOf: (parts: readonly EventColumns[]) => events.mergeColumns(parts) };
});

const SECOND = 1_000_000;
const ticks = (seconds: number): bigint => BASE_TICKS + BigInt(Math.round(seconds * 1e7));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const PRIMARY: LiveModelReplica = { name: "SQL1", role: "primary", replicaId: "primary-id" };
const SECONDARY: LiveModelReplica = { name: "SQL2", role: "secondary", replicaId: "secondary-id" };

/** Blocks from 1 s on, two a second. */
const paths = (seconds: number) => blocksInARow(seconds * 2, SECOND / 2);
const onPrimary = (of: ReturnType<typeof paths>): EventSpec[] =>
  of.flatMap((path) => [...localEvents(path), ...hopEvents(path)]);
const onSecondary = (of: ReturnType<typeof paths>): EventSpec[] =>
  of.flatMap((path) => secondaryEvents(path));

interface Run {
  readonly live: LiveModel;
  /** A picture per second; the first one is that of second 1. */
  readonly pictures: LiveModelPicture[];
}

/** Steps at every second from `from` + 1 on; each replica's events arrive in the step after they fired. */
function play(live: LiveModel, events: readonly (readonly EventSpec[])[], seconds: number, from = 0): Run {
  const firedAt = ({ kind, at = Number.NaN, took = Number.NaN }: EventSpec): number =>
    fireTime(EventKind[kind], at, took) / SECOND;
  const pictures: LiveModelPicture[] = [];
  for (let second = from + 1; second <= seconds; second++) {
    for (const [replica, own] of events.entries()) {
      const fresh = own.filter((event) => firedAt(event) < second && firedAt(event) >= second - 1);
      if (fresh.length > 0) live.push(replica, handFedRow(eventColumns(fresh)));
    }
    pictures.push(live.step(ticks(second)));
  }
  return { live, pictures };
}

/** Both replicas are read; two blocks a second for `blockSeconds`. */
const both = (blockSeconds: number, seconds: number): Run =>
  play(
    new LiveModel([PRIMARY, SECONDARY]),
    [onPrimary(paths(blockSeconds)), onSecondary(paths(blockSeconds))],
    seconds,
  );

describe("a run", () => {
  const { live, pictures } = both(20, 33);

  it("counts every block once, in the bins, in the overview and in the figures", () => {
    const { bins, overview } = live.whole();
    expect([sum(bins!.count), sum(overview!.count)]).toEqual([40, 40]);
    expect([bins!.width, bins!.firstBin]).toEqual([50_000, 0]);
    expect([overview!.width, overview!.firstBin]).toEqual([SECOND, 0]);
    // Time 0 is the first event: the commit of the first block.
    expect(overview!.count.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 2));
    const { figures } = pictures[20];
    expect(figures["commit"]).toMatchObject({ p50: 5_000, max: 5_000 });
    expect(figures["localFlush"].p50).toBe(2_835 - 123);
    expect(figures["hop0.secondaryFlush"].p50).toBe(3_500 - 586);
    expect(pictures[20]).toMatchObject({ blocksPerSecond: 2, commitsPerSecond: 2 });
  });

  it("sends with each step only what may have changed since the one before, and all of it to who has none", () => {
    const picture = pictures[18];
    expect(picture.bins!.firstBin).toBeGreaterThan(0);
    expect(picture.overview!.firstBin).toBeGreaterThan(0);
    const { bins, overview } = live.whole();
    expect([bins!.count[0], overview!.count[0]]).toEqual([1, 2]);
  });

  it("has a clock that was measured with all blocks since it began", () => {
    const [clock] = pictures[20].clocks;
    expect(clock).toMatchObject({ secondary: 0, status: "aligned" });
    // Twenty seconds of blocks; the last ones have not settled.
    expect(clock.blocksUsed).toBeGreaterThan(30);
    expect(clock.blocksUsed).toBeLessThanOrEqual(40);
  });

  it("settles what is a second older than what all replicas were read to", () => {
    const { count } = both(20, 12).live.whole().overview!;
    // The last block is at 10.5 s of the run and ends 5 ms later: blocks before 9.5 s have settled.
    expect(sum(count)).toBe(19);
  });
});

describe("what a run holds in memory", () => {
  const run = (mostBytes: number): Run =>
    play(new LiveModel([PRIMARY, SECONDARY], mostBytes), [onPrimary(paths(20)), onSecondary(paths(20))], 20);

  it("is told with every picture: bytes, and the oldest block", () => {
    const { pictures } = run(Infinity);
    expect([pictures[0].held.from, pictures[19].held.from]).toEqual([Number.NaN, 0]);
    // From 10 s on blocks settle after a second, so that the window of events stays the same.
    const [early, late] = [pictures[13], pictures[18]].map(({ held }) => held.bytes);
    // Ten blocks: 108 bytes, 132 for the secondary and 31 for a commit, each twice, and 80 for the id.
    expect(late - early).toBe(10 * (2 * (108 + 132 + 31) + 80));
  });

  it("reaches less far back where it may hold less, and counts all blocks the same", () => {
    const { held } = run(Infinity).pictures[19];
    const short = run(held.bytes - 10_000);
    const { bytes, from } = short.pictures[19].held;
    expect(bytes).toBeLessThanOrEqual(held.bytes - 10_000);
    expect(from).toBeGreaterThan(3 * SECOND);
    expect(from).toBeLessThan(18 * SECOND);
    expect(sum(short.live.whole().overview!.count)).toBe(sum(run(Infinity).live.whole().overview!.count));
    expect(short.pictures[19].verdict).not.toBeNull();
  });
});

describe("a primary that is attached and sends nothing", () => {
  it("is waited for ten seconds from the first event on, then the secondary alone is drawn", () => {
    const events = onSecondary(paths(20)).map((event) => ({ ...event, at: event.at! + 3 * SECOND }));
    const { pictures } = play(new LiveModel([PRIMARY, SECONDARY]), [[], events], 20);
    // The first event arrives with the step of second 5.
    const begun = pictures.findIndex(({ originTicks }) => originTicks > 0n) + 1;
    expect(begun).toBe(15);
  });
});

describe("a primary that is not heard any more", () => {
  const withoutPrimaryFrom = (second: number, seconds: number): LiveModelPicture[] =>
    play(new LiveModel([PRIMARY, SECONDARY]), [onPrimary(paths(second - 1)), onSecondary(paths(40))], seconds)
      .pictures;

  it("makes the verdict unknown after ten seconds, and its rates and figures too", () => {
    const pictures = withoutPrimaryFrom(20, 34);
    const sentenceAt = (second: number): string => pictures[second - 1].verdict?.sentence ?? "";
    const since = pictures.findIndex(({ verdict }) => verdict?.sentence.startsWith("Can't determine")) + 1;
    // Its last block is at 19.5 s. The step at 22 s is the first one with news that are later by more than a second.
    expect([since, sentenceAt(32)]).toEqual([33, expect.not.stringMatching(/^(Can't determine|$)/u)]);
    expect(pictures[32]).toMatchObject({ blocksPerSecond: Number.NaN, commitsPerSecond: Number.NaN });
    expect(pictures[32].verdict).toMatchObject({ severity: "notice" });
    expect(pictures[31].blocksPerSecond).not.toBeNaN();
  });
});

describe("the first verdict", () => {
  it("comes once two seconds were heard", () => {
    const { pictures } = both(10, 8);
    const first = pictures.findIndex(({ verdict }) => verdict !== null) + 1;
    // The run begins at 1 s.
    expect(first).toBe(4);
    expect(pictures[first - 1].judged).not.toBeNull();
  });
});

describe("the time of a run", () => {
  const nowWith = (aheadUs: number, boundUs: number): number => {
    const live = new LiveModel([PRIMARY, SECONDARY]);
    live.setClockOffset(0, aheadUs, boundUs);
    const { pictures } = play(live, [onPrimary(paths(10)), onSecondary(paths(10))], 5);
    return pictures.at(-1)!.now / SECOND;
  };

  it("is the caller's and what the primary's clock is ahead of it, as far as that was measured to a second", () => {
    const own = nowWith(0, 0);
    expect(own).toBeCloseTo(4, 1);
    expect(nowWith(2 * SECOND, SECOND) - own).toBeCloseTo(2, 6);
    expect(nowWith(2 * SECOND, SECOND + 1) - own).toBeCloseTo(0, 6);
  });

  it("is drawn up to three seconds ago where nobody sends anything, else as far as each replica was read", () => {
    const { pictures } = both(5, 20);
    const [quiet, busy] = [pictures[19], pictures[3]];
    expect(quiet.decodedTo.map((to) => quiet.now - to)).toEqual([3 * SECOND, 3 * SECOND]);
    for (const to of busy.decodedTo) expect(busy.now - to).toBeLessThan(0.5 * SECOND);
  });
});

describe("lanes", () => {
  it("of a secondary that is known from the primary's events alone have its name, once a server gives it", () => {
    const live = new LiveModel([PRIMARY]);
    const laneNames = (picture: LiveModelPicture): string => JSON.stringify(picture.lanes);
    const before = play(live, [onPrimary(paths(10))], 5).pictures.at(-1)!;
    expect(laneNames(before)).toContain("Secondary 1");
    live.setTopology({
      replicas: new Map([["secondary-id", { name: "NODE2", commitMode: "async" }]]),
      databases: new Map(),
    });
    const { lanes } = live.step(ticks(6));
    expect(JSON.stringify(lanes)).toContain("NODE2");
    // The mode of a replica that is not attached is known, too: no commit waits for it.
    const modes = lanes.map(({ secondary, commitMode }) => `${secondary} ${commitMode}`);
    expect([...new Set(modes)]).toEqual(["-1 undetermined", "0 async"]);
  });
});

describe("a change of roles", () => {
  it("ends a phase with the lanes it had, keeps what was counted, and begins anew", () => {
    const { live, pictures } = both(10, 11);
    const { lanes } = pictures.at(-1)!;
    live.setRole(0, "secondary", "");
    live.setRole(1, "primary", "");
    const after = live.step(ticks(12));
    expect(after.phases).toHaveLength(1);
    expect(after.phases[0]).toMatchObject({ from: 0, primary: 0, lanes });
    expect(after.phases[0].to).toBeGreaterThanOrEqual(9.5 * SECOND);
    expect(after.lanes).not.toEqual(lanes);
    expect(after.clocks).toEqual([]);
    // Blocks that had not settled were included as they were.
    expect(sum(live.whole().overview!.count)).toBe(20);
  });

  it("is in the bins of whoever follows the run as in those of who comes later", () => {
    const { live, pictures } = both(10, 11);
    live.setRole(0, "secondary", "");
    live.setRole(1, "primary", "");
    const followed = [...pictures, live.step(ticks(12))];
    const { overview, bins } = live.whole();
    expect(laid(followed.map((picture) => picture.overview))).toEqual(overview!.count);
    expect(laid(followed.map((picture) => picture.bins)).slice(-bins!.count.length)).toEqual(bins!.count);
  });

  it("to a server that is the only one heard leaves the old primary in its new role", () => {
    const { live } = both(10, 11);
    live.setRole(0, "secondary", "");
    live.setRole(1, "primary", "");
    const later = paths(8).map((path) => ({
      ...path,
      block: path.block + 4_096n,
      at: path.at + 11 * SECOND,
    }));
    const events = onPrimary(later).map((event): EventSpec => ({
      ...event,
      ...(event.self === undefined ? {} : { self: "secondary-id" }),
      ...(event.partner === undefined ? {} : { partner: "primary-id" }),
    }));
    const { lanes } = play(live, [[], events], 16, 11).pictures.at(-1)!;
    expect(lanes.map(({ heading }) => heading)).toContain("SQL1, secondary");
    // A replica that reports its role once more does not change it.
    live.setRole(0, "secondary", "");
    expect(live.step(ticks(17)).phases).toHaveLength(1);
  });

  it("is none where a replica keeps its role", () => {
    const { live } = both(10, 11);
    live.setRole(0, "primary", "primary-id");
    expect(live.step(ticks(12)).phases).toEqual([]);
  });
});

/** An event of a database of its own for each millisecond of a second. */
const ofOwnDatabases = (second: number, count: number): EventSpec[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: "capture",
    at: second * SECOND + i * 1_000,
    took: 0,
    block: BigInt(i + 1),
    partner: "secondary-id",
    database: `db-${second}-${i}`,
  }));

describe("a stream whose ids cannot be those of a server", () => {
  it("is read no longer, with the reason, until its session begins again", () => {
    const live = new LiveModel([PRIMARY, SECONDARY]);
    for (const second of [0, 1, 2]) {
      expect(live.push(0, handFedRow(eventColumns(ofOwnDatabases(second, 500)))).undecoded).toBeNull();
      live.step(ticks(second + 1));
    }
    const { kind, undecoded } = live.push(0, handFedRow(eventColumns(ofOwnDatabases(3, 500))));
    expect(kind).toBe("unreadable");
    expect(undecoded?.message).toMatch(
      /^The events name 1,500 availability databases\. A server has no more/u,
    );
    live.gap(0, "connection");
    expect(live.push(0, handFedRow(eventColumns(onPrimary(paths(1))))).undecoded).toBeNull();
  });

  it("has no picture and no error where these are fewer", () => {
    const { pictures } = play(new LiveModel([PRIMARY, SECONDARY]), [ofOwnDatabases(0, 100), []], 1);
    expect(pictures[0].bins).toBeNull();
  });
});
