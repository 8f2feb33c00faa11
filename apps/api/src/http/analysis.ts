import type { Response, Router } from "express";
import type { CaptureNews, Captures } from "../captures/captures.ts";
import { ARROW } from "./media.ts";
import { problemDocument } from "./problem.ts";

const HEARTBEAT_MS = 15_000;

/** Starting, cancelling and watching the analysis of a capture. */
export function addAnalysisRoutes(router: Router, captures: Captures): void {
  router.post("/captures/:id/analysis", (request, response) => {
    response.status(202).json(captures.startAnalysis(request.params.id));
  });

  router.delete("/captures/:id/analysis", async (request, response) => {
    response.json(await captures.cancelAnalysis(request.params.id));
  });

  router.get("/captures/:id/preview", async (request, response) => {
    response.type(ARROW).send(Buffer.from(await captures.preview(request.params.id)));
  });

  router.get("/captures/:id/progress", (request, response) => {
    const { id } = request.params;
    const capture = captures.get(id);
    response.status(200).set({
      "content-type": "text/event-stream",
      // no-transform also keeps the compression middleware from holding events back.
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
    if (capture.state === "ready") return sendLast(response, { news: "ready", capture });
    if (capture.state === "failed") {
      return sendLast(response, {
        news: "failed",
        problem: capture.problem ?? problemDocument("analysis-failed", "The analysis failed."),
      });
    }
    follow(response, captures, id);
    if (capture.progress) send(response, { news: "progress", progress: capture.progress });
  });
}

function follow(response: Response, captures: Captures, id: string): void {
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  const stopWatching = captures.watch(id, (news) => {
    if (news.news === "progress") send(response, news);
    else sendLast(response, news);
  });
  response.on("close", () => {
    clearInterval(heartbeat);
    stopWatching();
  });
}

function send(response: Response, news: CaptureNews): void {
  response.write(`event: ${news.news}\ndata: ${JSON.stringify(payload(news))}\n\n`);
}

function sendLast(response: Response, news: CaptureNews): void {
  send(response, news);
  response.end();
}

function payload(news: CaptureNews): unknown {
  if (news.news === "progress") return news.progress;
  return news.news === "ready" ? news.capture : news.problem;
}
