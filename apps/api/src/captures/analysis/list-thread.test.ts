import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeModel, MODEL_FILES, type StoredModel } from "@aglens/contract";
import { ROOT } from "../../../test/service.ts";
import { analyseCapture, type FileToAnalyse } from "./analyse.ts";
import { isWorthListing, startListing } from "./list-thread.ts";

const files = (["primary", "secondary"] as const).flatMap((role) => {
  const folder = join(ROOT, "fixtures/captures/slow-network", role);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".xel"))
    .map((name): FileToAnalyse => {
      const path = join(folder, name);
      return { id: name, name, path, size: statSync(path).size, role, replica: role, from: null };
    });
});
const request = { files, topologies: [] };

test("a thread makes the index of events, and all that is stored is the same", async () => {
  const here = await analyseCapture(request, () => {});
  const listing = startListing();
  try {
    const elsewhere = await analyseCapture(request, () => {}, { listElsewhere: listing.list });
    expect(elsewhere).toEqual(here);
  } finally {
    await listing.end();
  }
  expect(Object.keys(here.files)).toEqual(expect.arrayContaining([...MODEL_FILES]));
  expect(decodeModel(here.files as StoredModel).events.length).toBeGreaterThan(1_000);
});

test("a thread that was given no events ends too", async () => {
  await startListing().end();
});

test("an analysis whose index of events cannot be made fails with the reason", async () => {
  const listElsewhere = () => Promise.reject(new Error("no memory for the thread"));
  const analysis = analyseCapture(request, () => {}, { listElsewhere });
  await expect(analysis).rejects.toThrow("no memory for the thread");
});

test("a thread that ends before it has made an index says so", async () => {
  const listing = startListing();
  await listing.end();
  const analysis = analyseCapture(request, () => {}, { listElsewhere: listing.list });
  await expect(analysis).rejects.toThrow("ended without an index of events");
});

test.runIf(availableParallelism() > 1)("files of 128 MB together are worth a thread", () => {
  expect(isWorthListing([{ size: 2 ** 27 - 2 }, { size: 1 }])).toBe(false);
  expect(isWorthListing([{ size: 2 ** 27 - 1 }, { size: 1 }])).toBe(true);
});
