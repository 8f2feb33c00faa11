/** Steps of a server when it is asked to end. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ROOT } from "../../test/service.ts";
import type { Service } from "./open-service.ts";
import { readConfig } from "../settings/config.ts";
import { startServer } from "./server.ts";

const steps: string[] = [];
const step = (name: string) => (): Promise<void> => {
  steps.push(name);
  return Promise.resolve();
};

vi.mock("../status/metrics.ts", () => ({ addProcessMetrics: () => {} }));
vi.mock("./open-service.ts", () => ({
  openService: (): Promise<Partial<Record<keyof Service, unknown>>> =>
    Promise.resolve({
      rest: step("begins no analysis"),
      drain: { leave: step("says that it ends"), end: step("answers the last requests") },
      close: step("closes its store"),
    }),
}));

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-end-"));
});
afterEach(() => rm(dataDirectory, { recursive: true }));

test("a server that ends begins nothing more before it says so, and closes when all is answered", async () => {
  const config = { ...readConfig({}, ROOT), port: 0, dataDirectory, leaveSeconds: 1 };
  const server = await startServer(config, pino({ level: "silent" }));
  await server.close();
  expect(steps).toEqual([
    "begins no analysis",
    "says that it ends",
    "answers the last requests",
    "closes its store",
  ]);
});
