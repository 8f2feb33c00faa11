import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import type { Response } from "supertest";
import {
  Capture,
  FoundBlocks,
  decodeCommits,
  decodeMarkers,
  decodeWindow,
  Overview,
  Progress,
  RangeStatistics,
  Sequence,
  SlowBlocks,
  Summary,
} from "@aglens/contract";
import { describeReference } from "@aglens/reference-data";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

/** Figures of the reference capture, found independently of this code. */
interface Expected {
  readonly primary: string;
  readonly secondaries: readonly string[];
  readonly blocks: { readonly primary: number; readonly secondaryOnly: number };
  readonly commits: { readonly count: number };
}

describeReference(
  {
    folder: "captures",
    tests: 9,
    prove: "the API answers for exported rows of a real capture what was found of it by other code",
  },
  (captures) => {
    const FOLDER = join(captures, "2017-two-secondaries");
    let service: TestService;
    let id: string;
    let expected: Expected;
    let events: string;

    beforeAll(async () => {
      service = await testService();
      expected = JSON.parse(await readFile(join(FOLDER, "expected.json"), "utf8"));
      id = (await request(service.app).post("/api/v1/captures").send({ name: "2017" })).body.id;
      for (const role of ["secondary", "primary"]) {
        for (const name of await readdir(join(FOLDER, role))) {
          await request(service.app)
            .post(`/api/v1/captures/${id}/files`)
            .query({ name: `${role}/${name}` })
            .type("application/octet-stream")
            .send(await readFile(join(FOLDER, role, name)))
            .expect(201);
        }
      }
      await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
      // The stream ends automatically when the analysis has ended.
      events = (await request(service.app).get(`/api/v1/captures/${id}/progress`).expect(200)).text;
    });
    afterAll(() => service.end());

    const get = (path: string) => request(service.app).get(`/api/v1/captures/${id}/${path}`);
    const bytesOf = async (path: string): Promise<Uint8Array> => {
      const answer = await get(path).buffer(true).parse(binary).expect(200);
      expect(answer.type).toBe("application/vnd.apache.arrow.stream");
      return answer.body;
    };

    test("progress is reported until it is ready", () => {
      const news = eventsIn(events);
      expect(news.at(-1)?.event).toBe("ready");
      expect(Capture.parse(news.at(-1)?.data)).toMatchObject({ id, state: "ready" });
      for (const { event, data } of news.slice(0, -1)) {
        expect(event).toBe("progress");
        Progress.parse(data);
      }
      // From the second phase on every file is read to its end.
      const last = Progress.parse(news.at(-2)?.data);
      expect(last.bytesDone).toBe(last.bytesTotal);
      for (const { at } of last.files) expect(at).toMatch(/^2017-10-23T20:12:\d\d\.\d{7}Z$/u);
      const phases = news.slice(0, -1).map(({ data }) => Progress.parse(data).phase);
      expect([...new Set(phases)].filter((phase) => phase !== "decode" && phase !== "roles")).toEqual([
        "join",
        "align",
        "measure",
        "verdict",
        "store",
      ]);
      expect(Progress.parse(news.at(-2)?.data).blocks).toBe(
        expected.blocks.primary + expected.blocks.secondaryOnly,
      );
    });

    test("summary has the reference figures", async () => {
      const summary = Summary.parse((await get("summary").expect(200)).body);
      expect(summary).toMatchObject({ captureId: id, name: "2017" });
      expect(summary.replicas.map((replica) => replica.id)).toEqual([
        expected.primary,
        ...expected.secondaries,
      ]);
      expect(summary.blocks).toMatchObject(expected.blocks);
      expect(summary.commits.count).toBe(expected.commits.count);
      const capture = Capture.parse((await request(service.app).get(`/api/v1/captures/${id}`)).body);
      expect(capture.verdict).toBe(summary.verdict.sentence);
    });

    test("overview, statistics and slowest keep to the contract", async () => {
      const overview = Overview.parse((await get("overview?bins=40").expect(200)).body);
      expect(overview.blocks).toHaveLength(40);
      RangeStatistics.parse((await get("statistics?from=0&to=1000000").expect(200)).body);
      const slow = SlowBlocks.parse((await get("slowest?sort=remoteHarden&limit=3").expect(200)).body);
      const hardens = slow.rows.map((row) => row.stages["remoteHarden"] as number);
      expect(hardens).toEqual(hardens.toSorted((a, b) => b - a));
    });

    test("a block is found by its LSN and by its time", async () => {
      const [slow] = SlowBlocks.parse((await get("slowest?limit=1").expect(200)).body).rows;
      const byLsn = FoundBlocks.parse((await get(`find?lsn=${slow?.lsn}`).expect(200)).body);
      expect(byLsn.rows.map(({ row }) => row)).toContain(slow?.row);
      const byTime = FoundBlocks.parse((await get(`find?at=${slow?.time}`).expect(200)).body);
      expect(byTime.rows[0]?.time).toBe(slow?.time);
    });

    test("questions out of bounds are bad requests", async () => {
      for (const path of [
        "overview?secondary=9",
        "overview?bins=0",
        "window?from=5&to=5",
        "slowest?sort=nothing",
        "find",
        "find?at=0&lsn=22:1",
      ]) {
        expect((await get(path).expect(400)).body.code).toBe("bad-request");
      }
      expect((await get("blocks/99999").expect(404)).body.code).toBe("block-not-found");
      expect((await get("blocks/-1").expect(404)).body.code).toBe("block-not-found");
      expect((await get("tables/..%2Fcatalogue.sqlite").expect(404)).body.code).toBe("table-not-found");
    });

    test("windows come as blocks when they fit and as bins when they do not", async () => {
      const blocks = decodeWindow(await bytesOf("window"));
      expect(blocks.detail).toBe("blocks");
      const bins = decodeWindow(await bytesOf("window?limit=10&bins=20"));
      if (bins.detail !== "bins") throw new Error("expected bins");
      expect([bins.length > 10, bins.length <= 21]).toEqual([true, true]);
      expect(decodeCommits(await bytesOf("commits")).commits.length).toBe(expected.commits.count);
      decodeMarkers(await bytesOf("markers"));
    });

    test("a table downloads under its name", async () => {
      const answer = await get("tables/commits.arrow").expect(200);
      expect(answer.headers["content-disposition"]).toBe("attachment; filename=commits.arrow");
    });

    test("a block comes with its raw events, read from the files", async () => {
      const [slowest] = SlowBlocks.parse((await get("slowest?limit=1")).body).rows;
      const sequence = Sequence.parse((await get(`blocks/${slowest?.row}`).expect(200)).body);
      expect(sequence.lsn).toBe(slowest?.lsn);
      const names = new Set(sequence.events.map((event) => event.name));
      // The steps of docs/product: one on each replica, and the way back.
      for (const name of [
        "hadr_capture_log_block",
        "hadr_transport_receive_log_block_message",
        "hadr_receive_harden_lsn_message",
      ]) {
        expect(names).toContain(name);
      }
      expect(sequence.events.find((event) => event.name === "hadr_capture_log_block")?.fields).toHaveProperty(
        "log_block_id",
      );
    });

    test("a changed file takes the analysis back", async () => {
      const { files } = Capture.parse((await request(service.app).get(`/api/v1/captures/${id}`)).body);
      await request(service.app)
        .patch(`/api/v1/captures/${id}/files/${files[0]?.id}`)
        .send({ replica: files[0]?.replica })
        .expect(200);
      expect((await get("summary").expect(409)).body.code).toBe("wrong-state");
    });
  },
);

/** Server-sent events of a complete stream. */
function eventsIn(text: string): { event: string; data: unknown }[] {
  return text
    .split("\n\n")
    .filter((part) => part.startsWith("event: "))
    .map((part) => {
      const [event = "", data = ""] = part.split("\n");
      return {
        event: event.slice("event: ".length),
        data: JSON.parse(data.slice("data: ".length)) as unknown,
      };
    });
}

function binary(response: Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("end", () => done(null, Buffer.concat(chunks)));
}
