/** Captures with a failover, or of two availability groups in parallel. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../../test/model.ts";
import { LOCAL_ANCHORS, type CaptureModel } from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";

const BLOCKS = 40;

const plain = (text: string): string => text.replaceAll("\u00A0", " ");

/** SQL1 is the primary for 4 s, and from 20 s on SQL2 for 4 s; blocks 100 ms apart. */
function failover(before: Omit<BlockSpec, "at"> = {}, after: Omit<BlockSpec, "at"> = {}): CaptureModel {
  const model = modelOf([
    ...Array.from({ length: BLOCKS }, (_, i) => ({ ...before, at: i * 100_000 })),
    ...Array.from({ length: BLOCKS }, (_, i) => ({ ...after, at: 20_000_000 + i * 100_000 })),
  ]);
  model.blocks.phase.fill(1, BLOCKS);
  const { time, timeEnd } = model.blocks;
  const phase = { databases: [0], commitModes: ["sync" as const] };
  return {
    ...model,
    phases: [
      { ...phase, primary: 0, from: 0, to: timeEnd[BLOCKS - 1] },
      { ...phase, primary: 1, from: time[BLOCKS], to: timeEnd[2 * BLOCKS - 1] },
    ],
  };
}

/** Lost events of SQL2 at these places, from, to (µs) and number. */
function countedOn(
  model: CaptureModel,
  lost: number,
  places: readonly (readonly [from: number, to: number, events: number])[],
): CaptureModel {
  const file = { cause: "dropped" as const, before: 0, after: 0 };
  const listed = places.map(([from, to, events]) => ({ from, to, events, ...file }));
  return { ...model, countedLosses: [{ replica: 1, events: 1_000, lost, places: listed }] };
}

const lossesIn = (model: CaptureModel): string[] =>
  diagnose(model).findings.flatMap(({ cause, sentence }) =>
    cause === "lost_events" ? [plain(sentence).replace(/(lost exactly .*? events?)\b.*$/u, "$1")] : [],
  );

describe("a capture with a failover", () => {
  it("counts each lost event of numbered ones in one phase, without a total", () => {
    // The second place is around the change; its middle is in the first phase's half. Three have no time.
    const model = countedOn(failover(), 35, [
      [1_000_000, 2_000_000, 10],
      [3_500_000, 20_100_000, 2],
      [22_000_000, 22_500_000, 20],
    ]);
    expect(lossesIn(model)).toEqual([
      "By event_sequence, SQL2 lost exactly 15 events",
      "By event_sequence, SQL2 lost exactly 20 events",
    ]);
    const [before] = model.phases;
    const whole = { ...model, phases: [{ ...before, to: model.duration }] };
    whole.blocks.phase.fill(0);
    expect(lossesIn(whole)).toEqual(["By event_sequence, SQL2 lost exactly 35 of 1,035 events"]);
  });

  it("compares the two phases that have blocks, where another group's phase lies between them", () => {
    const model = failover();
    const [before, after] = model.phases;
    // The blocks after the change are of the third phase; the second is another group's.
    model.blocks.phase.fill(2, BLOCKS);
    const other = { ...before, databases: [1] };
    const { sentence } = diagnose({ ...model, phases: [before, other, after] });
    expect(plain(sentence)).toContain("Before and after, commits finish in 4.29 ms and 4.29 ms (p95).");
  });

  it("says who took over, and how long no commit ended", () => {
    const verdict = diagnose(failover());
    // The last commit ends at 3,904,290 µs, the first of the new primary at 20,004,290.
    expect(plain(verdict.sentence)).toBe(
      "At 02:17:15 SQL2 took over from SQL1; no commit ended for 16.1 s. Before and after, commits finish in 4.29 ms and 4.29 ms (p95). No stage stands out.",
    );
    expect(
      verdict.evidence.map(({ before, value, after }) => plain(`${before} ${value} ${after}`.trim())),
    ).toEqual(["40 commits on SQL1, 40 on SQL2", "commit p50 4.29 ms before, 4.29 ms after"]);
    expect(verdict).toMatchObject({
      severity: "notice",
      cause: "role_change",
      replica: 1,
      window: { from: 3_904_290, to: 20_004_290 },
      episodes: [],
    });
    expect(verdict.checkNext[1]).toBe("Verify that the last log blocks of SQL1 were hardened on SQL2");
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(["D0", "D18"]);
    expect(verdict.findings[1].database).toBe(0);
  });

  it("takes blocks where no commit is known", () => {
    const verdict = diagnose(failover({ commits: 0 }, { commits: 0 }));
    expect(verdict.window).toEqual({ from: 3_904_290, to: 20_000_000 });
  });

  it("takes the last and the first end of a commit, in whatever order they are", () => {
    const model = failover();
    model.commits.end[10] = 5_000_000;
    model.commits.end[BLOCKS + 10] = 19_000_000;
    model.commits.block[BLOCKS - 1] = -1;
    expect(diagnose(model).findings.find(({ rule }) => rule === "D18")?.window).toEqual({
      from: 5_000_000,
      to: 19_000_000,
    });
  });

  it("names the servers of the phase that is slow", () => {
    const local = diagnose(failover({}, { localFlush: 30_000 }));
    expect(plain(local.sentence)).toContain("Log writes on SQL2 take 30.0 ms at p95");
    expect(local).toMatchObject({ severity: "slow", cause: "primary_disk", replica: 1 });
    const remote = diagnose(failover({}, { hops: [{ flush: 30_000 }] }));
    expect(plain(remote.sentence)).toContain("The log write on SQL1 takes 96 % of remote harden time.");
    expect(remote).toMatchObject({ severity: "slow", cause: "secondary_disk", replica: 0 });
    const first = diagnose(failover({ hops: [{ flush: 30_000 }] }));
    expect(first).toMatchObject({ cause: "secondary_disk", replica: 1 });
  });

  it("lists findings of all phases once, most severe first", () => {
    const verdict = diagnose(failover({ localFlush: 12_000 }, { localFlush: 60_000 }));
    expect(verdict.findings.map(({ rule, replica, severity }) => [rule, replica, severity])).toEqual([
      ["D1", 1, "slow"],
      ["D18", 1, "notice"],
      ["D1", 0, "notice"],
    ]);
  });

  it("is judged within each phase: a phase that is slow as a whole is no episode of the capture", () => {
    expect(diagnose(failover({}, { hops: [{ flush: 9_000 }] })).episodes).toEqual([]);
  });

  it("has the episodes of each phase with the secondary of that phase", () => {
    const long = (slow: (i: number) => boolean) =>
      Array.from({ length: 600 }, (_, i): Omit<BlockSpec, "at"> =>
        slow(i) ? { hops: [{ flush: 40_000 }] } : {},
      );
    const halves = [long((i) => i >= 400 && i < 500), long((i) => i >= 100 && i < 200)];
    const model = modelOf(halves.flat().map((spec, i) => ({ ...spec, at: i * 100_000 })));
    model.blocks.phase.fill(1, 600);
    const phase = { databases: [0], commitModes: ["sync" as const] };
    const verdict = diagnose({
      ...model,
      phases: [
        { ...phase, primary: 0, from: 0, to: model.blocks.timeEnd[599] },
        { ...phase, primary: 1, from: 60_000_000, to: model.duration },
      ],
    });
    expect(verdict.episodes.map(({ from, secondary, label }) => [from, secondary, label])).toEqual([
      [40_000_000, 0, "Slow log writes, SQL2"],
      [70_000_000, 0, "Slow log writes, SQL1"],
    ]);
  });
});

describe("a change of roles of which events are missing", () => {
  /** The failover by SQL1's or SQL2's file alone. */
  function seenBy(replica: number): CaptureModel {
    const isAfter = replica === 0;
    const model = failover(isAfter ? {} : { commits: 0 }, isAfter ? { commits: 0 } : {});
    hideLocal(model, isAfter ? BLOCKS : 0, isAfter ? 2 * BLOCKS : BLOCKS);
    return {
      ...model,
      replicas: model.replicas.map((each, k) =>
        k === replica ? each : { ...each, hasCapture: false, from: Number.NaN, to: Number.NaN },
      ),
    };
  }

  /** Removes the primary's events of some blocks. */
  function hideLocal({ blocks }: CaptureModel, first: number, end: number): void {
    for (const anchor of LOCAL_ANCHORS) blocks[anchor].fill(Number.NaN, first, end);
  }

  /** Also removes the commits of blocks with one each. */
  function hideCommits(model: CaptureModel, first: number, end: number): void {
    hideLocal(model, first, end);
    model.commits.start.fill(Number.NaN, first, end);
    model.commits.end.fill(Number.NaN, first, end);
  }

  const changeOf = (model: CaptureModel) => diagnose(model).findings.find(({ rule }) => rule === "D18");

  it("does not say when commits ended on a primary without a file, and judges the other", () => {
    const verdict = diagnose(seenBy(0));
    // The last commit ends at 3,904,290 µs, SQL2's first block begins at 20,000,000.
    expect(plain(verdict.sentence)).toBe(
      "At 02:17:15 SQL2 took over from SQL1, 16.1 s after its last commit; when SQL2 ended its first is not known: there is no file of SQL2. Before that: Commits finish in 4.29 ms (p95). No stage stands out.",
    );
    expect(verdict).toMatchObject({ severity: "notice", cause: "role_change" });
    expect(verdict.checkNext[0]).toBe("Add the files of SQL2");
    expect(changeOf(seenBy(0))).toMatchObject({
      commitsKnown: { before: true, after: false },
      window: { from: 3_904_290, to: 20_000_000 },
    });
  });

  it("does not say when the last commit ended on one without a file", () => {
    const verdict = diagnose(seenBy(1));
    expect(plain(verdict.sentence)).toBe(
      "At 02:17:15 SQL2 took over from SQL1, and ended its first commit 16.1 s after the last log block of SQL1; when SQL1 ended its last commit is not known: there is no file of SQL1. Since then: Commits finish in 4.29 ms (p95). No stage stands out.",
    );
    expect(changeOf(seenBy(1))).toMatchObject({ commitsKnown: { before: false, after: true } });
  });

  it("says that no file covers a primary's time, where it has one of another", () => {
    const model = seenBy(0);
    const replicas = model.replicas.map((each, k) =>
      k === 1 ? { ...each, hasCapture: true, from: 0, to: 3_000_000 } : each,
    );
    expect(plain(diagnose({ ...model, replicas }).sentence)).toContain(
      "when SQL2 ended its first is not known: no file of SQL2 covers that time. Before that: ",
    );
  });

  it("says so in words of a run, where a server is not read", () => {
    expect(plain(changeOf({ ...seenBy(0), source: "live" })!.sentence)).toContain(
      ": AG Lens doesn't read SQL2.",
    );
  });

  it("says no more than it knows of a change that neither primary's file shows", () => {
    const model = failover({ commits: 0 }, { commits: 0 });
    hideLocal(model, 0, 2 * BLOCKS);
    const replicas = model.replicas.map((each) => ({ ...each, hasCapture: false }));
    expect(plain(changeOf({ ...model, replicas })!.sentence)).toBe(
      "At 02:17:15 SQL2 took over from SQL1, 16.1 s after its last log block; when commits ended before and after that is not known: there is no file of SQL1 and SQL2.",
    );
  });

  it("does not take the first commit that is known for the first, where events of blocks before it are missing", () => {
    const model = failover();
    // SQL2's file has no events of its first ten blocks: their commits may have ended at any time.
    hideCommits(model, BLOCKS, BLOCKS + 10);
    const change = changeOf(model)!;
    expect(plain(change.sentence)).toBe(
      "At 02:17:15 SQL2 took over from SQL1, 16.1 s after its last commit; when SQL2 ended its first is not known: events of SQL2 in that time are missing.",
    );
    expect(change).toMatchObject({
      commitsKnown: { before: true, after: false },
      window: { from: 3_904_290, to: 20_000_000 },
    });
  });

  it("does not take the last commit that is known for the last, where events of blocks behind it are missing", () => {
    const model = failover();
    hideCommits(model, BLOCKS - 5, BLOCKS);
    const change = changeOf(model)!;
    expect(plain(change.sentence)).toContain(
      "and ended its first commit 16.1 s after the last log block of SQL1; when SQL1 ended its last commit is not known: events of SQL1 in that time are missing.",
    );
    expect(change).toMatchObject({
      commitsKnown: { before: false, after: true },
      window: { from: model.phases[0].to, to: 20_004_290 },
    });
  });

  it("does so where the new primary's file begins only within it", () => {
    const model = failover();
    const late = (from: number) => model.replicas.map((each, k) => (k === 1 ? { ...each, from } : each));
    expect(changeOf({ ...model, replicas: late(3_904_291) })!.commitsKnown!.after).toBe(false);
    expect(changeOf({ ...model, replicas: late(3_904_290) })!.commitsKnown!.after).toBe(true);
  });
});

describe("of two phases that are slow", () => {
  /** Phases of 600 blocks; in each, 100 local log writes take longer by this time. */
  const verdictOn = (before: number, after: number) => {
    const model = modelOf(
      Array.from({ length: 1_200 }, (_, i) => ({
        at: i * 100_000,
        localFlush: 2_000 + (i % 600 >= 300 && i % 600 < 400 ? (i < 600 ? before : after) : 0),
      })),
    );
    model.blocks.phase.fill(1, 600);
    const phase = { databases: [0], commitModes: ["sync" as const] };
    return diagnose({
      ...model,
      phases: [
        { ...phase, primary: 0, from: 0, to: model.blocks.timeEnd[599] },
        { ...phase, primary: 1, from: 60_000_000, to: model.duration },
      ],
    });
  };

  it("the one with the larger effect on commits is named, whichever came first", () => {
    expect(verdictOn(20_000, 40_000)).toMatchObject({ severity: "slow", replica: 1 });
    expect(verdictOn(40_000, 20_000)).toMatchObject({ severity: "slow", replica: 0 });
  });

  it("severity comes before effect, also among the findings", () => {
    // Nine milliseconds are a notice, eleven are slow.
    expect(verdictOn(9_000, 13_000)).toMatchObject({ severity: "slow", replica: 1 });
    expect(verdictOn(13_000, 9_000)).toMatchObject({ severity: "slow", replica: 0 });
    expect(
      verdictOn(9_000, 13_000)
        .findings.map(({ rule, severity }) => [rule, severity])
        .slice(0, 3),
    ).toEqual([
      ["D1", "slow"],
      ["D18", "notice"],
      ["D1", "notice"],
    ]);
  });

  it("episodes are in order of time", () => {
    expect(verdictOn(9_000, 40_000).episodes.map(({ from, cause }) => [from, cause])).toEqual([
      [30_000_000, "primary_disk"],
      [90_000_000, "primary_disk"],
    ]);
  });
});

describe("two availability groups side by side", () => {
  function groups(second: Omit<BlockSpec, "at">, primaries = [0, 0]): CaptureModel {
    const model = modelOf(
      Array.from({ length: 2 * BLOCKS }, (_, i) => ({ ...(i % 2 === 0 ? {} : second), at: i * 100_000 })),
    );
    for (let row = 1; row < 2 * BLOCKS; row += 2) {
      // The ids of each database follow each other, as its log does.
      model.blocks.blockId[row] = model.blocks.blockId[row - 1] = (0x22n << 32n) | BigInt((row + 1) / 2);
      model.blocks.phase[row] = model.blocks.database[row] = model.commits.database[row] = 1;
    }
    const [database] = model.databases;
    return {
      ...model,
      databases: [database, { ...database, id: "db2", name: "Orders", group: 1 }],
      phases: primaries.map((primary, index) => ({
        databases: [index],
        primary,
        from: 0,
        to: model.duration,
        commitModes: ["sync" as const],
      })),
    };
  }

  it("count each lost event of numbered ones once", () => {
    const model = groups({});
    expect(lossesIn(countedOn(model, 12, [[3_000_000, 3_100_000, 12]]))).toEqual([
      "By event_sequence, SQL2 lost exactly 12 events",
    ]);
  });

  it("say whose databases a sentence is about, and no role changed", () => {
    const verdict = diagnose(groups({ localFlush: 30_000 }));
    expect(plain(verdict.sentence)).toBe(
      "Orders: Log writes on SQL1 take 30.0 ms at p95 (busy) and gate 100 % of commits.",
    );
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(["D1"]);
  });

  it("may have different primaries", () => {
    expect(diagnose(groups({ localFlush: 30_000 }, [0, 1]))).toMatchObject({
      replica: 1,
      cause: "primary_disk",
    });
    expect(plain(diagnose(groups({})).sentence)).toBe(
      "TestDB: Commits finish in 4.29 ms (p95). No stage stands out.",
    );
  });

  it("are told apart from one whose primary has no file", () => {
    const model = groups({}, [0, 1]);
    const replicas = model.replicas.map((each, k) => (k === 1 ? { ...each, hasCapture: false } : each));
    const verdict = diagnose({ ...model, replicas });
    expect(plain(verdict.sentence)).toBe(
      "TestDB: Commits finish in 4.29 ms (p95). No stage stands out. Can't determine what commits of Orders wait for: there is no file of SQL2.",
    );
    expect(verdict.severity).toBe("notice");
    expect(verdict.checkNext).toContain("Add the files of SQL2");
  });

  it("may have no secondary at all", () => {
    const slow = modelOf(
      Array.from({ length: 1_200 }, (_, i) => ({
        at: i * 50_000,
        localFlush: i >= 600 && i < 800 ? 40_000 : 2_000,
      })),
      { secondaries: 0 },
    );
    for (let row = 1; row < 1_200; row += 2) slow.blocks.phase[row] = slow.blocks.database[row] = 1;
    const phases = [0, 1].map((database) => ({
      databases: [database],
      primary: 0,
      from: 0,
      to: slow.duration,
      commitModes: [],
    }));
    const { episodes } = diagnose({ ...slow, databases: [slow.databases[0], slow.databases[0]], phases });
    expect(episodes.map(({ secondary, inside }) => [secondary, inside["remoteHarden"]])).toEqual([
      [0, null],
      [0, null],
    ]);
  });
});
