import type { Request } from "express";
import type { Summary } from "@aglens/contract";
import { beforeEach, expect, test } from "vitest";
import { preloadTags } from "./preload-tags.ts";

const SUMMARY = {
  durationUs: 90_000_000,
  phases: [],
  commits: { gates: [0, 100] },
  replicas: [{ hasCapture: true }, { name: "SQL2", hasCapture: true, commitMode: "sync" }],
} as unknown as Summary;

const world = { is: "ready", maySee: true, view: "" as string | null };
beforeEach(() => {
  Object.assign(world, { is: "ready", maySee: true, view: "" });
});

/** Addresses that the page at `address` names. */
async function preloaded(address: string, base = ""): Promise<string[]> {
  const [path = ""] = address.split("?");
  const tags = await preloadTags(
    {
      records: { stored: (id) => (id === "gone" ? null : { analysis: { is: world.is } }) as never },
      answers: { summary: () => Promise.resolve(SUMMARY) },
      links: {
        inWords: () =>
          Promise.resolve(
            world.view === null ? null : { title: "", summary: SUMMARY, captureId: "c", view: world.view },
          ),
      },
      maySeeCapture: () => Promise.resolve(world.maySee),
    },
    base,
  )({ path, originalUrl: `${base}${address}` } as Request);
  return tags.map((tag) => /href="([^"]*)"/u.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? "");
}

const WHOLE = [
  "",
  "/summary",
  "/overview?from=0&to=90000000&bins=90&secondary=0",
  "/commits?from=0&to=90000000&limit=20000",
  "/window?from=0&to=90000000&limit=20000&bins=4096",
  "/statistics?from=0&to=90000000",
  "/slowest?from=0&to=90000000&sort=remoteHarden&descending=true&secondary=0&limit=25&offset=0",
];

test("an overview names what it asks first, below the path of a proxy", async () => {
  expect(await preloaded("/captures/a-B_9")).toEqual(WHOLE.map((path) => `/api/v1/captures/a-B_9${path}`));
  expect(await preloaded("/captures/a?v=1&time=utc", "/aglens")).toEqual(
    WHOLE.map((path) => `/aglens/api/v1/captures/a${path}`),
  );
});

test("another view's answers are not those of the whole capture", async () => {
  for (const query of [
    "range=0_1000",
    "secondary=1",
    "metric=harden",
    "sort=commit",
    "where=commit",
    "new=1",
  ])
    expect(await preloaded(`/captures/a?${query}`)).toEqual([
      "/api/v1/captures/a",
      "/api/v1/captures/a/summary",
    ]);
});

test("nothing is named of a capture that has no analysis, is unknown, or may not be seen, and on other pages", async () => {
  expect(await preloaded("/captures/gone")).toEqual([]);
  expect(await preloaded("/captures/a/timeline")).toEqual([]);
  expect(await preloaded("/")).toEqual([]);
  world.maySee = false;
  expect(await preloaded("/captures/a")).toEqual([]);
  world.maySee = true;
  world.is = "running";
  expect(await preloaded("/captures/a")).toEqual([]);
});

test("a link names its own addresses, by the view that it opens; one that says nothing of itself names none", async () => {
  expect(await preloaded("/l/k")).toEqual(WHOLE.map((path) => `/api/v1/links/k${path}`));
  world.view = "v=1&range=0_1000";
  expect(await preloaded("/l/k")).toEqual(["/api/v1/links/k", "/api/v1/links/k/summary"]);
  world.view = null;
  expect(await preloaded("/l/k")).toEqual([]);
});
