import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../testing.ts";
import { decodeHere } from "./decode.ts";
import { decodePool } from "./decode-pool.ts";

test("a thread gives the same columns as reading here", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network/primary");
  const [name] = readdirSync(folder);
  const path = join(folder, name);
  const file = { path, name, size: statSync(path).size };
  const here = await decodeHere(file, () => {});
  const elsewhere = await decodePool(1, 0)(file, () => {});
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(elsewhere).toEqual(here);
});

test("a file that is no event file fails with the reader's own sentence", async () => {
  const path = join(ROOT, "package.json");
  const file = { path, name: "package.json", size: statSync(path).size };
  await expect(decodePool(1, 0)(file, () => {})).rejects.toThrow("not an Extended Events file");
});
