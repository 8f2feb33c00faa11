import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import request from "supertest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Capture, Progress } from "@aglens/contract";
import { AnalysisError } from "@aglens/engine/analysis";
import { elementAt } from "../../test/element-at.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { EAGER, QUICK, SILENT, sharedPlace } from "../../test/two-servers.ts";
import type { SharedPlace, TestServer } from "../../test/two-servers.ts";
import { recognizeTwoGroups } from "../../test/two-groups.ts";
import { until } from "../../test/until.ts";
import type { CaptureNews } from "../captures/life/analyses.ts";

const ANALYZE_AND_DIE = join(import.meta.dirname, "../../dist/analyse-and-die.js");

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))(
  "two servers, with PostgreSQL's programs in /usr/lib/postgresql",
  () => {
    let postgres: TestPostgres;
    beforeAll(async () => {
      postgres = await startPostgres(POSTGRES_PROGRAMS);
    });
    afterAll(() => postgres.end());

    let place: SharedPlace;
    let north: TestServer;
    let south: TestServer;
    beforeEach(async () => {
      place = await sharedPlace(await postgres.newPlace());
      north = await place.open("north");
      south = await place.open("south");
    });
    afterEach(() => place.end());

    /** A capture with a file. @returns its id */
    async function captureAt({ captures }: TestServer, name = "Night"): Promise<string> {
      const { id } = await captures.create(name);
      await captures.files.receive(id, "a.xel", bytesOf("abc"));
      return id;
    }
    const stateAt = async ({ captures }: TestServer, id: string): Promise<Capture["state"]> =>
      (await captures.get(id)).state;
    const begun = ({ analyzer }: TestServer, count = 1) => until(() => analyzer.analyses.length === count);
    const progress = (phase: Progress["phase"]): Progress => ({
      phase,
      bytesDone: 1,
      bytesTotal: 3,
      events: 2,
      blocks: 1,
      files: [],
    });
    /** News of the capture at a server from now on. */
    function newsAt({ captures }: TestServer, id: string): CaptureNews[] {
      const news: CaptureNews[] = [];
      captures.analyses.watch(id, (one) => news.push(one));
      return news;
    }

    test("have the same captures and files, and both change them", async () => {
      const { body: capture } = await request(north.app)
        .post("/api/v1/captures")
        .send({ name: "Night" })
        .expect(201);
      await request(south.app)
        .post(`/api/v1/captures/${capture.id}/files?name=a.xel`)
        .type("application/octet-stream")
        .send("abc")
        .expect(201);
      const { body } = await request(north.app).get(`/api/v1/captures/${capture.id}`).expect(200);
      expect(body).toMatchObject({ name: "Night", files: [{ name: "a.xel", size: 3 }] });
    });

    test("count unclaimed payload bytes where the file was received, and both show those of all captures", async () => {
      const type = { package: "sqlserver", event: "hadr_capture_log_block", offset: 9 };
      for (const [server, bytes] of [
        [north, 400],
        [south, 8],
      ] as const) {
        server.analyzer.recognised.set("a.xel", { unclaimed: [{ ...type, events: 1, bytes }] });
        await captureAt(server, server.name);
      }
      const name = 'aglens_unclaimed_payload_bytes_total{event="hadr_capture_log_block"}';
      for (const [server, bytes] of [
        [north, 400],
        [south, 8],
      ] as const) {
        const { text } = await request(server.app).get("/metrics").expect(200);
        expect(text).toContain(`${name} ${bytes}\n`);
        const { body } = await request(server.app).get("/api/v1/status").expect(200);
        expect(body.server.unclaimed).toMatchObject({
          files: 2,
          bytes: 408,
          types: [{ events: 2, bytes: 408 }],
        });
      }
    });

    test("that start with captures whose files were misread analyze each once", async () => {
      const descriptor = "0000001e-0010-0000-2e00-000010000000";
      const ids: string[] = [];
      for (const [server, dropped] of [
        [north, { values: 0, bytes: 0 }],
        [south, { values: 0, bytes: 16 }],
      ] as const) {
        server.analyzer.recognised.set("a.xel", { replicaId: descriptor, dropped });
        const id = await captureAt(server, server.name);
        await server.captures.analyses.start(id);
        await begun(server);
        elementAt(server.analyzer.analyses, 0).finish();
        await until(async () => (await stateAt(server, id)) === "ready");
        ids.push(id);
      }
      const [kept = "", overwritten = ""] = ids;
      await north.close();
      await south.close();
      [north, south] = await Promise.all([place.open("north"), place.open("south")]);
      const analyses = () => [...north.analyzer.analyses, ...south.analyzer.analyses];
      await until(() => analyses().length === 1);
      elementAt(analyses(), 0).finish();
      for (const server of [north, south]) {
        await until(async () => (await stateAt(server, kept)) === "ready");
        expect((await server.captures.get(kept)).files[0]?.replicaId).toBeNull();
        expect(await server.captures.get(overwritten)).toMatchObject({
          state: "failed",
          problem: { code: "files-overwritten" },
        });
      }
      expect(analyses()).toHaveLength(1);
    });

    test("see one analysis: how far it is, its first picture and its end", async () => {
      const id = await captureAt(north);
      const news = newsAt(south, id);
      await north.captures.analyses.start(id);
      await begun(north);
      expect(await stateAt(south, id)).toBe("analysing");
      const analysis = elementAt(north.analyzer.analyses, 0);
      analysis.preview(new Uint8Array([9]));
      analysis.report(progress("join"));
      await until(async () => (await south.captures.get(id)).progress?.phase === "join");
      expect([...(await south.captures.analyses.preview(id))]).toEqual([9]);
      const { body: library } = await request(south.app).get("/api/v1/library?view=all").expect(200);
      expect(library.captures).toMatchObject([{ id, state: "analysing", progress: { phase: "join" } }]);
      const { body: status } = await request(south.app).get("/api/v1/status").expect(200);
      expect(status.jobs).toMatchObject([{ captureId: id, phase: "join", waiting: null }]);
      analysis.finish();
      await until(async () => (await stateAt(south, id)) === "ready");
      await until(() => news.at(-1)?.news === "ready");
      expect(news.map((one) => (one.news === "progress" ? one.progress.phase : one.news))).toContain("join");
      expect(await south.captures.get(id)).toMatchObject({
        progress: null,
        verdict: "Commits wait for the network.",
      });
      expect(south.analyzer.analyses).toEqual([]);
    });

    test("of both that are asked at once one begins it, and no other changes its files meanwhile", async () => {
      const id = await captureAt(north);
      const [file] = (await north.captures.get(id)).files;
      const ends = await Promise.allSettled([
        north.captures.analyses.start(id),
        south.captures.analyses.start(id),
      ]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      for (const { captures } of [north, south]) {
        await expect(captures.files.remove(id, file?.id ?? "")).rejects.toThrow("is being analyzed");
        await expect(captures.split(id)).rejects.toThrow("is being analyzed");
        await expect(captures.files.receive(id, "b.xel", bytesOf("b"))).rejects.toThrow("is being analyzed");
      }
      await until(() => north.analyzer.analyses.length + south.analyzer.analyses.length === 1);
    });

    test("run what the other has no room for, in the order in which it was asked for", async () => {
      const east = await place.open("east", {}, {}, EAGER);
      north.analyzer.mayBegin = () => north.analyzer.analyses.length === 0;
      east.analyzer.mayBegin = () => false;
      const [first, second, third] = [
        await captureAt(north, "1"),
        await captureAt(north, "2"),
        await captureAt(south, "3"),
      ];
      for (const id of [first, second, third]) await north.captures.analyses.start(id);
      await begun(north);
      await until(async () => (await south.captures.get(third)).progress?.waiting?.place === 2);
      expect((await south.captures.get(second)).progress?.waiting).toEqual({
        place: 1,
        reason: "1 analysis runs on 1 server; the next server that has room takes it.",
      });
      expect((await south.captures.get(third)).progress?.waiting?.reason).toBe(
        "1 analysis runs on 1 server and 1 wait before it.",
      );
      const { body: status } = await request(south.app).get("/api/v1/status").expect(200);
      expect(status.jobs.map(({ captureId }: { readonly captureId: string }) => captureId)).toEqual([
        first,
        second,
        third,
      ]);
      expect(status.server.analyses.waiting).toBe(2);
      east.analyzer.mayBegin = () => east.analyzer.analyses.length < 2;
      await begun(east, 2);
      expect(east.analyzer.analyses.map(({ request: { files } }) => files[0]?.path)).toEqual([
        expect.stringContaining(second),
        expect.stringContaining(third),
      ]);
      elementAt(east.analyzer.analyses, 0).fail(new AnalysisError("no-primary", "There is no primary."));
      await until(async () => (await stateAt(north, second)) === "failed");
      expect((await north.captures.get(second)).problem?.detail).toBe("There is no primary.");
    });

    test("cancel each other's analyses, those that wait too", async () => {
      north.analyzer.mayBegin = () => north.analyzer.analyses.length === 0;
      south.analyzer.mayBegin = () => false;
      const [running, waiting] = [await captureAt(north), await captureAt(north)];
      const news = newsAt(north, running);
      for (const id of [running, waiting]) await north.captures.analyses.start(id);
      await begun(north);
      for (const id of [waiting, running]) {
        expect(await south.captures.analyses.cancel(id)).toMatchObject({
          state: "receiving",
          progress: null,
        });
        expect(await stateAt(north, id)).toBe("receiving");
        await expect(north.captures.analyses.cancel(id)).rejects.toThrow(
          "No analysis of this capture is running",
        );
      }
      expect(elementAt(north.analyzer.analyses, 0).cancelled).toBe(true);
      await until(() => news.at(-1)?.news === "failed");
      expect(news.at(-1)).toMatchObject({ problem: { code: "cancelled" } });
      // It can be begun again, by either.
      await south.captures.analyses.start(running);
    });

    test("delete what the other analyses: its end writes nothing", async () => {
      const id = await captureAt(north);
      await north.captures.analyses.start(id);
      await begun(north);
      await south.captures.trash.deleteForGood(id);
      expect(elementAt(north.analyzer.analyses, 0).cancelled).toBe(true);
      await expect(north.captures.get(id)).rejects.toMatchObject({ problem: { code: "capture-not-found" } });
    });

    test("that ends gives its analyses to the other at once", async () => {
      const id = await captureAt(north);
      await north.captures.analyses.start(id);
      await begun(north);
      await north.close();
      expect(elementAt(north.analyzer.analyses, 0).cancelled).toBe(true);
      await begun(south);
      elementAt(south.analyzer.analyses, 0).finish();
      await until(async () => (await stateAt(south, id)) === "ready");
    });

    test("that end in order one after the other count as none that was lost with an analysis", async () => {
      const id = await captureAt(north);
      await north.captures.analyses.start(id);
      await begun(north);
      await north.close();
      await begun(south);
      const east = await place.open("east");
      await south.close();
      await begun(east);
      expect(await stateAt(east, id)).toBe("analysing");
    });

    test("whose lease ran out has its analysis taken over, and what it made of it is thrown away", async () => {
      const silent = await place.open("silent", {}, {}, SILENT);
      const id = await captureAt(silent);
      await silent.captures.analyses.start(id);
      await begun(silent);
      const east = await place.open("east", {}, {}, EAGER);
      await begun(east);
      elementAt(silent.analyzer.analyses, 0).finish({ verdict: "Too late." });
      await until(() => silent.captures.analyses.progressOf(id) !== null);
      expect(await stateAt(silent, id)).toBe("analysing");
      elementAt(east.analyzer.analyses, 0).finish({ verdict: "In time." });
      await until(async () => (await stateAt(silent, id)) === "ready");
      expect((await silent.captures.get(id)).verdict).toBe("In time.");
    });

    test.each(["is stored", "has failed"])(
      "of which one stood still while it made a capture into two undo nothing when that %s late",
      async (end) => {
        const silent = await place.open("silent", {}, {}, SILENT);
        recognizeTwoGroups(silent.analyzer);
        const { id } = await silent.captures.create("Night");
        for (const name of ["night.xel", "day.xel", "ag.xml"])
          await silent.captures.files.receive(id, name, bytesOf(`content of ${name}`));
        const all = async () => (await south.captures.list(50, { fewestFiles: 0 })).captures;
        const { records } = silent.captures;
        const endPlan = records.endPlan.bind(records);
        vi.spyOn(records, "endPlan").mockImplementationOnce(async (...plan) => {
          await until(async () => {
            await south.captures.sweep();
            return (await all()).length === 2;
          });
          if (end === "has failed") throw new Error("There is no such blob to copy.");
          await endPlan(...plan);
        });
        await expect(silent.captures.split(id)).rejects.toThrow("Try again in a moment");
        for (const part of await all()) {
          const { files } = await south.captures.get(part.id);
          expect(files).toHaveLength(2);
          for (const file of files)
            expect(await readFile(south.captures.files.pathOf(part.id, file.id), "utf8")).toBe(
              `content of ${file.name}`,
            );
        }
      },
    );

    test("that one after the other are lost with an analysis are not followed by a third", async () => {
      const one = await place.open("one", {}, {}, SILENT);
      one.analyzer.mayBegin = () => one.analyzer.analyses.length === 0;
      const id = await captureAt(one);
      await one.captures.analyses.start(id);
      await begun(one);
      const other = await place.open("other", {}, {}, { ...SILENT, headStartMs: 0 });
      other.analyzer.mayBegin = () => other.analyzer.analyses.length === 0;
      await begun(other);
      const east = await place.open("east", {}, {}, EAGER);
      await until(async () => (await stateAt(north, id)) === "failed");
      expect((await north.captures.get(id)).problem?.detail).toContain(
        "ended unexpectedly twice while it analyzed",
      );
      expect(east.analyzer.analyses).toEqual([]);
    });

    test.each(["asked", "begun", "storing"])(
      "of which one is killed when an analysis is %s lose nothing: the other takes it over",
      async (moment) => {
        const id = await captureAt(north);
        const args = [ANALYZE_AND_DIE, place.directory, place.catalogue, id, moment];
        const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
        const errors = text(child.stderr);
        const [, signal] = (await once(child, "exit")) as [number | null, string | null];
        expect(signal, await errors).toBe("SIGKILL");
        expect(await stateAt(north, id)).toBe("analysing");
        const east = await place.open("east", {}, {}, EAGER);
        await begun(east);
        elementAt(east.analyzer.analyses, 0).finish();
        await until(async () => (await stateAt(south, id)) === "ready");
        expect(east.analyzer.analyses).toHaveLength(1);
      },
    );

    test("whose database goes away at the end of an analysis do it again, and do not call it failed", async () => {
      const east = await place.open("east", {}, {}, { ...QUICK, leaseMs: 300 });
      const id = await captureAt(east);
      await east.captures.analyses.start(id);
      await begun(east);
      const back = postgres.restart();
      elementAt(east.analyzer.analyses, 0).finish();
      await back;
      await until(async () => {
        for (const analysis of east.analyzer.analyses) analysis.finish();
        const state = await stateAt(south, id).catch(() => "analysing");
        expect(["analysing", "ready"]).toContain(state);
        return state === "ready";
      });
    });

    test("do not take each other's analyses for cut off when they start", async () => {
      const id = await captureAt(north);
      await north.captures.analyses.start(id);
      await begun(north);
      const third = await place.open("third");
      expect(await stateAt(third, id)).toBe("analysing");
      elementAt(north.analyzer.analyses, 0).finish();
      await until(async () => (await stateAt(third, id)) === "ready");
      expect(third.analyzer.analyses).toEqual([]);
    });
  },
);

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
