/** Addresses for operators of the service: liveness, readiness and metrics. */
import type { Express, Request } from "express";
import type { Logger } from "pino";
import type { Metrics } from "../status/metrics.ts";
import { problem, ProblemError } from "@aglens/engine/problems";
import { logOf } from "./request-log.ts";

/** A check of a part that the service needs; its error contains the fault. */
export type ReadyCheck = () => void | Promise<void>;

interface Probes {
  readonly isEnding: () => boolean;
  /** By the names that are shown: disk, catalog, threads. */
  readonly checks: Readonly<Record<string, ReadyCheck>>;
}

interface Measured {
  readonly metrics: Metrics;
  /** Whether the sender of the request may read the metrics. */
  readonly mayMeasure: (request: Request) => Promise<boolean>;
}

/** Adds /healthz and /readyz. */
export function addProbeRoutes(app: Express, { isEnding, checks }: Probes): void {
  app.get("/healthz", (_request, response) => {
    response.set("cache-control", "no-store").json({ status: "ok" });
  });

  app.get("/readyz", async (_request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, await resultOf(check, logOf(response))] as const,
      ),
    );
    const isReady = !isEnding() && results.every(([, result]) => result === "ok");
    response
      .status(isReady ? 200 : 503)
      .set("cache-control", "no-store")
      .json({
        status: isEnding() ? "ending" : isReady ? "ready" : "not ready",
        checks: Object.fromEntries(results),
      });
  });
}

/** Adds /metrics. */
export function addMetricsRoute(app: Express, { metrics, mayMeasure }: Measured): void {
  app.get("/metrics", async (request, response) => {
    if (!(await mayMeasure(request))) {
      throw problem(
        "sign-in-needed",
        "Metrics need an access token of any role: set it as the credentials of the scrape configuration.",
      );
    }
    response
      .set({ "cache-control": "no-store", "content-type": metrics.registry.contentType })
      .send(await metrics.text());
  });
}

/** "ok", or a sentence that names only the fault: the sender need not be signed in. */
async function resultOf(check: ReadyCheck, log: Logger): Promise<string> {
  try {
    await check();
    return "ok";
  } catch (error) {
    log.error({ err: error }, "not ready");
    return error instanceof ProblemError ? error.problem.title : "cannot be used; the log says why";
  }
}
