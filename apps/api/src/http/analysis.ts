import type { Response, Router } from "express";
import type { CaptureNews } from "../captures/analyses.ts";
import type { Quotas } from "../access/quotas.ts";
import type { Captures } from "../captures/captures.ts";
import { beginEvents, sendEvent } from "./event-stream.ts";
import { ARROW } from "./media.ts";
import { problemDocument } from "@aglens/engine/problems";

/** Starting, cancelling and watching the analysis of a capture. */
export function addAnalysisRoutes(router: Router, captures: Captures, quotas: Quotas): void {
  router.post("/captures/:id/analysis", (request, response) => {
    quotas.expectAnalysis(captures.records.get(request.params.id));
    response.status(202).json(captures.analyses.start(request.params.id));
  });

  router.delete("/captures/:id/analysis", async (request, response) => {
    response.json(await captures.analyses.cancel(request.params.id));
  });

  router.get("/captures/:id/preview", async (request, response) => {
    response.type(ARROW).send(Buffer.from(await captures.analyses.preview(request.params.id)));
  });

  router.get("/captures/:id/progress", (request, response) => {
    const { id } = request.params;
    const capture = captures.get(id);
    let stopWatching = (): void => {};
    beginEvents(response, () => stopWatching());
    if (capture.state === "ready") return sendLast(response, { news: "ready", capture });
    if (capture.state === "failed") {
      return sendLast(response, {
        news: "failed",
        problem: capture.problem ?? problemDocument("analysis-failed", "The analysis failed."),
      });
    }
    stopWatching = follow(response, captures, id);
    if (capture.progress) send(response, { news: "progress", progress: capture.progress });
  });
}

function follow(response: Response, captures: Captures, id: string): () => void {
  return captures.analyses.watch(id, (news) => {
    if (news.news === "progress") send(response, news);
    else sendLast(response, news);
  });
}

function send(response: Response, news: CaptureNews): void {
  sendEvent(response, news.news, JSON.stringify(payload(news)));
}

function sendLast(response: Response, news: CaptureNews): void {
  send(response, news);
  response.end();
}

function payload(news: CaptureNews): unknown {
  if (news.news === "progress") return news.progress;
  return news.news === "ready" ? news.capture : news.problem;
}
