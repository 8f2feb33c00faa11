import { expect, test, vi } from "vitest";
import { linkTags, linkTextOnce } from "./routes/link-picture.ts";
import { preloadTags } from "./preload-tags.ts";
import type { Request } from "express";

test("the page of a link works out its words once", async () => {
  const inWords = vi.fn<() => Promise<null>>(() => Promise.resolve(null));
  const words = linkTextOnce({ inWords });
  const request = { path: "/l/a", originalUrl: "/l/a", protocol: "http", host: "server" } as Request;
  const parts = {
    records: { stored: () => Promise.resolve(null) },
    answers: { summary: () => Promise.reject(new Error()) },
  };
  await linkTags(words, { publicUrl: null }, "")(request);
  await preloadTags({ ...parts, links: words, maySeeCapture: () => Promise.resolve(true) }, "")(request);
  expect(inWords).toHaveBeenCalledTimes(1);
});
