import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { staticFiles, staticZip } from "../static.ts";

const PAGE = `<head><meta name="aglens-alone"><meta content="worker-src blob:;"></head>`;

test("the zip that a server offers holds the folder, file by file, and the same page gives the same bytes", () => {
  const entries = Object.entries(unzipSync(staticZip(PAGE)));
  const held = Object.fromEntries(entries.map(([name, bytes]) => [name, strFromU8(bytes)]));
  const folder = Object.entries(staticFiles(PAGE)).map(([name, text]) => [`ag-lens/${name}`, text]);
  expect(held).toEqual(Object.fromEntries(folder));
  expect(held["ag-lens/index.html"]).toContain("manifest.webmanifest");
  expect(staticZip(PAGE)).toEqual(staticZip(PAGE));
});
