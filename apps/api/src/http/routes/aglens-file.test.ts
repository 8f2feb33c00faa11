import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { Capture, type CaptureFile, Notes, Problem, Sequence, SlowBlocks } from "@aglens/contract";
import { aglensFileBytes, readAglensFile, TABLE_NAMES } from "@aglens/engine/aglens-file";
import type { FirstAnswer } from "@aglens/engine/answers";
import { readFirstAnswers } from "../../captures/derived/first-answers-file.ts";
import { originsOf, validityOf } from "../../captures/derived/validity.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { sourcesOnDisk } from "../../../test/sources-on-disk.ts";

let service: TestService;
let id: string;

beforeAll(async () => {
  service = await testService();
  id = Capture.parse((await api().post("/api/v1/samples/slow-network").expect(201)).body).id;
  // The stream ends automatically when the analysis has ended.
  await api().get(`/api/v1/captures/${id}/progress`).expect(200);
  const note = { fromTicks: "131069746000000000", toTicks: "131069746000000005", lsn: null, text: "Backup" };
  await api().post(`/api/v1/captures/${id}/notes`).send(note).expect(201);
});
afterAll(() => service.end());

const api = () => request(service.app);

async function saved(captureId: string, query: string): Promise<Uint8Array> {
  const answer = await api()
    .get(`/api/v1/captures/${captureId}/aglens-file?${query}`)
    .responseType("blob")
    .expect(200);
  expect(answer.headers["content-disposition"]).toContain("capture.aglens");
  return new Uint8Array(answer.body as Buffer);
}

const sent = (file: Uint8Array) =>
  api().post("/api/v1/captures/aglens-file").type("application/octet-stream").send(Buffer.from(file));

const opened = async (file: Uint8Array): Promise<Capture> =>
  Capture.parse((await sent(file).expect(201)).body);

/** Event files and topology of a sample. */
function filesOfSample(name: string): Buffer[] {
  const folder = join(service.config.samplesDirectory, name);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => /\.(?:xel|xml)$/u.test(path))
    .sort()
    .map((path) => readFileSync(join(folder, path)));
}

const read = (bytes: Uint8Array) =>
  readAglensFile({
    size: bytes.length,
    read: (at, length) => Promise.resolve(bytes.subarray(at, at + length)),
  });

/** Opens and saves the file as a browser does. */
async function throughBrowser(file: Uint8Array): Promise<Uint8Array> {
  const { capture, tables, sources } = await read(file);
  const packed = sources.map((source) => ({ id: source.file.id, bytes: source.bytes }));
  const parts: Uint8Array[] = [];
  for await (const part of aglensFileBytes({ capture, tables, sources: packed, replacesNames: false }))
    parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const slowestBlock = async (captureId: string): Promise<Sequence> => {
  const at = `/api/v1/captures/${captureId}`;
  const { rows } = SlowBlocks.parse((await api().get(`${at}/slowest?limit=1`).expect(200)).body);
  return Sequence.parse(
    (
      await api()
        .get(`${at}/blocks/${rows[0]?.row ?? -1}`)
        .expect(200)
    ).body,
  );
};

test.each([
  ["with its event files", "files=true", true],
  ["without them", "files=false", false],
])(
  "a capture travels %s from a server to a browser and back, to the byte, with its notes",
  async (_, query, hasFiles) => {
    const file = await saved(id, query);
    const back = await opened(await throughBrowser(file));
    expect(back.state).toBe("ready");
    const [before, after] = [await read(file), await read(await saved(back.id, query))];
    for (const name of TABLE_NAMES)
      expect(
        Buffer.compare(after.tables[name] ?? new Uint8Array(), before.tables[name] ?? new Uint8Array(1)),
        name,
      ).toBe(0);
    const { verdict, name, files } = Capture.parse((await api().get(`/api/v1/captures/${id}`)).body);
    expect(back).toMatchObject({ verdict, name });
    expect(back.files.map((one) => [one.name, one.role, one.events])).toEqual(
      files.map((one) => [one.name, one.role, one.events]),
    );
    expect(Notes.parse((await api().get(`/api/v1/captures/${back.id}/notes`)).body).notes).toMatchObject([
      { text: "Backup" },
    ]);
    const [one, other] = [await slowestBlock(id), await slowestBlock(back.id)];
    expect(other.lsn).toBe(one.lsn);
    expect(other.events).toEqual(hasFiles ? one.events : []);
    // A capture without its files does not ask for an analysis in vain.
    const again = await api().post(`/api/v1/captures/${back.id}/analysis`);
    expect(again.status).toBe(hasFiles ? 202 : 409);
    if (hasFiles) await api().delete(`/api/v1/captures/${back.id}/analysis`).expect(200);
    else expect(Problem.parse(again.body).code).toBe("files-missing");
  },
);

test("a capture without its event files takes them by their content: raw events and another analysis", async () => {
  const back = await opened(await saved(id, "files=false"));
  const at = `/api/v1/captures/${back.id}`;
  const give = (name: string, bytes: Buffer) =>
    api().post(`${at}/files?name=${name}`).type("application/octet-stream").send(bytes);
  expect((await slowestBlock(back.id)).events).toEqual([]);
  const [other = Buffer.alloc(0)] = filesOfSample("slow-secondary-disk");
  const refused = await give("other.xel", other).expect(422);
  expect(Problem.parse(refused.body).code).toBe("other-file");

  const files = filesOfSample("slow-network");
  for (const [given, file] of files.entries()) {
    const now = Capture.parse((await api().get(at)).body);
    expect(now.state).toBe("ready");
    expect(now.files.filter(({ isMissing }) => isMissing === true)).toHaveLength(files.length - given);
    const early = await api().post(`${at}/analysis`).expect(409);
    expect(Problem.parse(early.body).code).toBe("files-missing");
    await give(`renamed-${given}.xel`, file).expect(201);
  }
  expect(await slowestBlock(back.id)).toEqual(await slowestBlock(id));
  await api().post(`${at}/analysis`).expect(202);
  await api().get(`${at}/progress`).expect(200);
  const again = Capture.parse((await api().get(at)).body);
  expect(again).toMatchObject({ state: "ready", name: back.name, verdict: back.verdict });
  expect(await slowestBlock(back.id)).toEqual(await slowestBlock(id));
});

test("of a missing file that is given twice at once one is taken, and the other leaves nothing", async () => {
  const back = await opened(await saved(id, "files=false"));
  const [file] = filesOfSample("slow-network");
  const { records } = service.captures;
  const change = records.change.bind(records);
  const both = Promise.withResolvers<void>();
  let arrived = 0;
  const changes = vi.spyOn(records, "change").mockImplementation(async (...of) => {
    if (++arrived === 2) both.resolve();
    await both.promise;
    return change(...of);
  });
  onTestFinished(() => changes.mockRestore());
  const before = await sourcesOnDisk(service.config.dataDirectory, back.id);
  const answers = await Promise.all(
    ["a.xel", "b.xel"].map((name) =>
      api()
        .post(`/api/v1/captures/${back.id}/files?name=${name}`)
        .type("application/octet-stream")
        .send(file),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 422]));
  expect(await sourcesOnDisk(service.config.dataDirectory, back.id)).toHaveLength(before.length + 1);
});

test("what its overview asks first is worked out while a file is opened: nobody waits for its tables", async () => {
  const back = await opened(await saved(id, "files=false"));
  const firstOf = async (captureId: string): Promise<readonly FirstAnswer[]> => {
    const record = await service.captures.records.get(captureId);
    const folder = join(service.config.dataDirectory, "captures", captureId);
    return readFirstAnswers(folder, validityOf("first answers", originsOf(record)) ?? "");
  };
  const [ofAnalysis, ofFile] = [await firstOf(id), await firstOf(back.id)];
  expect(ofFile.length).toBeGreaterThan(3);
  expect(ofFile).toEqual(ofAnalysis);
});

test("damaged facts with a chosen time zone are an unreadable file, and missing event files stay listed", async () => {
  const { capture, tables } = await read(await saved(id, "files=false"));
  const facts = Buffer.from('{"format":"aglens-facts","version":1}');
  const log: CaptureFile = {
    ...capture.files[0]!,
    id: "log",
    name: "ERRORLOG",
    kind: "evidence",
    size: facts.length,
    dropped: { values: 0, bytes: 0 },
    given: { utcOffsetMinutes: 120 },
    isMissing: false,
  };
  const parts: Uint8Array[] = [];
  const sources = [{ id: "log", bytes: () => single(facts) }];
  for await (const part of aglensFileBytes({
    capture: { ...capture, files: [...capture.files, log] },
    tables,
    sources,
    replacesNames: false,
  }))
    parts.push(part);
  const { state, files } = await opened(new Uint8Array(Buffer.concat(parts)));
  expect(state).toBe("ready");
  expect(files.find(({ name }) => name === "ERRORLOG")).toMatchObject({ kind: "unreadable", given: {} });
  const others = files.filter(({ name }) => name !== "ERRORLOG");
  expect(others).toHaveLength(capture.files.length);
  expect(others.every(({ isMissing }) => isMissing)).toBe(true);
});

test("with replaced names the file has none of them", async () => {
  const bytes = await saved(id, "names=replaced");
  const { capture, tables } = await read(bytes);
  expect(capture.name).toBe("Group 1");
  for (const part of [bytes, ...Object.values(tables), Buffer.from(JSON.stringify(capture))])
    expect(Buffer.from(part).toString("latin1")).not.toMatch(/SQL1|SQL2|Sales|AlwaysOn/iu);
  await api().get(`/api/v1/captures/${id}/aglens-file?names=replaced&files=true`).expect(400);
});

test("what is no such file makes no capture and leaves nothing on the disk", async () => {
  const folder = join(service.config.dataDirectory, "captures");
  const [before, list] = [await readdir(folder), (await api().get("/api/v1/captures")).body as unknown];
  const whole = await saved(id, "files=false");
  const damaged = whole.slice();
  damaged[2000] = (damaged[2000] ?? 0) ^ 1;
  for (const file of [Buffer.from("no zip"), whole.subarray(0, 5000), damaged]) {
    const { body } = await sent(file).expect(422);
    expect(Problem.parse(body).code).toBe("bad-aglens-file");
  }
  expect(await readdir(folder)).toEqual(before);
  expect((await api().get("/api/v1/captures")).body).toEqual(list);
  expect(await readdir(join(service.config.dataDirectory, "incoming"))).toEqual([]);
});
