/** Answers about the other files of a support folder, from its facts as they are kept. */
import { zipSync } from "fflate";
import request from "supertest";
import { Capture, EvidenceAnswer, EvidenceSamples, Summary } from "@aglens/contract";
import { supportFolder } from "@aglens/fixtures/support-folder";
import { LONG_IO_COUNT, TIMES, utcOn } from "@aglens/fixtures/support-story";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

let service: TestService;
let id: string;
let originUs: number;

const send = (name: string, bytes: Uint8Array, query: Readonly<Record<string, string>> = {}) =>
  request(service.app)
    .post(`/api/v1/captures/${id}/files`)
    .query({ name, ...query })
    .type("application/octet-stream")
    .send(Buffer.from(bytes))
    .expect(201);
const evidence = async (at = `captures/${id}`): Promise<EvidenceAnswer> =>
  EvidenceAnswer.parse((await request(service.app).get(`/api/v1/${at}/evidence`).expect(200)).body);
const samples = async (query: string): Promise<EvidenceSamples> =>
  EvidenceSamples.parse(
    (await request(service.app).get(`/api/v1/captures/${id}/evidence/samples?${query}`).expect(200)).body,
  );
const link = async (replacesNames: boolean): Promise<string> =>
  (
    await request(service.app)
      .post("/api/v1/links")
      .send({ captureId: id, path: "/", view: "v=1", title: "t", expiresInDays: 1, replacesNames })
      .expect(201)
  ).body.id;

const { files } = supportFolder();

beforeAll(async () => {
  service = await testService({ maxFiles: 100 });
  id = (await request(service.app).post("/api/v1/captures").send({})).body.id;
  const zip = zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])), { level: 1 });
  await send("LogScout.zip", zip);
  await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
  await request(service.app).get(`/api/v1/captures/${id}/progress`).expect(200);
  const summary = await request(service.app).get(`/api/v1/captures/${id}/summary`).expect(200);
  const { originTicks } = Summary.parse(summary.body);
  originUs = Number(BigInt(originTicks) / 10n) - 11_644_473_600_000_000;
});
afterAll(() => service.end());

/** A true time of the story on the primary's clock: that of SQL1, whose UTC is the origin's. */
const at = (us: number): number => utcOn("SQL1", us) - originUs;

test("the failover has its cause, on the clock of the first primary", async () => {
  const { failovers, events, withoutClock, notShown } = await evidence();
  expect(failovers).toMatchObject([
    {
      kind: "leaseTimeout",
      isProven: true,
      text: "SALES-AG failed over from SQL1 to SQL2 at 02:17:41 UTC, because the lease expired.",
      fromServer: "SQL1",
      toServer: "SQL2",
    },
  ]);
  const [{ at: lost, until }] = failovers as [EvidenceAnswer["failovers"][0]];
  expect(Math.abs(lost - at(TIMES.leaseExpired))).toBeLessThan(100_000);
  expect(Math.abs(until! - at(TIMES.newPrimary))).toBeLessThan(100_000);
  expect(failovers[0]!.events.map((event) => events[event]!.kind)).toContain("lease");
  expect([withoutClock, notShown]).toEqual([[], undefined]);
});

test("the report of long I/O of SQL2 is where it happened by the clock of SQL1, within its uncertainty", async () => {
  const { events, agreement } = await evidence();
  const report = events.find(({ message }) => message === 833)!;
  expect(report).toMatchObject({ server: "SQL2", count: LONG_IO_COUNT });
  // The clock of SQL2 is 140 ms ahead; its ERRORLOG has hundredths of a second.
  expect(Math.abs(report.at - at(TIMES.longIo))).toBeLessThan(report.plusMinusUs);
  expect(report.plusMinusUs).toBeLessThan(50_000);
  expect(agreement.filter(({ agrees }) => agrees === false)).toEqual([]);
  expect(agreement.map(({ text }) => text).join("\n")).toContain(
    "SQL2 reported 3 requests over 15 s on its log.",
  );
});

test("samples are asked for by their metrics", async () => {
  const { metrics, range } = await evidence();
  const metric = metrics.findIndex((one) => one.metric === "disk write latency" && one.server === "SQL2");
  const query = `from=${range![0]}&to=${range![1]}&metric=${metric}`;
  const { series } = await samples(`${query}&bins=20000`);
  expect(series).toMatchObject([{ metric, samplesPerValue: 1 }]);
  expect(series[0]!.values).toHaveLength(metrics[metric]!.samples);
  const { series: few } = await samples(`${query}&bins=3`);
  expect(few[0]!.values.length).toBeLessThanOrEqual(3);
});

test("a link shows the events, and none where it replaces names", async () => {
  const own = await evidence();
  expect(own.events.length).toBeGreaterThan(20);
  const shown = await evidence(`links/${await link(false)}`);
  expect(shown.events.map(({ text }) => text)).toEqual(own.events.map(({ text }) => text));
  const path = `links/${await link(true)}`;
  expect(await evidence(path)).toMatchObject({
    range: null,
    events: [],
    metrics: [],
    notShown: "This link replaces names, so it doesn't show the capture's evidence files.",
  });
  const hidden = await request(service.app).get(`/api/v1/${path}/evidence/samples`).expect(200);
  expect(hidden.body).toEqual({ series: [] });
});

test("a saved capture gives the same answer on another server, and none where its names are replaced", async () => {
  const other = await testService({ maxFiles: 100 });
  const openedThere = async (query: string): Promise<string> => {
    const saved = await request(service.app)
      .get(`/api/v1/captures/${id}/aglens-file?${query}`)
      .responseType("blob")
      .expect(200);
    const { body } = await request(other.app)
      .post("/api/v1/captures/aglens-file")
      .type("application/octet-stream")
      .send(saved.body as Buffer)
      .expect(201);
    return Capture.parse(body).id;
  };
  const there = async (query: string): Promise<EvidenceAnswer> =>
    EvidenceAnswer.parse(
      (
        await request(other.app)
          .get(`/api/v1/captures/${await openedThere(query)}/evidence`)
          .expect(200)
      ).body,
    );
  const own = await evidence();
  expect(own.events.length).toBeGreaterThan(20);
  expect(await there("files=false")).toEqual(own);
  const replaced = await there("names=replaced");
  expect([replaced.events, replaced.failovers, replaced.metrics]).toEqual([[], [], []]);
  await other.end();
});

test("a file that is added to the analyzed capture, its offset, and its removal change the answer", async () => {
  const before = await evidence();
  const text = [
    "2026-05-13 20:17:30.00 spid9s      x",
    "2026-05-13 20:17:30.00 spid9s      There is insufficient system memory in resource pool 'default'.",
    "2026-05-13 20:17:31.00 spid9s      Error: 823, Severity: 24, State: 2.",
    "2026-05-13 20:17:31.00 spid9s      The operating system returned an error to jdoe.",
    "2026-05-13 20:17:31.00 spid9s      SQL Server is terminating because of a system shutdown.",
  ].join("\n");
  const sent = await send("SQL2_ERRORLOG.2", new TextEncoder().encode(text), { keepSensitive: "true" });
  const { id: fileId } = sent.body.files[0];
  // It doesn't state its offset.
  expect(await evidence()).toEqual(before);
  const file = `/api/v1/captures/${id}/files/${fileId}`;
  await request(service.app).patch(file).send({ utcOffsetMinutes: -360 }).expect(200);
  const memory = ({ events }: EvidenceAnswer) => events.filter(({ kind }) => kind === "memory");
  const [added] = memory(await evidence());
  expect(added!.sources[0]!.text).toContain("resource pool");
  // 140 ms after SQL1's clock.
  expect(Math.abs(added!.at - (Date.parse("2026-05-14T02:17:30Z") * 1000 - originUs - 140_000))).toBeLessThan(
    added!.plusMinusUs,
  );
  const textsOf = ({ events }: EvidenceAnswer) =>
    [701, 823].map((message) => events.find((event) => event.message === message)!.sources[0]!.text);
  const [memoryText, failureText] = textsOf(await evidence());
  expect(failureText).toContain("jdoe");
  // Only the text that was kept on request is hidden.
  expect(textsOf(await evidence(`links/${await link(false)}`))).toEqual([memoryText, null]);
  await request(service.app).delete(file).expect(204);
  expect(await evidence()).toEqual(before);
});
