/** Tables of the other files of a support folder, in SQL and as files, and again after another file was added. */
import { zipSync } from "fflate";
import request from "supertest";
import { EvidenceAnswer, type Fleet, SqlResult, Summary } from "@aglens/contract";
import { supportFolder } from "@aglens/fixtures/support-folder";
import { LONG_IO_COUNT, TIMES, utcOn } from "@aglens/fixtures/support-story";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";

let service: TestService;
let id: string;
let originUs: number;

const send = async (name: string, bytes: Uint8Array, query: Readonly<Record<string, string>> = {}) =>
  (
    await request(service.app)
      .post(`/api/v1/captures/${id}/files`)
      .query({ name, ...query })
      .type("application/octet-stream")
      .send(Buffer.from(bytes))
      .expect(201)
  ).body.files as { id: string }[];
const get = (path: string) => request(service.app).get(`/api/v1/${path}`).expect(200);

/** Rows of a query over the capture. */
async function rowsOf(sql: string, at = `captures/${id}`): Promise<unknown[][]> {
  const { body } = await request(service.app).post(`/api/v1/${at}/sql`).send({ sql }).expect(200);
  const { columns, rows } = SqlResult.parse(body);
  return Array.from({ length: rows }, (_, row) => columns.map(({ values }) => values[row]));
}

beforeAll(async () => {
  service = await testService({ maxFiles: 100, keepsTables: true });
  id = (await request(service.app).post("/api/v1/captures").send({})).body.id;
  const { files } = supportFolder();
  const zip = zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])), { level: 1 });
  await send("LogScout.zip", zip);
  await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
  await get(`captures/${id}/progress`);
  const { originTicks } = Summary.parse((await get(`captures/${id}/summary`)).body);
  originUs = Number(BigInt(originTicks) / 10n) - 11_644_473_600_000_000;
});
afterAll(() => service.end());

/** A true time of the story on the primary's clock, µs after the origin. */
const at = (us: number): number => utcOn("SQL1", us) - originUs;

test("the failover has its cause on its events, the first of which is when the lease expired", async () => {
  const [[cause, group, first, servers] = []] = await rowsOf(
    `SELECT failover_cause, any_value(ag), min("at"), count(DISTINCT server)
     FROM evidence_events WHERE failover_cause IS NOT NULL GROUP BY ALL`,
  );
  expect([cause, group, servers]).toEqual(["lease_timeout", "SALES-AG", 2]);
  expect(Math.abs(Number(first) - at(TIMES.leaseExpired))).toBeLessThan(100_000);
});

test("long I/O of SQL2 is on the clock of SQL1 within its uncertainty, with each place that reports it", async () => {
  const [[server, count, time, utc, uncertainty, source] = []] = await rowsOf(
    `SELECT server, count, "at", epoch_us(utc), at_uncertainty_us, sources[1]
     FROM evidence_events WHERE message = 833`,
  );
  expect([server, count]).toEqual(["SQL2", LONG_IO_COUNT]);
  expect(Math.abs(Number(time) - at(TIMES.longIo))).toBeLessThan(Number(uncertainty));
  // The origin has 100 ns.
  expect(Math.abs(Number(utc) - originUs - Number(time))).toBeLessThanOrEqual(1);
  expect(source).toMatch(/ERRORLOG:\d+$/u);
});

test("rows are those of the screens, with the samples of each metric", async () => {
  const { events, metrics } = EvidenceAnswer.parse((await get(`captures/${id}/evidence`)).body);
  expect(await rowsOf("SELECT text FROM evidence_events")).toEqual(events.map(({ text }) => [text]));
  const [[samples, most] = []] = await rowsOf(
    `SELECT count(*), max(value) FILTER (metric = 'disk write latency' AND server = 'SQL2')
     FROM evidence_samples`,
  );
  expect(samples).toBe(metrics.reduce((sum, metric) => sum + metric.samples, 0));
  expect(most).toBeGreaterThan(1);
});

test("slow commits are next to what happened in their seconds", async () => {
  const rows = await rowsOf(
    `SELECT DISTINCT e.kind FROM commits m JOIN evidence_events e
     ON floor(e."at" / 1e6) BETWEEN floor(m.start / 1e6) AND floor(m."end" / 1e6) WHERE m.latency_us > 5e6`,
  );
  // Commits waited while a log write of SQL2 took 17 s.
  expect(rows.flat()).toContain("slow_io");
});

test("the tables are exported as CSV, Arrow and Parquet, also of a range", async () => {
  const of = `captures/${id}/export`;
  const { text } = await get(`${of}/csv/evidence_events`);
  const lines = text.trimEnd().split("\r\n");
  expect(lines[0]).toContain('"at_uncertainty_us"');
  expect(lines).toHaveLength(1 + (await rowsOf("FROM evidence_events")).length);
  const [from, to] = [at(TIMES.longIo) - 1e6, at(TIMES.longIo) + 1e6].map(Math.round);
  const { text: part } = await get(`${of}/csv/evidence_events?from=${from}&to=${to}`);
  const inRange = await rowsOf(
    `FROM evidence_events WHERE "at" >= ${from} AND coalesce("from", "at") < ${to}`,
  );
  expect(part.trimEnd().split("\r\n")).toHaveLength(1 + inRange.length);
  for (const format of ["arrow", "parquet"])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await get(`${of}/${format}/evidence_samples`).responseType("blob")).body.length).toBeGreaterThan(
      1_000,
    );
  const { body } = await get(`captures/${id}/tables/evidence_samples.parquet`).responseType("blob");
  expect(Buffer.from(body).subarray(0, 4).toString()).toBe("PAR1");
});

test("the fleet shows the cause of the capture's failover", async () => {
  const shown = async (): Promise<unknown> => {
    expect(await service.dataset.whenWritten(id)).toBe(true);
    const { a } = (await get("fleet")).body as Fleet;
    return a?.columns.map(({ failover }) => failover);
  };
  expect(await shown()).toEqual(["leaseTimeout"]);
  expect((await get(`captures/${id}`)).body).not.toHaveProperty("failover");
});

test("a file that is added later is in the tables, without its sensitive texts, until it is removed", async () => {
  const count = async (): Promise<unknown> => (await rowsOf("SELECT count(*) FROM evidence_events"))[0]?.[0];
  const before = Number(await count());
  const secret = "N'secret-4711'";
  const log = [
    "2026-05-14 02:00:00.00 Server      UTC adjustment: 0:00",
    "2026-05-14 02:00:00.00 Server      Server name is 'SQL2'.",
    `2026-05-14 02:17:30.00 spid9s      There is insufficient system memory in resource pool 'default'.`,
    `	${secret} is in a line after it.`,
    "2026-05-14 02:17:31.00 spid9s      SQL Server is terminating because of a system shutdown.",
  ].join("\n");
  const [file] = await send("SQL2_ERRORLOG.2", new TextEncoder().encode(log), { keepSensitive: "true" });
  expect(Number(await count())).toBeGreaterThan(before);
  const [[rows] = []] = await rowsOf("SELECT count(*) FROM evidence_events e WHERE e::VARCHAR LIKE '%4711%'");
  expect(rows).toBe(0);
  const { text } = await get(`captures/${id}/export/csv/evidence_events`);
  expect(text).toContain("SQL2_ERRORLOG.2:3");
  expect(text).not.toContain("4711");
  await request(service.app).delete(`/api/v1/captures/${id}/files/${file!.id}`).expect(204);
  expect(Number(await count())).toBe(before);
});
