import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { Capture, CaptureParts } from "@aglens/contract";
import { describeReference } from "@aglens/reference-data";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT, testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import { recognizeTwoGroups } from "../../../test/two-groups.ts";
import type { ReceivedFile } from "../reading/received-file.ts";

let service: TestService;
let id: string;
beforeEach(async () => {
  service = await testService();
  id = (await request(service.app).post("/api/v1/captures").send({})).body.id;
});
afterEach(() => service.end());

const FIXTURES = join(ROOT, "fixtures/captures");

/** Sends files of a committed capture; @param folders which of its folders */
async function send(name: string, folders: readonly string[] = ["primary", "secondary"]): Promise<void> {
  for (const folder of folders) {
    for (const file of await readdir(join(FIXTURES, name, folder))) {
      await upload(`${name}/${folder}/${file}`, join(FIXTURES, name, folder, file));
    }
  }
}

async function upload(name: string, path: string): Promise<void> {
  await request(service.app)
    .post(`/api/v1/captures/${id}/files`)
    .query({ name })
    .type("application/octet-stream")
    .send(await readFile(path))
    .expect(201);
}

const read = async (one: string): Promise<Capture> =>
  Capture.parse((await request(service.app).get(`/api/v1/captures/${one}`).expect(200)).body);

test("one pair is one capture with the name that its files make", async () => {
  await send("slow-network");
  await upload("slow-network/topology.xml", join(FIXTURES, "slow-network/topology.xml"));
  const { name, groups } = await read(id);
  expect(groups).toHaveLength(1);
  expect(groups[0]?.servers.map(({ name, role, files }) => [name, role, files.length])).toEqual([
    ["SQL1", "primary", 2],
    ["SQL2", "secondary", 2],
  ]);
  expect(name).toMatch(/^TestAG · 6 May 2016, \d\d:\d\d UTC$/u);
  const parts = await request(service.app).post(`/api/v1/captures/${id}/parts`).expect(200);
  expect(parts.body.captures.map((capture: Capture) => capture.id)).toEqual([id]);
});

test("two pairs are refused as one capture, and become two that can be analyzed", async () => {
  await send("slow-network");
  await send("slow-secondary-disk");
  await upload("slow-network/topology.xml", join(FIXTURES, "slow-network/topology.xml"));
  const refused = await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(409);
  expect(refused.body.code).toBe("several-captures");
  const { body } = await request(service.app).post(`/api/v1/captures/${id}/parts`).expect(200);
  const { captures } = CaptureParts.parse(body);
  expect(captures).toHaveLength(2);
  expect(captures.map((capture) => capture.id)).toContain(id);
  expect(new Set(captures.map(({ name }) => name)).size).toBe(2);
  for (const capture of captures) {
    expect(capture.groups).toHaveLength(1);
    await request(service.app).post(`/api/v1/captures/${capture.id}/analysis`).expect(202);
    // The stream ends automatically when the analysis has ended.
    const news = (await request(service.app).get(`/api/v1/captures/${capture.id}/progress`)).text;
    expect(news).toContain("event: ready");
  }
});

test("evidence goes with the captures of its server, and each has the bytes of its files", async () => {
  const analyzer = stubAnalyzer();
  recognizeTwoGroups(analyzer);
  const evidence = (server: string | null): Partial<ReceivedFile> => ({
    kind: "evidence",
    evidenceFile: {
      kind: "errorlog",
      server,
      serverFrom: null,
      utcOffsetMinutes: null,
      state: "used",
      use: "ERRORLOG",
      events: 1,
      samples: 0,
      notUnderstood: { count: 0, first: [] },
    },
  });
  for (const [name, server] of [
    ["a.log", "SQLA"],
    ["b.log", "SQLB"],
    ["unknown.log", null],
  ] as const)
    analyzer.recognised.set(name, evidence(server));
  await service.end();
  service = await testService({}, analyzer);
  const { captures } = service;
  const { files } = captures;
  ({ id } = await captures.create("Both"));
  for (const name of ["night.xel", "day.xel", "ag.xml", "a.log", "b.log", "unknown.log"])
    await files.receive(
      id,
      name,
      (async function* () {
        yield await Promise.resolve(new TextEncoder().encode(name));
      })(),
    );
  const parts = await captures.split(id);
  const found = parts.map(async (part) => {
    const names = part.files.map(async (file) => {
      const text = await readFile(files.pathOf(part.id, file.id), "utf8");
      expect(text).toBe(file.name);
      return text;
    });
    return (await Promise.all(names)).toSorted().join(" ");
  });
  expect((await Promise.all(found)).toSorted()).toEqual([
    "a.log ag.xml night.xel unknown.log",
    "ag.xml b.log day.xel unknown.log",
  ]);
});

test("a name that the user gave stays", async () => {
  await request(service.app).patch(`/api/v1/captures/${id}`).send({ name: "Friday" }).expect(200);
  await send("slow-network", ["primary"]);
  expect((await read(id)).name).toBe("Friday");
});

describeReference(
  {
    folder: "simulated",
    tests: 1,
    prove: "a failover in the middle is one capture of two servers, whatever came first",
  },
  (folder) => {
    test("a zip of a failover is one capture of two servers, each with both roles, and can be analyzed", async () => {
      await upload("failover.zip", join(folder, "failover_midway-101.zip"));
      const { groups, name } = await read(id);
      expect(groups).toHaveLength(1);
      expect(name).toMatch(/^AG19 · 19 Apr 2026, \d\d:\d\d UTC$/u);
      const roles = groups[0]?.servers.map(({ name, roles }) => [name, ...roles.map(({ role }) => role)]);
      expect(roles).toEqual([
        ["SQLNODE1", "primary", "secondary"],
        ["SQLNODE2", "secondary", "primary"],
      ]);
      await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
      const news = (await request(service.app).get(`/api/v1/captures/${id}/progress`)).text;
      expect(news).toContain("event: ready");
    });
  },
);
