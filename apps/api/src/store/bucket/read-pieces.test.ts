import { expect, test } from "vitest";
import { ReadPieces } from "./read-pieces.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** Each byte shows its position. */
const BYTES = Uint8Array.from({ length: 3 * MIB + 5 }, (_, at) => (at * 7) % 251);

/** A blob, and its fetched bytes in KiB. */
function blobIn(pieces: ReadPieces, name = "a", fails: () => boolean = () => false) {
  const fetched: [from: number, to: number][] = [];
  const blob = pieces.blob(name, BYTES.length, ({ offset, length }) => {
    fetched.push([offset / KIB, (offset + length) / KIB]);
    if (fails()) return Promise.reject(new Error("away"));
    return Promise.resolve(BYTES.slice(offset, offset + length));
  });
  return { blob, fetched };
}

test.each([
  ["within a piece", 10, 20],
  ["over several", 250 * KIB, 600 * KIB],
  ["from the first byte of one to the last of another", 256 * KIB, 512 * KIB],
  ["to the end", 3 * MIB - 1, 6],
  ["beyond the end", 3 * MIB, MIB],
  ["none", 10, 0],
  ["behind the end", 4 * MIB, 10],
])("a range has its bytes: %s", async (_, offset, length) => {
  const { blob } = blobIn(new ReadPieces());
  for (let time = 0; time < 2; time++)
    expect(Buffer.compare(await blob.read(offset, length), BYTES.subarray(offset, offset + length))).toBe(0);
});

test("only pieces that are not there are fetched, neighbors at once, also for two who ask at the same time", async () => {
  const { blob, fetched } = blobIn(new ReadPieces());
  await Promise.all([blob.read(600 * KIB, 10), blob.read(700 * KIB, 10)]);
  expect(fetched).toEqual([[512, 768]]);
  await blob.read(0, 1500 * KIB);
  expect(fetched.slice(1)).toEqual([
    [0, 512],
    [768, 1536],
  ]);
});

test("what was read longest ago is let go, and what could not be fetched is fetched again", async () => {
  const pieces = new ReadPieces();
  const first = blobIn(pieces, "a");
  await first.blob.read(0, 1);
  for (let other = 0; other < 40; other++) await blobIn(pieces, `b${other}`).blob.read(0, MIB);
  await first.blob.read(0, 1);
  expect(first.fetched).toHaveLength(2);
  let isAway = true;
  const broken = blobIn(pieces, "c", () => isAway);
  await expect(broken.blob.read(0, MIB)).rejects.toThrow("away");
  isAway = false;
  expect((await broken.blob.read(0, MIB)).length).toBe(MIB);
});

test("of a capture that is gone nothing is kept", async () => {
  const pieces = new ReadPieces();
  const { blob, fetched } = blobIn(pieces, "captures/one/file");
  await blob.read(0, 1);
  pieces.forget("captures/one/");
  await blob.read(0, 1);
  expect(fetched).toHaveLength(2);
});
