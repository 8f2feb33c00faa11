/** Tests of the figures of a running picture: the window of the verdict, and where each ends. */
import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { recentFigures } from "./recent-figures.ts";
import { Secondaries } from "./secondaries.ts";

const SECOND = 1_000_000;

/** A block each second from 0 to 59 s; that of second s is written in 10 ms and s times 100 µs, so its commit takes 90 µs more. */
const model = (secondaries = 1): CaptureModel =>
  modelOf(
    Array.from({ length: 60 }, (_, s) => ({
      at: s * SECOND,
      localFlush: 10_000 + 100 * s,
      hops: [{ wireOut: 1_000 + s }, { wireOut: 2_000 + s }],
    })),
    { secondaries },
  );
const commitAt = (second: number): number => 10_090 + 100 * second;

/** Secondaries of the run by the replica that is attached as each; -1 for none. */
function secondariesOf(...replicas: number[]): Secondaries {
  const secondaries = new Secondaries();
  // Another replica was a secondary before, so that numbers and places differ.
  secondaries.indexOf("earlier", 9);
  secondaries.restart();
  for (const [i, replica] of replicas.entries()) secondaries.indexOf(`replica-${i + 1}`, replica);
  return secondaries;
}

const figuresAt = (
  primaryTo: number,
  secondaryTo: number,
  { of = model(), secondaries = secondariesOf(1), window = { from: 55, to: 60 } } = {},
) =>
  recentFigures(of, secondaries, {
    now: 60 * SECOND,
    window: { from: window.from * SECOND, to: window.to * SECOND },
    primaryTo: primaryTo * SECOND,
    heardTo: () => secondaryTo * SECOND,
  });

describe("readouts", () => {
  it("are over as long as the verdict, with a value for each of thirty seconds before", () => {
    const { readouts } = figuresAt(60, 60);
    expect(readouts.map(({ key, label, lane }) => [key, label, lane])).toEqual([
      ["commitP50", "Commit p50", "commit"],
      ["commitP95", "Commit p95", "commit"],
      ["networkRoundTrip", "Round trip SQL2, p50", "hop1.wireOut"],
      ["localFlush", "Log write SQL1, p95", "localFlush"],
      ["secondaryFlush", "Log write SQL2, p95", "hop1.secondaryFlush"],
    ]);
    const [p50, p95, trip, write] = readouts;
    // The figures are those of the seconds 55 to 59.
    expect(p50.value).toBe(commitAt(57));
    expect(p95.value).toBeGreaterThan(commitAt(58));
    expect(p95.value).toBeLessThanOrEqual(commitAt(59));
    expect(trip.value).toBe(1_000 + 57 + 300);
    expect(write.spark).toEqual(Array.from({ length: 30 }, (_, i) => 10_000 + 100 * (30 + i)));
  });

  it("end where those whose events they need were heard", () => {
    const { readouts } = figuresAt(50, 40);
    expect(readouts.map(({ heardTo }) => heardTo / SECOND)).toEqual([50, 50, 40, 50, 40]);
    expect(readouts[0].value).toBe(commitAt(47));
    expect(readouts[0].spark[29]).toBe(commitAt(49));
    expect(readouts[2].value).toBe(1_000 + 37 + 300);
    // No replica's figure is about a time after the primary's last event.
    expect(figuresAt(50, 55).readouts[2].heardTo).toBe(50 * SECOND);
  });

  it("have no value while one of them is not heard, and what came before all the same", () => {
    const { readouts } = figuresAt(60, Number.NaN);
    expect(readouts.map(({ value }) => Number.isNaN(value))).toEqual([false, false, true, false, true]);
    expect(readouts[2].spark[29]).toBe(1_000 + 59 + 300);
    const unheard = figuresAt(Number.NaN, 60);
    expect(unheard.readouts.every(({ value }) => Number.isNaN(value))).toBe(true);
    expect([unheard.blocksPerSecond, unheard.commitsPerSecond]).toEqual([Number.NaN, Number.NaN]);
    expect(unheard.figures["commit"].n).toBe(5);
  });

  it("have the whole way to a secondary whose events nobody reads, as far as the primary was heard", () => {
    const read = model();
    const of = {
      ...read,
      replicas: read.replicas.map((each, r) => (r === 1 ? { ...each, hasCapture: false } : each)),
    };
    const { readouts } = figuresAt(50, Number.NaN, { of, secondaries: secondariesOf(-1) });
    expect(readouts.map(({ key, lane, heardTo }) => [key, lane, heardTo / SECOND])).toEqual([
      ["commitP50", "commit", 50],
      ["commitP95", "commit", 50],
      ["remoteHarden", "hop1.unseen", 50],
      ["localFlush", "localFlush", 50],
    ]);
    // Sent in 200 µs, 1,047 out, 100, 3,000, 100, 100, 300 back, 100.
    expect(readouts[2].value).toBe(4_947);
  });

  it("are about the primary alone where there is no secondary", () => {
    const { readouts } = figuresAt(60, 60, { of: model(0), secondaries: secondariesOf() });
    expect(readouts.map(({ key }) => key)).toEqual(["commitP50", "commitP95", "localFlush"]);
  });

  it("are about the slower one of the secondaries that are attached", () => {
    const about = (...replicas: number[]): string =>
      figuresAt(60, 60, { of: model(2), secondaries: secondariesOf(...replicas) }).readouts[2].label;
    expect([about(1, 2), about(1, -1), about(-1, -1)]).toEqual([
      "Round trip SQL3, p50",
      "Round trip SQL2, p50",
      "Round trip SQL3, p50",
    ]);
  });
});

describe("figures and rates", () => {
  it("are of the verdict's window, by the number of the secondary in the run", () => {
    const { figures, shares } = figuresAt(60, 60, { window: { from: 40, to: 52 } });
    expect(figures["commit"]).toMatchObject({ n: 12, max: commitAt(51) });
    expect(figures["hop1.wireOut"].max).toBe(1_051);
    expect(Object.keys(figures).some((key) => key.startsWith("hop0."))).toBe(false);
    expect(shares[0]).toEqual({});
    expect(Object.values(shares[1]).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  });

  it("are per second of the last five, at the beginning of as many as there were, of one at least", () => {
    expect([60, 4, 2.5, 0.5].map((to) => figuresAt(to, to).blocksPerSecond)).toEqual([1, 1, 3 / 2.5, 1]);
    const two = model();
    const commits = { ...two.commits, start: two.commits.start.map((us) => 55 * SECOND + us / 60) };
    expect(figuresAt(60, 60, { of: { ...two, commits } }).commitsPerSecond).toBe(12);
  });
});
