import { ServerStatus } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";

let service: TestService;
let analyzer: StubAnalyzer;
beforeEach(async () => {
  analyzer = stubAnalyzer();
  service = await testService(
    { ...(await tokenAccess()), keepFreeBytes: 1_000, quotaBytesPerPerson: 500 },
    analyzer,
    { clock: new TestClock(), disk: () => ({ free: 4_000, total: 10_000 }) },
  );
});
afterEach(() => service.end());

type Who = keyof typeof TOKENS;
const by = (who: Who) => as(service, TOKENS[who]);
const status = async (who: Who): Promise<ServerStatus> =>
  ServerStatus.parse((await by(who).get("/status").expect(200)).body);

async function analysing(who: Who, name: string): Promise<string> {
  const { body } = await by(who).post("/captures").send({ name });
  await by(who)
    .post(`/captures/${body.id}/files?name=a.xel`)
    .type("application/octet-stream")
    .send("abc")
    .expect(201);
  await by(who).post(`/captures/${body.id}/analysis`).expect(202);
  return body.id;
}

test("admins see the server and all jobs, contributors their own with their places, viewers nothing", async () => {
  const own = await analysing("ann", "Ann's night");
  const others = await analysing("bob", "Bob's night");
  const [first, second] = analyzer.analyses;
  first?.wait({ place: 1, reason: "One analysis runs." });
  second?.report({ phase: "join", bytesDone: 3, bytesTotal: 4, events: 9, blocks: 1, files: [] });
  analyzer.recognitions = [
    { captureId: others, running: 1, waiting: 4, before: 0 },
    { captureId: own, running: 0, waiting: 2, before: 1 },
  ];
  const seen = await status("admin");
  expect(seen.jobs).toMatchObject([
    {
      captureId: others,
      name: "Bob's night",
      owner: "Bob",
      phase: "join",
      share: 0.75,
      waiting: null,
      bytes: 3,
    },
    { captureId: own, owner: "Ann", waiting: { place: 1, reason: "One analysis runs." } },
  ]);
  expect(seen.recognitions.map(({ name, waiting, before }) => [name, waiting, before])).toEqual([
    ["Bob's night", 4, 0],
    ["Ann's night", 2, 1],
  ]);
  expect(seen.server).toMatchObject({
    disk: { free: 4_000, total: 10_000, keptFree: 1_000, growthPerDay: null },
    liveRuns: { running: 0, most: 4 },
    people: expect.arrayContaining([{ name: "Ann", captures: 1, bytes: 3, limit: 500 }]),
  });
  const hers = await status("ann");
  expect(hers.server).toBeNull();
  expect(hers.jobs.map(({ captureId }) => captureId)).toEqual([own]);
  expect(hers.recognitions.map(({ captureId }) => captureId)).toEqual([own]);
  expect(hers.own).toEqual({ bytes: 3, trash: 0, limit: 500 });
  await by("viewer").get("/status").expect(403);
});

test("the parts of the disk are there as soon as they were measured", async () => {
  await analysing("ann", "Night");
  expect((await status("admin")).server?.disk.parts).toBeNull();
  await until(async () => (await status("admin")).server?.disk.parts !== null);
  expect((await status("admin")).server?.disk.parts).toMatchObject({ captures: 3, lost: 0 });
});

test("payload bytes that no column claims are those of the captures that are there, by events of the catalogue", async () => {
  const type = { package: "sqlserver", offset: 9 };
  const capture = "hadr_capture_log_block";
  const nothing = { files: 0, bytes: 0, types: [] };
  expect((await status("admin")).server?.unclaimed).toEqual(nothing);
  analyzer.recognised.set("a.xel", { unclaimed: [{ ...type, event: capture, events: 50, bytes: 400 }] });
  const first = await analysing("ann", "Ann's night");
  analyzer.recognised.set("a.xel", {
    unclaimed: [
      { ...type, event: "customers", events: 3, bytes: 900 },
      { ...type, event: capture, events: 1, bytes: 8 },
      { ...type, event: "orders", events: 2, bytes: 100 },
    ],
  });
  const second = await analysing("bob", "Bob's night");
  expect((await status("admin")).server?.unclaimed).toEqual({
    files: 2,
    bytes: 1_408,
    types: [
      { event: "other", events: 5, bytes: 1_000 },
      { event: capture, events: 51, bytes: 408 },
    ],
  });
  await by("bob").delete(`/captures/${second}`).expect(204);
  expect((await status("admin")).server?.unclaimed).toMatchObject({ files: 1, bytes: 400 });
  await by("ann").delete(`/captures/${first}`).expect(204);
  expect((await status("admin")).server?.unclaimed).toEqual(nothing);
});

test("the audit log is searched, and given as a table that no name turns into a formula", async () => {
  const id = await analysing("ann", '=HYPERLINK("x")');
  await by("ann").delete(`/captures/${id}`).expect(204);
  const found = await by("admin").get("/access/audit?q=DELETED").expect(200);
  expect(found.body.entries.map(({ action }: { action: string }) => action)).toEqual(["deleted"]);
  const none = await by("admin").get("/access/audit?q=%25").expect(200);
  expect(none.body.entries).toEqual([]);
  const table = await by("admin").get("/access/audit.csv?q=deleted").expect(200);
  expect(table.headers["content-type"]).toContain("text/csv");
  expect(table.headers["content-disposition"]).toContain("audit.csv");
  expect(table.text.split("\r\n").slice(1)).toEqual([
    expect.stringMatching(/^"2026-11-21T.*Z","Ann","deleted","'=HYPERLINK\(""x""\)"$/u),
    "",
  ]);
  await by("ann").get("/access/audit.csv").expect(403);
});
