import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pino from "pino";
import request from "supertest";
import type { Response } from "supertest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encodeModel } from "@aglens/contract";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { summarise } from "@aglens/ag-model/query";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { analyse } from "@aglens/fixtures/analyse-for-tests";
import { slowNetwork } from "@aglens/fixtures/scenarios";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { S3_PROGRAM, startS3 } from "../../test/s3.ts";
import type { TestS3 } from "../../test/s3.ts";
import { STUB_RESULT, stubAnalyzer } from "../../test/stub-analyzer.ts";
import { EAGER, sharedPlace } from "../../test/two-servers.ts";
import type { SharedPlace, TestServer } from "../../test/two-servers.ts";
import { until } from "../../test/until.ts";
import { checkBucket } from "../maintenance/bucket-check.ts";
import { unfinishedUploads } from "../uploads/upload-files.ts";
import { moveToBucket } from "../maintenance/move.ts";
import { openPostgres } from "../store/postgres/database.ts";
import { postgresCatalog } from "../store/postgres/postgres-catalog.ts";
import { testService } from "../../test/service.ts";
import { systemClock } from "../kernel/clock.ts";
import { openBucket } from "../store/bucket/bucket.ts";
import type { Bucket } from "../store/bucket/bucket.ts";

const DAY_MS = 24 * 3600 * 1000;
/** All servers on one bucket have the same. */
const WITH_TABLES = { keepsTables: true };

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS, S3_PROGRAM))(
  "two servers with a bucket, with PostgreSQL's programs and an S3 server (npm run s3-server)",
  () => {
    let postgres: TestPostgres;
    let s3: TestS3;
    beforeAll(async () => {
      postgres = await startPostgres(POSTGRES_PROGRAMS);
      s3 = await startS3(S3_PROGRAM);
    });
    afterAll(async () => {
      await postgres.end();
      await s3.end();
    });

    let place: SharedPlace;
    let itsBucket: string;
    let bucket: Bucket;
    let north: TestServer;
    let south: TestServer;
    beforeEach(async () => {
      itsBucket = await s3.newPlace();
      bucket = openBucket(itsBucket, pino({ level: "silent" }));
      place = await sharedPlace(await postgres.newPlace(), undefined, itsBucket);
      north = await place.open("north", WITH_TABLES);
      south = await place.open("south", WITH_TABLES);
    });
    afterEach(async () => {
      await place.end();
      bucket.close();
    });

    /** Names of all objects except the one that names the catalog. */
    const names = async (): Promise<string[]> =>
      (await bucket.list("")).map(({ name }) => name).filter((name) => name !== "catalogue.json");
    const newCapture = async (): Promise<string> => (await north.captures.create("Night")).id;
    const addFileTo = (server: TestServer, id: string) =>
      request(server.app)
        .post(`/api/v1/captures/${id}/files?name=a.xel`)
        .type("application/octet-stream")
        .send("abc");
    const addFile = (server: TestServer, id: string): Promise<Response> => addFileTo(server, id).expect(201);
    /** The files of an analysis. */
    const analysed = async (): Promise<Record<string, Uint8Array>> => {
      const { model } = await analyse({ ...slowNetwork, maxEvents: 3_000 });
      const summary = summarise(model, "", "", diagnose(model));
      return {
        ...STUB_RESULT.files,
        ...encodeModel(model),
        [SUMMARY_FILE]: new TextEncoder().encode(JSON.stringify(summary)),
      };
    };
    const stateAt = async (server: TestServer, id: string) => (await server.captures.get(id)).state;
    /** Analyses a capture, at north. */
    const analyzeOne = async (id: string): Promise<void> => {
      await north.captures.analyses.start(id);
      await until(() => north.analyzer.analyses.length > 0);
      north.analyzer.analyses[0]?.finish({ files: await analysed() });
      await until(async () => (await stateAt(north, id)) === "ready");
    };

    /** Opens a server that analyzes captures on request of north. */
    const leavingAllTo = (name: string): Promise<TestServer> => {
      north.analyzer.mayBegin = () => false;
      return place.open(name, WITH_TABLES, {}, EAGER);
    };

    /** @returns its address */
    const beginUpload = async (captureId: string, size: number): Promise<string> => {
      const { headers } = await request(north.app)
        .post(`/api/v1/captures/${captureId}/uploads`)
        .set({
          "tus-resumable": "1.0.0",
          "upload-length": String(size),
          "upload-metadata": `filename ${btoa("a.xel")}`,
        })
        .expect(201);
      return new URL(headers["location"] ?? "", "http://aglens").pathname;
    };

    test("an upload whose parts go to one and the other becomes a file once", async () => {
      const id = await newCapture();
      const upload = await beginUpload(id, 9);
      const patch = (server: TestServer, offset: number, text: string) =>
        request(server.app)
          .patch(upload)
          .set({ "tus-resumable": "1.0.0", "upload-offset": String(offset) })
          .type("application/offset+octet-stream")
          .send(text);
      await patch(north, 0, "abc").expect(204);
      const { headers: known } = await request(south.app)
        .head(upload)
        .set("tus-resumable", "1.0.0")
        .expect(200);
      expect(known["upload-offset"]).toBe("3");
      await patch(south, 3, "def").expect(204);
      await patch(north, 3, "xyz").expect(409);
      await patch(north, 6, "ghi").expect(204);
      for (const server of [north, south]) {
        const { body } = await request(server.app).get(upload).expect(200);
        expect(body.files).toMatchObject([{ name: "a.xel", size: 9 }]);
        expect((await server.captures.get(id)).files).toHaveLength(1);
      }
      const objects = (await bucket.list(`captures/${id}/`)).filter(({ bytes }) => bytes === 9);
      expect(objects).toHaveLength(1);
    });

    test("a whole upload that both take in at once becomes one file, whatever is done with it before the second is ready", async () => {
      const captureId = await newCapture();
      const id = basename(await beginUpload(captureId, 3));
      await north.uploads.append(id, 0, bytesOf("abc"));
      const { recognise } = south.analyzer;
      const isAnalyzed = Promise.withResolvers<void>();
      south.analyzer.recognise = (...file) => {
        const job = recognise(...file);
        return { ...job, done: isAnalyzed.promise.then(() => job.done) };
      };
      const second = south.uploads.finish(id);
      await pause(100);
      const first = await Promise.race([north.uploads.finish(id), pause(1_000)]);
      if (first !== undefined) await north.captures.analyses.start(captureId);
      isAnalyzed.resolve();
      const ids = await second;
      const { files } = await south.captures.get(captureId);
      expect(files.map((file) => file.id)).toEqual(ids);
      const objects = await bucket.list(`captures/${captureId}/`);
      expect(objects.filter(({ bytes }) => bytes === 3)).toHaveLength(1);
    });

    test("what one analyzed the other one shows, and its tables are in the bucket once, on both disks", async () => {
      const id = await newCapture();
      await addFile(south, id);
      await analyzeOne(id);
      await until(async () => (await stateAt(south, id)) === "ready");
      const shown = await Promise.all(
        [north, south].map(async ({ app }) =>
          ["summary", "statistics"].map((path) =>
            request(app).get(`/api/v1/captures/${id}/${path}`).expect(200),
          ),
        ),
      );
      const bodies = await Promise.all(
        shown.map(async (answers) => (await Promise.all(answers)).map(({ body }) => body)),
      );
      expect(bodies[1]).toEqual(bodies[0]);
      expect(await north.dataset.whenWritten(id)).toBe(true);
      expect(await south.dataset.whenWritten(id)).toBe(true);
      const [path = ""] = north.dataset.files([id], "blocks");
      const folder = dirname(`dataset/${path}`);
      const tables = (await names()).filter((name) => name.startsWith(folder));
      expect(tables).toContain(`${folder}/blocks.parquet`);
      for (const { config } of [north, south])
        expect((await readdir(join(config.dataDirectory, folder))).toSorted()).toEqual(
          tables.map((name) => name.slice(folder.length + 1)).toSorted(),
        );
    });

    test("a check finds tables at rest that are damaged, missing, or of no capture", async () => {
      const id = await newCapture();
      await addFile(north, id);
      await analyzeOne(id);
      expect(await north.dataset.whenWritten(id)).toBe(true);
      const check = async () =>
        (
          await checkBucket(
            { url: place.catalogue, passwordFile: null },
            itsBucket,
            pino({ level: "silent" }),
          )
        ).findings;
      expect(await check()).toEqual([]);
      const [path = ""] = north.dataset.files([id], "blocks");
      const folder = dirname(`dataset/${path}`);
      const [blocks] = await bucket.list(`${folder}/blocks.parquet`);
      await bucket.put(`${folder}/blocks.parquet`, Buffer.alloc(blocks?.bytes ?? 0));
      await bucket.remove([`${folder}/commits.parquet`]);
      const mark = { capture: "gone", group: "AG", validity: "a", files: {} };
      await bucket.put("dataset/group=AG/capture=gone/_tables.json", Buffer.from(JSON.stringify(mark)));
      const findings = await check();
      expect(findings).toHaveLength(3);
      expect(findings).toContain(
        "The tables in dataset/group=AG/capture=gone are of no capture: delete that folder.",
      );
      expect(findings.join("\n")).toContain(
        `${folder}/blocks.parquet has other content than was stored (SHA-256)`,
      );
      expect(findings.join("\n")).toContain(`${folder}/commits.parquet is missing`);
    });

    test("tables at rest are kept by all or by none: the first that starts without removes those of all", async () => {
      const id = await newCapture();
      await addFile(north, id);
      await analyzeOne(id);
      expect(await north.dataset.whenWritten(id)).toBe(true);
      const tables = async () => (await names()).filter((name) => name.startsWith("dataset/")).length;
      await expect(place.open("east", { keepsTables: false })).rejects.toThrow(
        "AGLENS_TABLES is on at the other servers (north, south). Set it to that",
      );
      expect(await tables()).toBeGreaterThan(0);
      await Promise.all([north.close(), south.close()]);
      const east = await place.open("east", { keepsTables: false });
      await until(async () => (await tables()) === 0);
      await place.open("west", { keepsTables: false });
      await expect(place.open("north", WITH_TABLES)).rejects.toThrow(
        "is off at the other servers (east, west)",
      );
      await east.close();
    });

    test("a server without anything on its disk answers; of a deleted capture nothing stays in the bucket", async () => {
      const id = await newCapture();
      await addFile(north, id);
      await analyzeOne(id);
      await north.dataset.whenWritten(id);
      const east = await place.open("east", WITH_TABLES);
      await request(east.app).get(`/api/v1/captures/${id}/statistics`).expect(200);
      await request(east.app).delete(`/api/v1/captures/${id}?forGood=true`).expect(204);
      await until(async () => (await names()).length === 0);
      await request(north.app).get(`/api/v1/captures/${id}/summary`).expect(404);
    });

    test("of a capture that one deletes for good no copy stays on the disk of another, one that was away meanwhile too", async () => {
      const id = await newCapture();
      await addFile(north, id);
      const east = await place.open("east", WITH_TABLES);
      for (const server of [south, east]) {
        const [file] = (await server.captures.get(id)).files;
        await server.captures.files.withFiles(id, { [file?.id ?? ""]: undefined }, () => Promise.resolve());
      }
      const copies = ({ config }: TestServer) => readdir(join(config.dataDirectory, "captures"));
      expect([await copies(south), await copies(east)]).toEqual([[id], [id]]);
      await east.close();
      await request(north.app).delete(`/api/v1/captures/${id}?forGood=true`).expect(204);
      await until(async () => (await copies(south)).length === 0);
      expect(await copies(east)).toEqual([id]);
      const again = await place.open("east", WITH_TABLES);
      await until(async () => (await copies(again)).length === 0);
    });

    test.each([
      ["by a server that starts", true],
      ["by a server that runs", false],
    ])(
      "files that no record names are found in the bucket %s, and make a capture again",
      async (_, isOld) => {
        const id = await newCapture();
        await addFile(north, id);
        await Promise.all([north.close(), south.close()]);
        const database = await openPostgres({ url: place.catalogue, passwordFile: null }, () => {});
        await postgresCatalog(database).deleteCapture(id);
        await database.destroy();
        let days = isOld ? 2 : 0;
        const clock = { ...systemClock, now: () => Date.now() + days * DAY_MS };
        const east = await place.open("east", WITH_TABLES, { clock });
        days = 2;
        await east.captures.sweep();
        // Its objects go there one after the other.
        await until(async () => {
          const [found] = await east.captures.lost.list();
          return found?.name === "Night" && found.files === 1;
        });
        const [lost] = await east.captures.lost.list();
        expect(lost).toMatchObject({ name: "Night", files: 1, bytes: 3 });
        // The last of them may still be on its way.
        await expect
          .poll(() => east.captures.takeBack(lost?.id ?? ""))
          .toMatchObject({ id, name: "Night", files: [{ name: "a.xel", size: 3 }] });
        expect((await names()).every((name) => name.startsWith(`captures/${id}/`))).toBe(true);
      },
    );

    test("a catalogue and a bucket that do not belong together are refused, and a directory with files of its own", async () => {
      await newCapture();
      const elsewhere = await sharedPlace(await postgres.newPlace(), undefined, itsBucket);
      await expect(elsewhere.open("east")).rejects.toThrow(
        "The bucket that AGLENS_BLOBS names does not have the files of the catalogue",
      );
      await elsewhere.end();
      const otherBucket = await sharedPlace(place.catalogue, undefined, await s3.newPlace());
      await expect(otherBucket.open("east")).rejects.toMatchObject({ code: "directory-foreign" });
      await otherBucket.end();
      await mkdir(join(place.directory, "west/captures/mine"), { recursive: true });
      await writeFile(join(place.directory, "west/format.json"), "{}");
      await expect(place.open("west")).rejects.toThrow("has captures that are not of the bucket");
      await expect(testService({ catalogue: place.catalogue })).rejects.toThrow("Set AGLENS_BLOBS to it.");
    });

    test("a directory of one machine is brought to them, again is the same as once", async () => {
      const analyzer = stubAnalyzer();
      const dataDirectory = join(place.directory, "one");
      const one = await testService({ dataDirectory }, analyzer);
      const { id } = await one.captures.create("Night");
      for (const name of ["a.xel", "b.xel"])
        await request(one.app)
          .post(`/api/v1/captures/${id}/files?name=${name}`)
          .type("application/octet-stream")
          .send(name);
      await one.captures.analyses.start(id);
      analyzer.analyses[0]?.finish({ files: await analysed() });
      await until(async () => (await one.captures.get(id)).state === "ready");
      const before = await one.captures.get(id);
      const { body: summary } = await request(one.app).get(`/api/v1/captures/${id}/summary`).expect(200);
      await request(one.app)
        .post(`/api/v1/captures/${id}/uploads`)
        .set({
          "tus-resumable": "1.0.0",
          "upload-length": "3",
          "upload-metadata": `filename ${btoa("c.xel")}`,
        })
        .expect(201);
      await one.close();
      expect(await unfinishedUploads(dataDirectory)).toBe(1);
      const catalogue = { url: await postgres.newPlace(), passwordFile: null };
      const to = await s3.newPlace();
      const move = () => moveToBucket(dataDirectory, catalogue, to, pino({ level: "silent" }));
      const moved = await move();
      expect(moved).toMatchObject({ captures: 1, links: 0, findings: [] });
      expect(await move()).toEqual(moved);
      const check = () => checkBucket(catalogue, to, pino({ level: "silent" }));
      expect(await check()).toEqual({ captures: 1, files: moved.files, bytes: moved.bytes, findings: [] });
      await expect(testService({ dataDirectory, catalogue: catalogue.url })).rejects.toThrow("AGLENS_BLOBS");
      const both = await sharedPlace(catalogue.url, place.directory, to);
      for (const name of ["one", "east"]) {
        const server = await both.open(name);
        expect(await server.captures.get(id)).toEqual(before);
        expect((await request(server.app).get(`/api/v1/captures/${id}/summary`).expect(200)).body).toEqual(
          summary,
        );
        expect(await server.captures.lost.list()).toEqual([]);
      }
      await both.end();
      const itsObjects = openBucket(to, pino({ level: "silent" }));
      const [first] = (await itsObjects.list(`captures/${id}/`)).filter(({ name }) =>
        name.includes("/blocks.arrow!"),
      );
      await itsObjects.put(first?.name ?? "", Buffer.alloc(first?.bytes ?? 0));
      expect((await check()).findings).toEqual([
        `Capture ${id} (Night): blocks.arrow has other content than was stored (SHA-256); it is made again when it is needed.`,
      ]);
      itsObjects.close();
    });

    test("an analysis whose files cannot be had has failed, and who waits for it at that server hears so", async () => {
      const id = await newCapture();
      await addFile(north, id);
      const east = await leavingAllTo("east");
      const news: string[] = [];
      east.captures.analyses.watch(id, ({ news: one }) => news.push(one));
      await s3.whileAway(async () => {
        await north.captures.analyses.start(id);
        await until(async () => (await stateAt(east, id)) === "failed");
      });
      expect((await east.captures.get(id)).problem?.code).toBe("bucket-unreachable");
      expect(east.analyzer.analyses).toMatchObject([{ cancelled: true }]);
      await until(() => news.includes("failed"));
    });

    test("an analysis whose file is gone from the bucket has failed, and says where it was damaged", async () => {
      const id = await newCapture();
      await addFile(north, id);
      const [file] = (await north.captures.get(id)).files;
      await bucket.remove((await names()).filter((name) => name.includes(file?.id ?? "")));
      const east = await leavingAllTo("east");
      await north.captures.analyses.start(id);
      await until(async () => (await stateAt(east, id)) === "failed");
      expect((await east.captures.get(id)).problem?.detail).toMatch(/a\.xel is missing: .* in the bucket/u);
      expect(east.analyzer.analyses).toMatchObject([{ cancelled: true }]);
    });

    test("an analysis goes on where the bucket was away for a moment, before its files came and when it was stored", async () => {
      const id = await newCapture();
      await addFile(north, id);
      const east = await leavingAllTo("east");
      await s3.whileAway(async () => {
        await north.captures.analyses.start(id);
        await until(() => east.analyzer.analyses.length === 1);
        // Longer than the SDK tries for itself.
        await pause(1_000);
      });
      const files = await analysed();
      await s3.whileAway(async () => {
        east.analyzer.analyses[0]?.finish({ files });
        await pause(1_000);
      });
      await until(async () => (await stateAt(east, id)) === "ready");
      await request(north.app).get(`/api/v1/captures/${id}/summary`).expect(200);
    });

    test("while the bucket does not answer, requests that need it say so, and the server says that it is not ready", async () => {
      const id = await newCapture();
      await s3.whileAway(async () => {
        const { body } = await addFileTo(north, id).expect(503);
        expect(body).toMatchObject({ code: "bucket-unreachable" });
        await request(north.app).get("/readyz").expect(503);
      });
      await addFile(north, id);
      await request(north.app).get("/readyz").expect(200);
    });
  },
);

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
