import type { CommitWindow } from "@aglens/contract";
import { expect, test } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { NAMED } from "../../../test/tokens.ts";
import { paintReleases } from "./paint-releases.ts";
import {
  binTracks,
  commitTracks,
  mostReleased,
  releaseLaneHeight,
  type ReleaseCandidate,
} from "./release-tracks.ts";

const CANDIDATES: ReleaseCandidate[] = [
  { gate: 3, name: "SQL3" },
  { gate: 2, name: "SQL2" },
  { gate: 1, name: "local log write" },
];
/** 10 px of 10 µs. */
const SCALE = { from: 100, to: 200, width: 10 };

const commitsOf = (rows: readonly (readonly [start: number, end: number, gate: number])[]): CommitWindow => ({
  from: 0,
  to: 1_000,
  commits: {
    length: rows.length,
    block: new Int32Array(rows.length),
    database: new Uint16Array(rows.length),
    start: Float64Array.from(rows, ([start]) => start),
    end: Float64Array.from(rows, ([, end]) => end),
    gate: Uint8Array.from(rows, ([, , gate]) => gate),
    timeToCommit: new Float64Array(rows.length),
  },
});

const drawn = (tracks: readonly Float32Array[]): string[] =>
  tracks.map((track) => Array.from(track, (n) => (n > 0 ? "#" : ".")).join(""));

test("a commit marks the pixels that it runs in, in the track of what released it", () => {
  const commits = commitsOf([
    [110, 139, 3],
    [150, 152, 2],
    [160, 175, 1],
  ]);
  expect(drawn(commitTracks(commits, CANDIDATES, SCALE))).toEqual([".###......", ".....#....", "......##.."]);
});

test("what is partly in view is cut at its edges; what is outside or of unknown release is in no track", () => {
  const commits = commitsOf([
    [50, 115, 3],
    [185, 900, 2],
    [10, 99, 1],
    [200, 300, 1],
    [120, 160, 0],
    // Released by a replica that no commit waits for.
    [120, 160, 4],
  ]);
  expect(drawn(commitTracks(commits, CANDIDATES, SCALE))).toEqual(["##........", "........##", ".........."]);
});

test("bins are as strong as they are full beside the fullest of all tracks; a single commit stays visible", () => {
  const binned = {
    from: 100,
    to: 200,
    binUs: 50,
    // Unknown, the local log write, both secondaries.
    released: [
      [900, 900],
      [0, 1],
      [100, 0],
      [50, 200],
    ],
  };
  const most = mostReleased(binned, CANDIDATES);
  expect(most).toBe(200);
  const [sql3, sql2, local] = binTracks(binned, CANDIDATES, most, { ...SCALE, width: 4 });
  expect(Array.from(sql3)).toEqual([0.3, 0.3, 1, 1].map(Math.fround));
  expect(Array.from(sql2)).toEqual([0.5, 0.5, 0, 0]);
  expect(Array.from(local)).toEqual([0, 0, 0.3, 0.3].map(Math.fround));
  // Strength is relative to the loaded range: it stays while a part of the range is in view.
  const [, ofPart] = binTracks(binned, CANDIDATES, most, { from: 125, to: 160, width: 7 });
  expect(Array.from(ofPart)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0, 0]);
});

test("the lane is a track per candidate high, and nothing without one", () => {
  expect(releaseLaneHeight([])).toBe(0);
  expect(releaseLaneHeight(CANDIDATES) - releaseLaneHeight(CANDIDATES.slice(1))).toBe(11);
});

test("each track is 8 px high in the color of who released, one rectangle per run", () => {
  const { context, take } = drawLog();
  const scene = { tokens: NAMED, scale: SCALE, ticks: [], idle: false, isolated: [] };
  const tracks = [Float32Array.of(0, 1, 1, 0, 0.5), new Float32Array(5), Float32Array.of(1, 0, 0, 0, 0)];
  paintReleases(context, scene, 50, CANDIDATES, tracks);
  const calls = take();
  expect(calls.map(inOneLine)).toEqual([
    "fillRect 0 50 10 8 --surface",
    "fillRect 1 50 2 8 --s-disk",
    expect.stringMatching(/^fillRect 4 50 1 8 --s-disk/u),
    "fillRect 0 61 10 8 --surface",
    "fillRect 0 72 10 8 --surface",
    "fillRect 0 72 1 8 --p-disk",
  ]);
  expect(calls.map(({ alpha }) => alpha)).toEqual([1, 1, 0.5, 1, 1, 1]);
});
