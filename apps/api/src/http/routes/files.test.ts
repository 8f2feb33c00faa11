import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import request from "supertest";
import { CaptureFile, Problem } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import { sourcesOnDisk } from "../../../test/sources-on-disk.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { TestService } from "../../../test/service.ts";

let service: TestService;
let analyzer: StubAnalyzer;
let id: string;

beforeEach(async () => {
  analyzer = stubAnalyzer();
  service = await testService({ maxUploadBytes: 2000, maxFiles: 3 }, analyzer);
  id = (await request(service.app).post("/api/v1/captures").send({ name: "Night of the 7th" }).expect(201))
    .body.id;
});
afterEach(() => service.end());

function upload(name: string, bytes: Uint8Array | string, path?: string) {
  return request(service.app)
    .post(`/api/v1/captures/${id}/files`)
    .query({ name, path })
    .type("application/octet-stream")
    .send(Buffer.from(bytes as string));
}

const blobs = (): Promise<string[]> => sourcesOnDisk(service.config.dataDirectory, id);

describe("upload", () => {
  test("a file is stored and described", async () => {
    const { body } = await upload("primary.xel", "abc").expect(201);
    const [file] = body.files.map((one: unknown) => CaptureFile.parse(one));
    expect(file).toMatchObject({ name: "primary.xel", size: 3, role: "primary", replica: "Primary" });
    const capture = await request(service.app).get(`/api/v1/captures/${id}`).expect(200);
    expect(capture.body.files).toEqual([file]);
    expect(await blobs()).toEqual([file.id]);
  });

  test.each([
    ["../../etc/passwd", "passwd"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["secondary/a.xel", "a.xel"],
    ["a\u0000\u202eb.xel", "ab.xel"],
  ])("the name %j is only a word", async (sent, kept) => {
    const { body } = await upload(sent, "abc").expect(201);
    expect(body.files[0].name).toBe(kept);
    expect(await readdir(service.config.dataDirectory)).not.toContain(kept);
  });

  test.each(["..", "/", "../.."])("the name %j is refused", async (name) => {
    const { body } = await upload(name, "abc").expect(400);
    expect(Problem.parse(body).code).toBe("bad-file-name");
  });

  test("a file takes another's place, with its role and replica", async () => {
    const [old] = (await upload("cut.xel", "abc").expect(201)).body.files;
    await request(service.app)
      .patch(`/api/v1/captures/${id}/files/${old.id}`)
      .send({ role: "secondary", replica: "SQL2" })
      .expect(200);
    const { body } = await upload("whole.xel", "abcdef").query({ replaces: old.id }).expect(201);
    expect(body.files).toHaveLength(1);
    expect(body.files[0]).toMatchObject({ name: "whole.xel", role: "secondary", replica: "SQL2" });
    expect((await request(service.app).get(`/api/v1/captures/${id}`)).body.files).toEqual(body.files);
    expect(await blobs()).toEqual([body.files[0].id]);
  });

  test("what is no single event file takes no place", async () => {
    const [old] = (await upload("cut.xel", "abc").expect(201)).body.files;
    const zip = zipSync({ "a.xel": strToU8("a"), "b.xel": strToU8("b") });
    const { body } = await upload("two.zip", zip).query({ replaces: old.id }).expect(422);
    expect(body.code).toBe("not-a-replacement");
    expect(body.detail).toBe("The zip holds 2 files. cut.xel stays as it was.");
    expect(await blobs()).toEqual([old.id]);
    await upload("whole.xel", "abc").query({ replaces: "nothing" }).expect(404);
  });

  test("files of a dropped folder are one replica's when they name none, and a zip's entries are of its folder", async () => {
    const secondary = { detectedRole: "secondary", replicaId: null } as const;
    for (const name of ["a.xel", "b.xel", "c.xel"]) analyzer.recognised.set(name, secondary);
    const [a] = (await upload("a.xel", "abc", "night/SQL2/a.xel").expect(201)).body.files;
    expect(a).toMatchObject({ name: "a.xel", folder: "SQL2", replica: "SQL2" });
    const [b] = (await upload("both.zip", zipSync({ "b.xel": strToU8("b") }), "night/SQL2/both.zip")).body
      .files;
    expect(b).toMatchObject({ name: "b.xel", folder: "SQL2", replica: "SQL2" });
    const [c] = (await upload("c.xel", "abc").expect(201)).body.files;
    expect(c).toMatchObject({ name: "c.xel", folder: null, replica: "Secondary" });
  });

  test("a capture that nobody named has the name of its group, up to the 120 characters of a name", async () => {
    const { id: unnamed } = await service.captures.create();
    const server = "S".repeat(121);
    analyzer.recognised.set("ag.xml", { kind: "topology", replicaNames: { r1: server } });
    analyzer.recognised.set("a.xel", { detectedRole: "primary", replicaId: "r1", events: 1 });
    for (const name of ["ag.xml", "a.xel"]) {
      await request(service.app)
        .post(`/api/v1/captures/${unnamed}/files`)
        .query({ name })
        .type("application/octet-stream")
        .send(name)
        .expect(201);
    }
    expect((await service.captures.get(unnamed)).name).toBe("S".repeat(120));
  });

  test("a missing name is a bad request that says so", async () => {
    const { body, type } = await request(service.app)
      .post(`/api/v1/captures/${id}/files`)
      .type("application/octet-stream")
      .expect(400);
    expect(type).toBe("application/problem+json");
    expect(body).toMatchObject({ code: "bad-request", status: 400 });
    expect(body.detail).toContain("name");
  });

  test("a body over the limit is refused and leaves nothing", async () => {
    const { body } = await upload("big.xel", "x".repeat(2001)).expect(413);
    expect(body).toMatchObject({
      code: "too-big",
      detail: "The file is larger than 2,000 bytes, the API's limit (AGLENS_MAX_UPLOAD_BYTES).",
    });
    expect(await blobs()).toEqual([]);
    expect(await readdir(join(service.config.dataDirectory, "incoming"))).toEqual([]);
  });

  test("a body over the limit without a length is stopped while it streams", async () => {
    const req = request(service.app).post(`/api/v1/captures/${id}/files?name=big.xel`);
    req.type("application/octet-stream").set("transfer-encoding", "chunked");
    for (let i = 0; i < 3; i++) req.write("x".repeat(1000));
    const { body } = await req.expect(413);
    expect(body.code).toBe("too-big");
    expect(await blobs()).toEqual([]);
  });

  test("the capture's number of files is bounded", async () => {
    for (const name of ["a.xel", "b.xel", "c.xel"]) await upload(name, name).expect(201);
    expect((await upload("d.xel", "d").expect(422)).body.code).toBe("too-many-files");
    expect(await blobs()).toHaveLength(3);
  });

  test("an unknown capture takes no file", async () => {
    const { body } = await request(service.app)
      .post("/api/v1/captures/nothing/files?name=a.xel")
      .type("application/octet-stream")
      .expect(404);
    expect(body.code).toBe("capture-not-found");
  });
});

describe("zip", () => {
  test("gives one file per entry, without the archiver's clutter", async () => {
    const zip = zipSync({
      "primary/a.xel": strToU8("aaa"),
      "secondary/b.xel": strToU8("bbbb"),
      "__MACOSX/a.xel": strToU8("x"),
      empty: {},
    });
    const { body } = await upload("both.zip", zip).expect(201);
    expect(body.files.map((file: CaptureFile) => [file.name, file.size])).toEqual([
      ["a.xel", 3],
      ["b.xel", 4],
    ]);
    expect((await blobs()).toSorted()).toEqual(body.files.map((file: CaptureFile) => file.id).toSorted());
  });

  test("what it inflates to is bounded, whatever it declares", async () => {
    const zip = zipSync({ "bomb.xel": new Uint8Array(1_000_000) });
    expect(zip.byteLength).toBeLessThan(2000);
    const { body } = await upload("bomb.zip", zip).expect(413);
    expect(body.code).toBe("too-big");
    expect(await blobs()).toEqual([]);
    expect(await readdir(join(service.config.dataDirectory, "incoming"))).toEqual([]);
  });

  test("its number of entries is bounded", async () => {
    const entries = Object.fromEntries([1, 2, 3, 4].map((n) => [`${n}.xel`, strToU8("x")]));
    expect((await upload("many.zip", zipSync(entries)).expect(422)).body.code).toBe("too-many-files");
    expect(await blobs()).toEqual([]);
  });

  test("one that is cut off between its entries is refused: what is left would hide that files are missing", async () => {
    const [one, two] = [{ "a.xel": strToU8("aaa") }, { "a.xel": strToU8("aaa"), "b.xel": strToU8("bbb") }];
    const directory = Buffer.from(zipSync(one)).indexOf("PK\x01\x02");
    expect((await upload("cut.zip", zipSync(two).subarray(0, directory)).expect(422)).body.code).toBe(
      "bad-zip",
    );
    expect(await blobs()).toEqual([]);
  });

  test("one that is cut off is refused", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(1500));
    const zip = zipSync({ "a.xel": bytes }).subarray(0, 800);
    expect((await upload("cut.zip", zip).expect(422)).body.code).toBe("bad-zip");
    expect(await blobs()).toEqual([]);
  });
});

describe("files afterwards", () => {
  test("role and replica can be corrected", async () => {
    const file = (await upload("a.xel", "abc")).body.files[0];
    const { body } = await request(service.app)
      .patch(`/api/v1/captures/${id}/files/${file.id}`)
      .send({ role: "secondary", replica: "SQL2" })
      .expect(200);
    expect(body).toMatchObject({ id: file.id, role: "secondary", replica: "SQL2", detectedRole: "primary" });
  });

  test("a file without events takes no replica, and may be left out", async () => {
    const [file] = (await upload("ag.xml", "<AGInfoRoot/>")).body.files;
    const change = (body: object) =>
      request(service.app).patch(`/api/v1/captures/${id}/files/${file.id}`).send(body);
    expect((await change({ replica: "SQL2" }).expect(400)).body.detail).toContain(
      "ag.xml: it has no data-movement events",
    );
    expect((await change({ role: "ignored" }).expect(200)).body.role).toBe("ignored");
  });

  test("a wrong role is a bad request", async () => {
    const file = (await upload("a.xel", "abc")).body.files[0];
    const { body } = await request(service.app)
      .patch(`/api/v1/captures/${id}/files/${file.id}`)
      .send({ role: "king" })
      .expect(400);
    expect(body.detail).toContain("role");
  });

  test("a removed file is gone from disk", async () => {
    const file = (await upload("a.xel", "abc")).body.files[0];
    await request(service.app).delete(`/api/v1/captures/${id}/files/${file.id}`).expect(204);
    expect(await blobs()).toEqual([]);
    await request(service.app).delete(`/api/v1/captures/${id}/files/${file.id}`).expect(404);
  });
});
