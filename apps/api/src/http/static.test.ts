import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import request from "supertest";
import { afterEach, expect, test } from "vitest";
import { serveWeb } from "./static.ts";

const folder = mkdtempSync(join(tmpdir(), "aglens-static-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the product as one file is to be kept, not shown under this server's content policy", async () => {
  mkdirSync(join(folder, "alone"), { recursive: true });
  writeFileSync(join(folder, "alone", "ag-lens.html"), "<!doctype html>");
  writeFileSync(join(folder, "index.html"), "<head></head>");
  const app = express();
  serveWeb(app, folder, false, "");
  const { headers } = await request(app).get("/alone/ag-lens.html").expect(200);
  expect(headers["content-disposition"]).toBe("attachment; filename=ag-lens.html");
  expect((await request(app).get("/").expect(200)).headers["content-disposition"]).toBeUndefined();
});

test("a file that the build has compressed is sent so to who takes it, and kept for ever", async () => {
  const script = "export const words = 1;";
  mkdirSync(join(folder, "assets"), { recursive: true });
  const path = join(folder, "assets", "words-1.js");
  writeFileSync(path, script);
  writeFileSync(`${path}.br`, brotliCompressSync(script));
  writeFileSync(`${path}.gz`, gzipSync(script));
  const app = express();
  serveWeb(app, folder, false, "");
  for (const [accepted, sent] of [
    ["gzip, deflate, br", "br"],
    ["gzip, deflate", "gzip"],
    ["identity", undefined],
  ] as const) {
    // The client decompresses the answer.
    const { headers, text } = await request(app)
      .get("/assets/words-1.js")
      .set("accept-encoding", accepted)
      .expect(200);
    expect(text).toBe(script);
    expect(headers["content-encoding"]).toBe(sent);
    expect(headers["content-type"]).toMatch(/^text\/javascript; charset=utf-8$/iu);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(headers["vary"]).toBe("Accept-Encoding");
  }
});

test("what an address asks first comes in its head behind the app's own script and before the other files", async () => {
  const own = '<script type="module" crossorigin src="./assets/index.js"></script>';
  const other = '<link rel="modulepreload" href="./assets/shared.js">';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), `<head>${own}${other}</head>`);
  const app = express();
  serveWeb(app, folder, false, "", () => Promise.resolve(["<meta name=a>", "<meta name=b>"]));
  const { text } = await request(app).get("/captures/x").expect(200);
  expect(text.match(/index\.js|name=a|name=b|shared\.js/gu)).toEqual([
    "index.js",
    "name=a",
    "name=b",
    "shared.js",
  ]);
});
