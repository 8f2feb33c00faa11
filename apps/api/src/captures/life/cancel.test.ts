import request from "supertest";
import type { Capture, Progress } from "@aglens/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.end());

test.each<Progress["phase"]>(["decode", "join", "align", "measure", "verdict", "store"])(
  "an analysis can be cancelled while it is at %s",
  async (phase) => {
    const { captures } = service;
    const { id } = (await request(service.app).post("/api/v1/samples/slow-network").expect(201)).body as {
      id: string;
    };
    const cancelled = await new Promise<Capture>((resolve, reject) => {
      const stop = captures.analyses.watch(id, (news) => {
        if (news.news === "ready") reject(new Error(`It was never at ${phase}.`));
        if (news.news !== "progress" || news.progress.phase !== phase) return;
        stop();
        resolve(captures.analyses.cancel(id));
      });
    });
    expect(cancelled).toMatchObject({ state: "receiving", verdict: null, progress: null });
    await request(service.app).get(`/api/v1/captures/${id}/summary`).expect(409);
  },
);
