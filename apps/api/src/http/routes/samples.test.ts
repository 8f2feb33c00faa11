import { readFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { Capture, decodeWindow, Sequence, SlowBlocks, Summary } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

let service: TestService;

beforeEach(async () => {
  service = await testService();
});
afterEach(() => service.end());

describe("samples", () => {
  test("are listed by their folders", async () => {
    const { body } = await request(service.app).get("/api/v1/samples").expect(200);
    expect(body.samples).toContain("slow-network");
  });

  test.each(["nothing", "..", "%2e%2e%2fsrc", "slow-network%2fprimary"])("%s is no sample", async (name) => {
    await request(service.app).post(`/api/v1/samples/${name}`).expect(404);
    expect((await request(service.app).get("/api/v1/captures")).body.captures).toEqual([]);
  });

  test("one becomes a capture that is analyzed right away", async () => {
    const { body } = await request(service.app).post("/api/v1/samples/slow-network").expect(201);
    const capture = Capture.parse(body);
    expect(capture.state).toBe("analysing");
    expect(capture.files.map((file) => file.kind).toSorted()).toEqual([
      "topology",
      "xel",
      "xel",
      "xel",
      "xel",
    ]);
    const at = `/api/v1/captures/${capture.id}`;
    const { text } = await request(service.app).get(`${at}/progress`).expect(200);
    expect(text).toContain("event: ready");

    const summary = Summary.parse((await request(service.app).get(`${at}/summary`).expect(200)).body);
    const truth = JSON.parse(
      await readFile(join(service.config.samplesDirectory, "slow-network/truth.json"), "utf8"),
    ) as { blocks: { blockId: number[] } };
    expect(summary.blocks.total).toBe(truth.blocks.blockId.length);
    expect(summary.replicas.map((replica) => replica.name)).toEqual(["SQL1", "SQL2"]);
    expect(summary.verdict.place).toBe("network");

    const slow = SlowBlocks.parse((await request(service.app).get(`${at}/slowest?limit=1`).expect(200)).body);
    const { body: block } = await request(service.app).get(`${at}/blocks/${slow.rows[0]?.row}`).expect(200);
    expect(new Set(Sequence.parse(block).events.map((event) => event.replica))).toEqual(new Set([0, 1]));
  });

  test("a capture has a picture of all blocks once it is analyzed, and not before", async () => {
    const truth = JSON.parse(
      await readFile(join(service.config.samplesDirectory, "slow-network/truth.json"), "utf8"),
    ) as { blocks: { blockId: number[] } };
    const blocksAt = async (path: string): Promise<number> => {
      const { body } = await request(service.app).get(path).responseType("blob").expect(200);
      const picture = decodeWindow(new Uint8Array(body as Buffer));
      return picture.detail === "bins" ? picture.count.reduce((sum, count) => sum + count, 0) : -1;
    };
    const empty = (await request(service.app).post("/api/v1/captures").send({})).body.id as string;
    await request(service.app).get(`/api/v1/captures/${empty}/preview`).expect(409);
    const { id } = (await request(service.app).post("/api/v1/samples/slow-network").expect(201)).body;
    await request(service.app).get(`/api/v1/captures/${id}/progress`).expect(200);
    expect(await blocksAt(`/api/v1/captures/${id}/preview`)).toBe(truth.blocks.blockId.length);
  });

  test("a running analysis can be cancelled and started again", async () => {
    const { id } = (await request(service.app).post("/api/v1/samples/slow-network").expect(201)).body;
    const cancelled = await request(service.app).delete(`/api/v1/captures/${id}/analysis`).expect(200);
    expect(cancelled.body).toMatchObject({ state: "receiving", progress: null, problem: null });
    await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
    const { text } = await request(service.app).get(`/api/v1/captures/${id}/progress`).expect(200);
    expect(text).toContain("event: ready");
  });
});
