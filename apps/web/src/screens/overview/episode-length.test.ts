import { expect, test } from "vitest";
import { episodeLength } from "./charts/episode-labels.ts";

const pauses = [
  { replica: 1, from: 900_000, to: 3_830_000 },
  { replica: 1, from: 9_000_000, to: 9_500_000 },
];
const blocks = { from: 940_000, to: 3_830_000 };

test("a server was unresponsive as long as the verdict says, not only while blocks waited for it", () => {
  expect(episodeLength({ ...blocks, cause: "server_pause" }, pauses)).toBe(2_930_000);
});

test("what else was slow was so from its first block to its last, also beside a server that was unresponsive", () => {
  expect(episodeLength({ ...blocks, cause: "network" }, pauses)).toBe(2_890_000);
  expect(episodeLength({ from: 5e6, to: 6e6, cause: "server_pause" }, pauses)).toBe(1_000_000);
});
