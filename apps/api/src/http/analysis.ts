import type { Response, Router } from "express";
import type { CaptureNews } from "../captures/analyses.ts";
import type { Quotas } from "../access/quotas.ts";
import type { Captures } from "../captures/captures.ts";
import { semaphore } from "../semaphore.ts";
import { beginEvents, sendEvent } from "./event-stream.ts";
import { ARROW } from "./media.ts";
import { problemDocument } from "@aglens/engine/problems";

/** Starting, cancelling and watching the analysis of a capture. */
export function addAnalysisRoutes(router: Router, captures: Captures, quotas: Quotas): void {
  // One after the other: the next counts those that have begun.
  const inTurn = semaphore(1);

  router.post("/captures/:id/analysis", async (request, response) => {
    const { id } = request.params;
    const begun = await inTurn(async () => {
      await quotas.expectAnalysis(await captures.records.get(id));
      return captures.analyses.start(id);
    });
    response.status(202).json(begun);
  });

  router.delete("/captures/:id/analysis", async (request, response) => {
    response.json(await captures.analyses.cancel(request.params.id));
  });

  router.get("/captures/:id/preview", async (request, response) => {
    response.type(ARROW).send(Buffer.from(await captures.analyses.preview(request.params.id)));
  });

  router.get("/captures/:id/beginning/preview", async (request, response) => {
    const { grown } = await captures.analyses.beginning(request.params.id);
    response.type(ARROW).send(Buffer.from(grown?.picture ?? []));
  });

  router.get("/captures/:id/progress", async (request, response) => {
    const { id } = request.params;
    // Watched before it is read: the analysis may end in between.
    const early: CaptureNews[] = [];
    let tell = (news: CaptureNews): void => void early.push(news);
    const stopWatching = captures.analyses.watch(id, (news) => tell(news));
    const capture = await captures.get(id).catch((error: unknown) => {
      stopWatching();
      throw error;
    });
    beginEvents(response, stopWatching);
    if (capture.state === "ready") return sendLast(response, { news: "ready", capture });
    if (capture.state === "failed") {
      return sendLast(response, {
        news: "failed",
        problem: capture.problem ?? problemDocument("analysis-failed", "The analysis failed."),
      });
    }
    if (capture.progress) send(response, { news: "progress", progress: capture.progress });
    tell = (news) => (news.news === "progress" ? send(response, news) : sendLast(response, news));
    for (const news of early) tell(news);
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
