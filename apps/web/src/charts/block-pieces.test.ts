import { expect, test } from "vitest";
import { barLength, barPieces } from "./block-pieces.ts";

test("stages stand end to end in the order of the path", () => {
  const bar = barPieces({
    send: 200,
    wireOut: 300,
    secondaryFlush: 4_000,
    wireBack: 500,
    remoteHarden: 5_000,
  });
  expect(bar.map(({ id, from, duration }) => [id, from, duration])).toEqual([
    ["send", 0, 200],
    ["wireOut", 200, 300],
    ["secondaryFlush", 500, 4_000],
    ["wireBack", 4_500, 500],
  ]);
});

test("where the secondary has no file, one gray piece is what it hides", () => {
  const bar = barPieces({ send: 200, wireOut: null, ackReceive: 50, remoteHarden: 8_000 });
  expect(bar.map(({ token, from, duration }) => [token, from, duration])).toEqual([
    ["--p-work", 0, 200],
    ["--wait", 200, 7_750],
    ["--p-work", 7_950, 50],
  ]);
});

test("a bar is as long as the path, or as what is known of it", () => {
  expect(barLength({ send: 200, wireOut: null, ackReceive: 50, remoteHarden: 8_000 })).toBe(8_000);
  // Without the primary's file only the secondary's own stages are known.
  expect(barLength({ wireOut: null, secondaryAppend: 100, secondaryFlush: 6_130, ackBuild: 20 })).toBe(6_250);
});

test("what a server was unresponsive for is gray, the rest of its stage before it", () => {
  const bar = barPieces(
    { send: 200, wireOut: 2_000, wireBack: 500 },
    { stages: { wireOut: 1_900, wireBack: 500 } },
  );
  expect(bar.map(({ token, from, duration }) => [token, from, duration])).toEqual([
    ["--p-work", 0, 200],
    ["--n-out", 200, 100],
    ["--wait", 300, 1_900],
    ["--wait", 2_200, 500],
  ]);
});
