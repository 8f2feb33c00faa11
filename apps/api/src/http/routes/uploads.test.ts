import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestClock } from "@aglens/fixtures/clock";
import { strToU8, zipSync } from "fflate";
import request from "supertest";
import { CaptureFile, Problem, UploadInParts } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { sourcesOnDisk } from "../../../test/sources-on-disk.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { until } from "../../../test/until.ts";

const HOUR_MS = 3600 * 1000;

let data: string;
let clock: TestClock;
let analyzer: StubAnalyzer;
let service: TestService;
let id: string;

const open = async (changes: Parameters<typeof testService>[0] = {}): Promise<void> => {
  service = await testService(
    { dataDirectory: data, maxUploadBytes: 2000, maxFiles: 3, ...changes },
    analyzer,
    { clock },
  );
};
/** Opens the service again as after a restart; `between` adds leftovers of a killed process. */
const reopen = async (between: () => Promise<void> = async () => {}): Promise<void> => {
  await service.end();
  await between();
  await open();
};

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "aglens-uploads-"));
  clock = new TestClock();
  analyzer = stubAnalyzer();
  await open();
  id = (await request(service.app).post("/api/v1/captures").send({}).expect(201)).body.id;
});
afterEach(async () => {
  await service.end();
  await rm(data, { recursive: true, force: true });
});

const metadata = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

function begin(size: number, values: Readonly<Record<string, string>> = { filename: "a.xel" }) {
  return request(service.app)
    .post(`/api/v1/captures/${id}/uploads`)
    .set({ "tus-resumable": "1.0.0", "upload-length": String(size), "upload-metadata": metadata(values) });
}

/** Address for the parts of an upload. */
const begun = async (...parameters: Parameters<typeof begin>): Promise<string> =>
  (await begin(...parameters).expect(201)).headers["location"] ?? "";

function part(location: string, offset: number, bytes: string | Uint8Array) {
  return request(service.app)
    .patch(location)
    .set({
      "tus-resumable": "1.0.0",
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
    })
    .send(Buffer.from(bytes as string));
}

const offsetOf = async (location: string): Promise<string | undefined> =>
  (await request(service.app).head(location).set("tus-resumable", "1.0.0")).headers["upload-offset"];
const idOf = (location: string): string => location.split("/").at(-1) ?? "";
const codeOf = ({ body }: { readonly body: unknown }): string => Problem.parse(body).code;
const filesOf = async (): Promise<readonly CaptureFile[]> => (await service.captures.get(id)).files;
const uploadsOnDisk = (): Promise<string[]> => readdir(join(data, "uploads"));

test.each([
  ["true", null],
  ["false", { values: 0, bytes: 0 }],
])(
  "what is sensitive stays when the uploader says %s, as at a simple upload",
  async (keepSensitive, dropped) => {
    const location = await begun(3, { filename: "a.xel", keepSensitive });
    await part(location, 0, "abc").expect(204);
    expect(await filesOf()).toMatchObject([{ name: "a.xel", dropped }]);
  },
);

test("parts become the same file as a simple upload, and the last answer can be asked for again", async () => {
  const location = await begun(6, { filename: "a.xel", path: "SQL2/a.xel", head: "h" });
  expect(location).toMatch(new RegExp(`^/api/v1/captures/${id}/uploads/[\\w-]+$`, "u"));
  const first = await part(location, 0, "abc").expect(204);
  expect(first.headers).toMatchObject({ "upload-offset": "3", "tus-resumable": "1.0.0" });
  expect(first.headers["upload-expires"]).toBe("Sun, 22 Nov 2026 02:44:00 GMT");
  expect(first.headers).not.toHaveProperty("access-control-expose-headers");
  expect(await offsetOf(location)).toBe("3");
  const half = UploadInParts.parse((await request(service.app).get(location).expect(200)).body);
  expect(half).toMatchObject({
    name: "a.xel",
    path: "SQL2/a.xel",
    size: 6,
    received: 3,
    head: "h",
    files: null,
  });
  expect(await filesOf()).toEqual([]);
  const last = await part(location, 3, "def").expect(204);
  expect(last.headers).not.toHaveProperty("upload-expires");
  const other = (await request(service.app).post("/api/v1/captures").send({})).body.id;
  const simple = await request(service.app)
    .post(`/api/v1/captures/${other}/files`)
    .query({ name: "a.xel", path: "SQL2/a.xel" })
    .type("application/octet-stream")
    .send(Buffer.from("abcdef"))
    .expect(201);
  const whole = UploadInParts.parse((await request(service.app).get(location).expect(200)).body);
  expect(whole.files).toEqual([(await filesOf())[0]]);
  expect({ ...whole.files?.[0], id: "" }).toEqual({ ...simple.body.files[0], id: "" });
  expect(await offsetOf(location)).toBe("6");
  expect((await request(service.app).get("/api/v1/uploads")).body).toEqual({ uploads: [] });
  expect(await uploadsOnDisk()).toEqual([`${idOf(location)}.json`]);
});

test("what is read of a file while it arrives is told with it, until it is whole", async () => {
  const read = { bytes: 4, points: [{ at: "2016-05-06T02:16:56.0000000Z", events: 40 }] };
  const recognised = analyzer.recognise({ path: "", name: "a.xel", sha256: "" }, id).done;
  analyzer.follow = () => ({
    done: recognised,
    cancel: () => Promise.resolve(),
    arrived: () => {},
    end: () => {},
    soFar: () => read,
  });
  const xel = new Uint8Array([0x5a, 0x37, 0xab, 0xef]);
  const shown = async (location: string) =>
    UploadInParts.parse((await request(service.app).get(location).expect(200)).body).read;
  const location = await begun(6);
  expect(await shown(location)).toBeUndefined();
  await part(location, 0, xel).expect(204);
  expect(await shown(location)).toEqual(read);
  await part(location, 4, "ab").expect(204);
  expect(await shown(location)).toBeUndefined();
  // A file of another kind is read when it is complete.
  const other = await begun(6);
  await part(other, 0, "abcd").expect(204);
  expect(await shown(other)).toBeUndefined();
});

test("a zip in parts becomes its files", async () => {
  const zip = zipSync({ "p/a.xel": strToU8("a"), "s/b.xel": strToU8("b") });
  const location = await begun(zip.length, { filename: "both.zip" });
  await part(location, 0, zip).expect(204);
  expect((await filesOf()).map(({ name }) => name)).toEqual(["a.xel", "b.xel"]);
  expect(await sourcesOnDisk(data, id)).toEqual((await filesOf()).map((file) => file.id));
});

test("a file takes another's place", async () => {
  const old = await begun(3, { filename: "cut.xel" });
  await part(old, 0, "abc").expect(204);
  const location = await begun(6, { filename: "whole.xel", replaces: idOf(old) });
  await part(location, 0, "abcdef").expect(204);
  expect((await filesOf()).map(({ name }) => name)).toEqual(["whole.xel"]);
});

describe("a part", () => {
  test("begins where the upload ends, and is no longer than the file", async () => {
    const location = await begun(6);
    await part(location, 0, "abc").expect(204);
    expect(codeOf(await part(location, 0, "abc").expect(409))).toBe("upload-offset");
    expect(codeOf(await part(location, 4, "ef").expect(409))).toBe("upload-offset");
    expect(codeOf(await part(location, 3, "defg").expect(413))).toBe("too-big");
    expect(await offsetOf(location)).toBe("3");
  });

  test("of another type, of another site, or without the protocol's version is refused", async () => {
    const location = await begun(6);
    const plain = request(service.app)
      .patch(location)
      .set("tus-resumable", "1.0.0")
      .set("upload-offset", "0");
    expect(codeOf(await plain.type("text/plain").send("abc").expect(415))).toBe("wrong-type");
    const foreign = part(location, 0, "abc").set("origin", "http://elsewhere.example");
    expect(codeOf(await foreign.expect(403))).toBe("cross-site");
    const bare = request(service.app).patch(location).type("application/offset+octet-stream").send("abc");
    expect(codeOf(await bare.expect(412))).toBe("tus-version");
    expect(await offsetOf(location)).toBe("0");
  });

  /** A part of six bytes of which only these arrive, over a connection that stays open. */
  async function hangingPart(location: string, bytes: string) {
    const server = createServer(service.app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(
      `PATCH ${location} HTTP/1.1\r\nhost: localhost\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\n` +
        `content-type: application/offset+octet-stream\r\ncontent-length: 6\r\n\r\n${bytes}`,
    );
    const came = async () => (await uploadedBytes(location)) === bytes.length;
    await until(came);
    return { server, socket };
  }

  test("whose connection breaks keeps what came of it", async () => {
    const location = await begun(6);
    const { server, socket } = await hangingPart(location, "abcd");
    socket.destroy();
    expect(await offsetOf(location)).toBe("4");
    await part(location, 4, "ef").expect(204);
    server.close();
    expect(await filesOf()).toHaveLength(1);
  });

  test("is taken over by who comes later, when a connection hangs", async () => {
    const location = await begun(6);
    const { server, socket } = await hangingPart(location, "ab");
    expect(await offsetOf(location)).toBe("2");
    await part(location, 2, "cdef").expect(204);
    socket.destroy();
    server.close();
    expect(await filesOf()).toHaveLength(1);
  });
});

const uploadedBytes = async (location: string): Promise<number> =>
  (await service.uploads.sizes(idOf(location))).offset;

describe("what cannot come is refused before it is sent", () => {
  test("a name, a size, a capture, a file to replace, metadata", async () => {
    expect(codeOf(await begin(3, { filename: ".." }).expect(400))).toBe("bad-file-name");
    expect(codeOf(await begin(3, {}).expect(400))).toBe("bad-request");
    expect(codeOf(await begin(2001).expect(413))).toBe("too-big");
    await begun(2000);
    expect(codeOf(await begin(3, { filename: "a.xel", replaces: "none" }).expect(404))).toBe(
      "file-not-found",
    );
    expect(codeOf(await begin(3, { filename: "a".repeat(1025) }).expect(400))).toBe("bad-request");
    const none = request(service.app).post("/api/v1/captures/none/uploads").set({ "upload-length": "3" });
    expect(codeOf(await none.expect(404))).toBe("capture-not-found");
    expect(codeOf(await begin(3).unset("tus-resumable").expect(412))).toBe("tus-version");
  });

  test("more files than a capture holds, with those that are coming", async () => {
    await begun(3);
    await begun(3);
    await begun(3);
    expect(codeOf(await begin(3).expect(422))).toBe("too-many-files");
  });

  test("more bytes than a quota, with those that are coming", async () => {
    await service.end();
    await open({ quotaBytes: 1000 });
    await begun(600);
    expect(codeOf(await begin(401).expect(507))).toBe("over-quota");
    await begun(400);
  });

  test("more bytes than a quota, or more files than a capture holds, also of uploads that are begun together", async () => {
    await service.end();
    await open({ quotaBytes: 1000 });
    const large = await Promise.all([begin(600), begin(600)]);
    expect(large.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 507]);
    const small = await Promise.all([begin(3), begin(3), begin(3)]);
    expect(small.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 422]);
  });

  test("more bytes than the disk has room for", async () => {
    await service.end();
    service = await testService({ dataDirectory: data, keepFreeBytes: 1000 }, analyzer, {
      clock,
      disk: () => ({ free: 1999, total: 10_000 }),
    });
    expect(codeOf(await begin(1000).expect(507))).toBe("disk-full");
    await begun(999);
  });

  test("by who may not change the capture", async () => {
    await service.end();
    await open(await tokenAccess());
    const ann = as(service, TOKENS.ann);
    const own = (await ann.post("/captures").send({})).body.id as string;
    const headers = {
      "tus-resumable": "1.0.0",
      "upload-length": "3",
      "upload-metadata": metadata({ filename: "a.xel" }),
    };
    const { headers: made } = await ann.post(`/captures/${own}/uploads`).set(headers).expect(201);
    const path = (made["location"] ?? "").replace("/api/v1", "");
    const bob = as(service, TOKENS.bob);
    await bob.post(`/captures/${own}/uploads`).set(headers).expect(404);
    await bob.get(path).expect(404);
    await bob.delete(path).set("tus-resumable", "1.0.0").expect(404);
    expect((await bob.get("/uploads").expect(200)).body.uploads).toEqual([]);
    expect((await ann.get("/uploads").expect(200)).body.uploads).toHaveLength(1);
    // An upload is found under its own capture alone.
    const other = (await bob.post("/captures").send({})).body.id as string;
    await bob.get(path.replace(own, other)).expect(404);
  });
});

describe("an upload is kept", () => {
  test("over a restart, and named to who asks what is unfinished", async () => {
    const location = await begun(6, { filename: "a.xel", head: "crc" });
    clock.move(HOUR_MS);
    await part(location, 0, "abcd").expect(204);
    await reopen();
    const { body } = await request(service.app).get("/api/v1/uploads").expect(200);
    const begin = Date.UTC(2026, 10, 21, 2, 44);
    expect(body.uploads).toEqual([
      {
        id: idOf(location),
        captureId: id,
        name: "a.xel",
        path: "a.xel",
        size: 6,
        received: 4,
        head: "crc",
        begun: new Date(begin).toISOString(),
        lastReceived: new Date(begin + HOUR_MS).toISOString(),
        expires: new Date(begin + 25 * HOUR_MS).toISOString(),
        files: null,
      },
    ]);
    expect(await offsetOf(location)).toBe("4");
    await part(location, 4, "ef").expect(204);
    expect(await filesOf()).toMatchObject([{ id: idOf(location), size: 6 }]);
  });

  test("until its time after the last part is over, to the millisecond", async () => {
    // Between two sweeps, which are every ten minutes.
    clock.move(5 * 60 * 1000);
    const location = await begun(6);
    clock.move(23 * HOUR_MS);
    await part(location, 0, "abc").expect(204);
    clock.move(24 * HOUR_MS - 1);
    expect(await offsetOf(location)).toBe("3");
    clock.move(1);
    expect(codeOf(await request(service.app).get(location).expect(410))).toBe("upload-expired");
    await service.uploads.sweep();
    expect(codeOf(await request(service.app).get(location).expect(404))).toBe("upload-not-found");
    expect(await uploadsOnDisk()).toEqual([]);
  });

  test("until it is thrown away, or its capture is gone", async () => {
    const location = await begun(6);
    await request(service.app).delete(location).set("tus-resumable", "1.0.0").expect(204);
    expect(await uploadsOnDisk()).toEqual([]);
    await begun(6);
    await service.uploads.sweep();
    expect(await uploadsOnDisk()).toHaveLength(2);
    await request(service.app).delete(`/api/v1/captures/${id}?forGood=true`).expect(204);
    await service.uploads.sweep();
    expect(await uploadsOnDisk()).toEqual([]);
  });

  test("while its capture takes it in, however long that takes", async () => {
    // Between two sweeps, which are every ten minutes.
    clock.move(5 * 60 * 1000);
    const location = await begun(3);
    const recognise = analyzer.recognise;
    const gate = Promise.withResolvers<void>();
    let isAtWork = false;
    analyzer.recognise = (...given) => {
      isAtWork = true;
      const job = recognise(...given);
      return { done: gate.promise.then(() => job.done), cancel: () => job.cancel() };
    };
    const sent = part(location, 0, "abc").then(({ status }) => status);
    await until(() => isAtWork);
    clock.move(25 * HOUR_MS);
    await service.uploads.sweep();
    const swept = await uploadsOnDisk();
    gate.resolve();
    expect(swept).toContain(`${idOf(location)}.json`);
    expect(await sent).toBe(204);
    expect(await filesOf()).toMatchObject([{ id: idOf(location), size: 3 }]);
    // The last answer can still be asked for by a client that lost it.
    expect(await uploadsOnDisk()).toEqual([`${idOf(location)}.json`]);
  });

  test("and not listed while its capture is in the trash", async () => {
    const location = await begun(6);
    const listed = async (): Promise<string[]> =>
      (await request(service.app).get("/api/v1/uploads").expect(200)).body.uploads.map(
        (upload: UploadInParts) => upload.id,
      );
    expect(await listed()).toEqual([idOf(location)]);
    await request(service.app).delete(`/api/v1/captures/${id}`).expect(204);
    expect(await listed()).toEqual([]);
    await request(service.app).post(`/api/v1/captures/${id}/restore`).expect(200);
    expect(await listed()).toEqual([idOf(location)]);
  });
});

describe("a process that is killed", () => {
  test("between the last byte and the capture: the next one takes the file in", async () => {
    const location = await begun(6);
    await part(location, 0, "abc").expect(204);
    const path = join(data, "uploads", idOf(location));
    await reopen(async () => {
      await writeFile(path, "abcdef");
      // The process had moved the bytes to the capture, and had not stored that yet.
      await writeFile(join(data, "captures", id, idOf(location)), "abcdef").catch(() => {});
    });
    await until(async () => (await filesOf()).length === 1);
    expect(await filesOf()).toMatchObject([{ id: idOf(location), size: 6 }]);
    expect(await readdir(join(data, "lost-and-found")).catch(() => [])).toEqual([]);
  });

  test("after the capture has the file: it is not taken in twice", async () => {
    const location = await begun(6);
    await part(location, 0, "abc").expect(204);
    const note = await readFile(join(data, "uploads", `${idOf(location)}.json`), "utf8");
    await part(location, 3, "def").expect(204);
    await reopen(async () => {
      await writeFile(join(data, "uploads", `${idOf(location)}.json`), note);
      await writeFile(join(data, "uploads", idOf(location)), "abcdef");
    });
    expect(await offsetOf(location)).toBe("6");
    expect(await filesOf()).toHaveLength(1);
    expect(await uploadsOnDisk()).toEqual([`${idOf(location)}.json`]);
  });

  test("while an upload was begun leaves nothing of it", async () => {
    await begun(6);
    await reopen(async () => {
      await writeFile(join(data, "uploads", "half"), "");
      await writeFile(join(data, "uploads", "cut.json"), '{"id":"cu');
    });
    expect(await uploadsOnDisk()).toHaveLength(2);
  });
});

describe("a whole file that its capture does not take", () => {
  test("stays while the capture is analyzed, and is taken in when it is asked for later", async () => {
    const first = await begun(3);
    await part(first, 0, "abc").expect(204);
    const location = await begun(3, { filename: "b.xel" });
    await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
    expect(codeOf(await part(location, 0, "def").expect(409))).toBe("wrong-state");
    analyzer.analyses[0]?.finish();
    await until(async () => (await service.captures.get(id)).state === "ready");
    const { body } = await request(service.app).get(location).expect(200);
    expect(body.files).toHaveLength(1);
    expect(await filesOf()).toHaveLength(2);
  });

  test("is thrown away when it never will", async () => {
    const location = await begun(4, { filename: "a.zip" });
    expect(codeOf(await part(location, 0, "PK\u0003\u0004").expect(422))).toBe("bad-zip");
    expect(await uploadsOnDisk()).toEqual([]);
    expect(codeOf(await request(service.app).get(location).expect(404))).toBe("upload-not-found");
  });
});

test("bytes that a power cut took are sent again", async () => {
  const location = await begun(6);
  await part(location, 0, "abcd").expect(204);
  await reopen(() => truncate(join(data, "uploads", idOf(location)), 2));
  expect(await offsetOf(location)).toBe("2");
  await part(location, 2, "cdef").expect(204);
  expect(await filesOf()).toMatchObject([{ size: 6 }]);
});
