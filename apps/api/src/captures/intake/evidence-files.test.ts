/** A support folder that is sent to the API: files of other facts are recognized, and only their facts are kept. */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import request from "supertest";
import { zipSync } from "fflate";
import { CaptureFile, EvidenceAnswer, NAMES_FILE, Summary, type Capture } from "@aglens/contract";
import { recognizeFile } from "@aglens/engine/files";
import { supportFolder } from "@aglens/fixtures/support-folder";
import { GROUP, REPLICA_IDS } from "@aglens/fixtures/support-story";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { healthFile } from "../../../test/health-file.ts";
import { ROOT, testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { checkDirectory } from "../../maintenance/check.ts";
import { originsOf, validityOf } from "../derived/validity.ts";

let service: TestService;
let id: string;
beforeEach(async () => {
  service = await testService({ maxFiles: 100 });
  id = await newCapture();
});
afterEach(() => service.end());

const newCapture = async (): Promise<string> =>
  (await request(service.app).post("/api/v1/captures").send({})).body.id;

const { files: FOLDER } = supportFolder();

async function send(
  name: string,
  bytes: Uint8Array,
  { to = id, keep = false, status = 201 } = {},
): Promise<CaptureFile[]> {
  const { body } = await request(service.app)
    .post(`/api/v1/captures/${to}/files`)
    .query({ name, ...(keep ? { keepSensitive: "true" } : {}) })
    .type("application/octet-stream")
    .send(Buffer.from(bytes))
    .expect(status);
  return status === 201 ? body.files.map((file: unknown) => CaptureFile.parse(file)) : body;
}

const sendZip = (some = FOLDER): Promise<CaptureFile[]> =>
  send(
    "LogScout.zip",
    zipSync(Object.fromEntries(some.map(({ path, bytes }) => [path, bytes])), { level: 1 }),
  );

const read = async (): Promise<Capture> =>
  (await request(service.app).get(`/api/v1/captures/${id}`).expect(200)).body;

async function analyzed(): Promise<Summary> {
  await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
  await request(service.app).get(`/api/v1/captures/${id}/progress`).expect(200);
  return Summary.parse((await request(service.app).get(`/api/v1/captures/${id}/summary`).expect(200)).body);
}

const happened = async (): Promise<EvidenceAnswer> =>
  EvidenceAnswer.parse((await request(service.app).get(`/api/v1/captures/${id}/evidence`).expect(200)).body);

function counts(files: readonly CaptureFile[]): Record<string, number> {
  const states = Map.groupBy(files, ({ kind, evidenceFile }) => evidenceFile?.state ?? kind);
  return Object.fromEntries([...states].map(([state, some]) => [state, some.length]));
}

/** By the kinds of the folder: 6 files of movement, 2 topologies, 13 others in use, one of binary counters. */
const COUNTS = { xel: 6, topology: 2, used: 13, convert: 1, notUsed: 18 };

test("a large file without a use is listed by its beginning, with the size of the complete file", async () => {
  const log = FOLDER.find(({ path }) => path.endsWith("SQL1_cluster.log"))!;
  const { body } = await request(service.app)
    .post(`/api/v1/captures/${id}/files`)
    .query({ name: "SQL1_cluster.log", completeBytes: 900_000_000 })
    .type("application/octet-stream")
    .send(Buffer.from(log.bytes.subarray(0, 1_000)))
    .expect(201);
  expect(body.files[0].evidenceFile).toMatchObject({
    kind: "clusterLog",
    state: "notUsed",
    server: "SQL1",
    bytes: 900_000_000,
  });
});

describe("the support folder", () => {
  test("as a zip: each file is recognized with its server, and names the servers", async () => {
    const files = await sendZip();
    expect(counts(files)).toEqual(COUNTS);
    const evidence = files.filter(({ kind }) => kind === "evidence");
    expect(evidence.filter(({ evidenceFile }) => evidenceFile?.server === null)).toEqual([]);
    const blg = evidence.find(({ evidenceFile }) => evidenceFile?.kind === "counterLog")!;
    expect(blg.evidenceFile?.use).toContain('relog "');
    const { groups } = await read();
    expect(groups.map(({ group, servers }) => [group, servers.map(({ name }) => name).toSorted()])).toEqual([
      [GROUP.name, ["SQL1", "SQL2"]],
    ]);
    expect(groups[0]?.warnings).toEqual([]);
  });

  test("file by file: the same", async () => {
    const files: CaptureFile[] = [];
    for (const { path, bytes } of FOLDER) files.push(...(await send(path, bytes)));
    expect(counts(files)).toEqual(COUNTS);
  });

  test("without a topology has the names of AlwaysOn_health in its analysis, and its group", async () => {
    await sendZip(FOLDER.filter(({ path }) => !path.endsWith("GetAGTopology.xml")));
    const summary = await analyzed();
    expect(new Map(summary.replicas.map(({ name, ids }) => [name, ids[0]]))).toEqual(
      new Map(Object.entries(REPLICA_IDS)),
    );
    const { name, groups } = await read();
    expect(name).toMatch(/^SALES-AG · 14 May 2026/u);
    expect(groups[0]?.servers.map((server) => server.nameFrom)).toEqual(["topology", "topology"]);
    const { failovers, withoutClock } = await happened();
    expect(failovers.map(({ text, isProven }) => [text, isProven])).toEqual([
      ["SALES-AG failed over from SQL1 to SQL2 at 02:17:41 UTC, because the lease expired.", true],
    ]);
    expect(withoutClock).toEqual([]);
  });
});

test("alone, headless, zone chosen: the ERRORLOG of a server is analyzed", async () => {
  const text = [
    "2026-05-14 04:17:30.00 spid9s      x",
    "2026-05-14 04:17:30.00 spid9s      There is insufficient system memory in resource pool 'default'.",
  ].join("\n");
  const [file] = await send("SQL2_ERRORLOG", utf8(text));
  await request(service.app)
    .patch(`/api/v1/captures/${id}/files/${file!.id}`)
    .send({ utcOffsetMinutes: 120 })
    .expect(200);
  const { originUtc, replicas } = await analyzed();
  expect([originUtc.slice(0, 19), replicas.map(({ name }) => name)]).toEqual([
    "2026-05-14T02:17:30",
    ["SQL2"],
  ]);
});

test("a link with replaced names to a folder without movement events doesn't name its group", async () => {
  await sendZip(FOLDER.filter(({ path }) => !path.includes("Data_Movement")));
  expect((await analyzed()).verdict.sentence).toContain(GROUP.name);
  const { body } = await request(service.app)
    .post("/api/v1/links")
    .send({ captureId: id, path: "/", view: "v=1", title: "t", expiresInDays: 1, replacesNames: true })
    .expect(201);
  const shown = await request(service.app).get(`/api/v1/links/${body.id}/summary`).expect(200);
  expect(Summary.parse(shown.body).verdict.sentence).toBe(
    "The availability group failed over or went offline.",
  );
  expect(JSON.stringify(shown.body)).not.toMatch(/SALES|SQL1|SQL2/u);
});

const flipped = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, i) => (i % 97 === 5 ? byte ^ 0xff : byte));

test.each([
  ["truncated", (bytes: Uint8Array) => bytes.slice(0, bytes.length * 0.6)],
  ["with flipped bytes", flipped],
  ["emptied", () => new Uint8Array()],
])("each file of the folder, %s, is an answer", async (_, damage) => {
  for (const { path, bytes } of FOLDER.filter((file) => !file.path.includes("Data_Movement"))) {
    const damaged = damage(bytes);
    // oxlint-disable-next-line typescript/require-await -- a file's bytes arrive later
    const chunks = async function* () {
      for (let at = 0; at < damaged.length; at += 4_096) yield damaged.subarray(at, at + 4_096);
    };
    const file = {
      name: basename(path),
      path: dirname(path),
      size: damaged.length,
      bytes: chunks,
      chunks,
      head: (length: number) => Promise.resolve(damaged.subarray(0, length)),
      tail: (length: number) => Promise.resolve(damaged.subarray(-length)),
    };
    const { kind, evidenceFile } = await recognizeFile(file, { replace: () => Promise.resolve(file) });
    expect([path, kind]).toEqual([
      path,
      damaged.length === 0 ? "unreadable" : expect.not.stringMatching("-"),
    ]);
    expect(evidenceFile?.use).not.toBe("");
  }
});

const SECRET = "jdoe-4711";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const ERRORLOG = [
  "2026-05-14 04:00:00.00 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) ",
  "\tCopyright of " + SECRET,
  "2026-05-14 04:00:00.00 Server      UTC adjustment: 2:00",
  "2026-05-14 04:00:00.00 spid11s     Server name is 'SQL1'. This is an informational message only.",
  "2026-05-14 04:16:10.00 Logon       Error: 18456, Severity: 14, State: 8.",
  `2026-05-14 04:16:10.00 Logon       Login failed for user '${SECRET}'. [CLIENT: ${SECRET}]`,
  "2026-05-14 04:16:11.00 spid9s      Error: 9999, Severity: 20, State: 1.",
  `2026-05-14 04:16:11.00 spid9s      The statement of ${SECRET} failed.`,
  "2026-05-14 04:17:10.74 spid9s      SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [F:\\Orders_log.ldf] in database id 7.",
  `who: ${SECRET}`,
  "",
].join("\r\n");
const withoutHead = (text: string): string => text.replace(/^.*(?:UTC adjustment).*\r\n/mu, "");

const REPLICA = "f3400915-bb03-42a0-8c5e-26d35506a893";
const HEALTH = healthFile({
  server: "SQL1",
  replicaId: REPLICA,
  statement: `ALTER AVAILABILITY GROUP [SALES-AG] FAILOVER -- ${SECRET}`,
});

describe("statements, logins and computers", () => {
  const FILES: readonly (readonly [string, Uint8Array])[] = [
    ["ERRORLOG", utf8(ERRORLOG)],
    ["ERRORLOG.1", Buffer.from(`\ufeff${withoutHead(ERRORLOG)}`, "utf16le")],
    ["AlwaysOn_health_0_1.xel", HEALTH],
    ["notes.txt", utf8(`Call ${SECRET}.`)],
    [
      "requests.out",
      utf8(`-- requests --\r\nlogin ${SECRET}\r\n\r\n-- dm_os_wait_stats --\r\n\r\nodd ${SECRET}\r\n`),
    ],
    ["waits.csv", utf8(`wait_type,wait_time_ms,runtime\nWRITELOG,1,2026-05-14T04:16:10\n${SECRET},x,y\n`)],
  ];

  /** Every file of the data directory that has the secret in UTF-8 or in UTF-16. */
  async function found(): Promise<string[]> {
    const folder = service.config.dataDirectory;
    const names: string[] = [];
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      // Files that are being written get another name.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
      const isFound = bytes.includes(SECRET) || bytes.includes(Buffer.from(SECRET, "utf16le"));
      if (isFound) names.push(entry.name);
    }
    return names;
  }

  async function sendInParts(name: string, bytes: Uint8Array): Promise<void> {
    const { headers } = await request(service.app)
      .post(`/api/v1/captures/${id}/uploads`)
      .set("tus-resumable", "1.0.0")
      .set("upload-length", String(bytes.length))
      .set("upload-metadata", `filename ${Buffer.from(name).toString("base64")}`)
      .expect(201);
    const half = Math.ceil(bytes.length / 2);
    for (const [from, to] of [
      [0, half],
      [half, bytes.length],
    ] as const)
      await request(service.app)
        .patch(new URL(headers["location"]!, "http://localhost").pathname)
        .set("tus-resumable", "1.0.0")
        .set("upload-offset", String(from))
        .type("application/offset+octet-stream")
        .send(Buffer.from(bytes.subarray(from, to)))
        .expect(204);
  }

  test.each([
    [
      "file by file",
      async () => {
        for (const [name, bytes] of FILES) await send(name, bytes);
      },
    ],
    ["in a zip", async () => void (await send("a.zip", zipSync(Object.fromEntries(FILES))))],
    [
      "in parts",
      async () => {
        for (const [name, bytes] of FILES) await sendInParts(name, bytes);
      },
    ],
  ])("are not on the disk: %s", async (_, sendAll) => {
    await sendAll();
    const { files } = await read();
    expect(files.length).toBe(FILES.length);
    expect(files.filter(({ dropped }) => (dropped?.values ?? 0) + (dropped?.bytes ?? 0) === 0)).toEqual([]);
    expect(await found()).toEqual([]);
  });

  test("are kept in the facts of files whose uploader keeps them", async () => {
    const [file] = await send("AlwaysOn_health_0_1.xel", HEALTH, { keep: true });
    expect(file?.dropped).toBeNull();
    expect(await found()).toEqual([file?.id]);
  });
});

describe("a file without its UTC offset", () => {
  const correct = (fileId: string, correction: object, status = 200) =>
    request(service.app).patch(`/api/v1/captures/${id}/files/${fileId}`).send(correction).expect(status);

  test("is used once its time zone is chosen", async () => {
    const [file] = await send("ERRORLOG.1", utf8(withoutHead(ERRORLOG)));
    expect(file).toMatchObject({
      role: "ignored",
      evidenceFile: { isLocal: true, state: "notUsed", use: expect.stringMatching(/^Choose time zone/u) },
    });
    const { body } = await correct(file!.id, { utcOffsetMinutes: 120 });
    expect(body).toMatchObject({
      role: "primary",
      evidenceFile: { state: "used", utcOffsetMinutes: 120, use: expect.stringMatching(/^ERRORLOG: /u) },
    });
    expect((await correct(file!.id, { role: "ignored" })).body).toMatchObject({ role: "ignored" });
  });

  test("has that of its server's ERRORLOG where it has samples", async () => {
    const waits = "wait_type,wait_time_ms,waiting_tasks_count,signal_wait_time_ms,runtime\n";
    const [csv] = await send(
      "SQL1/waits.csv",
      utf8(`${waits}WRITELOG,1,1,0,2026-05-14T04:16:10\nWRITELOG,9,2,0,2026-05-14T04:16:20\n`),
    );
    expect(csv).toMatchObject({ evidenceFile: { isLocal: true, state: "notUsed", server: null } });
    await send("SQL1/ERRORLOG", utf8(ERRORLOG));
    const { files } = await read();
    expect(files.find(({ name }) => name === "waits.csv")).toMatchObject({
      role: "primary",
      replica: "SQL1",
      evidenceFile: { state: "used", server: "SQL1", serverFrom: "name", utcOffsetMinutes: null },
    });
  });

  test("is the only one that has a time zone", async () => {
    const [topology] = await send("ag.xml", utf8("<AGInfoRoot/>"));
    const { body } = await correct(topology!.id, { utcOffsetMinutes: 60 }, 400);
    expect(body.code).toBe("bad-request");
    const [log] = await send("ERRORLOG", utf8(ERRORLOG));
    expect((await correct(log!.id, { replica: "SQL1" }, 400)).body.code).toBe("bad-request");
  });
});

describe("an analyzed capture", () => {
  const PAIR = join(ROOT, "fixtures/captures/slow-network");
  beforeEach(async () => {
    for (const folder of ["primary", "secondary"])
      for (const name of await readdir(join(PAIR, folder)))
        await send(name, await readFile(join(PAIR, folder, name)));
  });

  test("takes evidence without a new analysis, and uses its names in the next one", async () => {
    const before = await analyzed();
    expect(before.replicas.map(({ name }) => name)).not.toContain("SQL1");
    const [log, health] = await send(
      "more.zip",
      zipSync({ ERRORLOG: utf8(ERRORLOG), "AlwaysOn_health_0_1.xel": HEALTH }),
    );
    const { state, files } = await read();
    expect(state).toBe("ready");
    expect(new Set(files.filter(({ kind }) => kind === "xel").map(({ replica }) => replica))).toEqual(
      new Set(before.replicas.map(({ name }) => name)),
    );
    await request(service.app).delete(`/api/v1/captures/${id}/files/${log!.id}`).expect(204);
    expect(await read()).toMatchObject({ state: "ready" });
    expect((await analyzed()).replicas.map(({ name }) => name)).toContain("SQL1");
    await request(service.app).delete(`/api/v1/captures/${id}/files/${health!.id}`).expect(204);
    expect(await read()).toMatchObject({ state: "ready" });
  });

  test("computes the answer again after a choice of a time zone", async () => {
    await analyzed();
    expect((await happened()).events).toEqual([]);
    const [log] = await send("ERRORLOG", utf8(withoutHead(ERRORLOG)));
    expect((await happened()).events).toEqual([]);
    const record = () => service.captures.records.get(id);
    const before = validityOf("answers", originsOf(await record()));
    const path = `/api/v1/captures/${id}/files/${log!.id}`;
    await request(service.app).patch(path).send({ utcOffsetMinutes: 60 }).expect(200);
    const after = await record();
    expect(validityOf("answers", originsOf(after))).not.toBe(before);
    expect(validityOf("first answers", originsOf(after))).not.toBeNull();
    expect(await read()).toMatchObject({ state: "ready" });
    const [event] = (await happened()).events;
    expect(event).toMatchObject({ kind: "slowIo", count: 3, server: "SQL1" });
    await request(service.app).patch(path).send({ utcOffsetMinutes: 120 }).expect(200);
    const [earlier] = (await happened()).events;
    expect(event!.at - earlier!.at).toBe(3_600e6);
    await request(service.app).delete(path).expect(204);
    expect((await happened()).events).toEqual([]);
  });

  test("is saved with the facts, and opened with them, also without its event files", async () => {
    await analyzed();
    const [log] = await send("SQL1/ERRORLOG", utf8(ERRORLOG));
    const [health] = await send("AlwaysOn_health_0_1.xel", HEALTH, { keep: true });
    const healthOf = ({ files }: Capture) => files.find(({ sha256 }) => sha256 === health!.sha256);
    const saved = (query: string) =>
      request(service.app)
        .get(`/api/v1/captures/${id}/aglens-file?${query}`)
        .responseType("blob")
        .expect(200)
        .then(({ body }) => body as Buffer);
    const opened = async (file: Buffer): Promise<Capture> =>
      (
        await request(service.app)
          .post("/api/v1/captures/aglens-file")
          .type("application/octet-stream")
          .send(file)
          .expect(201)
      ).body;
    const evidenceOf = ({ files }: Capture) =>
      files
        .filter(({ kind }) => kind === "evidence")
        .map(({ name, path, sha256, evidenceFile }) => [name, path, sha256, evidenceFile?.bytes]);

    const bare = await opened(await saved("files=false"));
    expect(bare.state).toBe("ready");
    expect(evidenceOf(bare)).toEqual([
      ["ERRORLOG", "SQL1", log!.sha256, utf8(ERRORLOG).length],
      ["AlwaysOn_health_0_1.xel", "", health!.sha256, HEALTH.length],
    ]);
    expect(healthOf(bare)!.dropped!.values).toBeGreaterThan(healthOf(await read())!.dropped?.values ?? 0);
    expect(bare.files.filter(({ isMissing }) => isMissing).map(({ kind }) => kind)).toEqual(
      bare.files.filter(({ kind }) => kind === "xel").map(({ kind }) => kind),
    );
    // More evidence, in spite of missing files.
    await send("ERRORLOG.1", utf8(withoutHead(ERRORLOG)), { to: bare.id });
    const { body } = await request(service.app).get(`/api/v1/captures/${bare.id}`).expect(200);
    expect([body.state, evidenceOf(body).length]).toEqual(["ready", 3]);

    const whole = await opened(await saved("files=true"));
    expect(evidenceOf(whole).map(([name]) => name)).toEqual(["ERRORLOG", "AlwaysOn_health_0_1.xel"]);
    expect(whole.files.some(({ isMissing }) => isMissing)).toBe(false);
    expect(healthOf(whole)?.dropped?.values).toBeGreaterThan(0);
    expect(evidenceOf(await opened(await saved("names=replaced")))).toEqual([]);
  });

  test("takes only the evidence of a zip, so that its analysis stays", async () => {
    await analyzed();
    const added = await send(
      "more.zip",
      zipSync({ ERRORLOG: utf8(ERRORLOG), "ag.xml": utf8("<AGInfoRoot/>") }),
    );
    expect(added.map(({ name }) => name)).toEqual(["ERRORLOG"]);
    const { state, files } = await read();
    expect([state, files.some(({ name }) => name === "ag.xml")]).toEqual(["ready", false]);
  });

  test("has to be analyzed again after any other file", async () => {
    await analyzed();
    await send("ag.xml", utf8("<AGInfoRoot/>"));
    expect(await read()).toMatchObject({ state: "receiving" });
  });
});

test("files of a lost capture are found again with their facts", async () => {
  const [log] = await send("ERRORLOG", utf8(ERRORLOG));
  const { bytes, ...found } = log!.evidenceFile!;
  expect(bytes).toBe(utf8(ERRORLOG).length);
  const { dataDirectory } = service.config;
  const facts = await readFile(join(dataDirectory, "captures", id, log!.id));
  const [again] = await send("found_1.xel", facts);
  expect(again).toMatchObject({ kind: "evidence", evidenceFile: found });
  expect(await checkDirectory(dataDirectory)).toMatchObject({ files: 2, findings: [] });
});

test("a replica that AlwaysOn_health and a topology name differently has the first name, with a warning", async () => {
  const folder = join(ROOT, "fixtures/captures/slow-network");
  for (const name of await readdir(join(folder, "primary")))
    await send(name, await readFile(join(folder, "primary", name)));
  await send("AlwaysOn_health_0_1.xel", HEALTH);
  const row = `<row replica_id="${REPLICA}" replica_server_name="SQL9"/>`;
  await send("ag.xml", utf8(`<AGInfoRoot>${row}</AGInfoRoot>`));
  const [group] = (await read()).groups;
  expect(group?.servers.map(({ name }) => name)).toEqual(["SQL1"]);
  expect(group?.warnings).toContainEqual({
    code: "names-differ",
    refuses: false,
    sentence: "Replica f3400915 is SQL1 in AlwaysOn_health_0_1.xel, and SQL9 in ag.xml. AG Lens uses SQL1.",
  });
  await send(NAMES_FILE, utf8(`<AGInfoRoot>${row.replace("SQL9", "SQL7")}</AGInfoRoot>`));
  const [renamed] = (await read()).groups;
  expect([renamed?.servers.map(({ name }) => name), renamed?.warnings]).toEqual([["SQL7"], []]);
});
