import type { Response } from "express";
import { Capture, Problem, Progress, ReadyCapture } from "@aglens/contract";
import type { CaptureNews } from "../../captures/life/analyses.ts";
import type { Answers } from "../../captures/answers/answers.ts";
import type { Quotas } from "../../access/quotas.ts";
import type { Captures } from "../../captures/captures.ts";
import { semaphore } from "../../kernel/semaphore.ts";
import { beginEvents, sendEvent } from "../event-stream.ts";
import { ARROW } from "../media.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";
import { problemDocument } from "@aglens/engine/problems";

/** Starting, cancelling and watching the analysis of a capture. */
export function analysisRoutes(
  captures: Captures,
  answers: Pick<Answers, "summary">,
  quotas: Quotas,
): Route[] {
  // One after the other: each counts those that have begun.
  const inTurn = semaphore(1);
  return [
    route({
      method: "post",
      path: "/captures/:id/analysis",
      says: "Start the analysis",
      needs: "change",
      action: "analysed",
      status: 202,
      answer: Capture,
      handle: ({ params: { id } }) =>
        inTurn(async () => {
          await quotas.expectAnalysis(await captures.records.get(id));
          return captures.analyses.start(id);
        }),
    }),
    route({
      method: "delete",
      path: "/captures/:id/analysis",
      says: "Cancel the analysis",
      needs: "change",
      answer: Capture,
      handle: ({ params: { id } }) => captures.analyses.cancel(id),
    }),
    route({
      method: "get",
      path: "/captures/:id/preview",
      says: "The whole capture in bins, from the analysis while it runs and after it",
      needs: "see",
      answer: "arrow",
      handle: async ({ params: { id }, response }) => {
        response.type(ARROW).send(Buffer.from(await captures.analyses.preview(id)));
      },
    }),
    route({
      method: "get",
      path: "/captures/:id/progress",
      says: "Server-sent events: `progress` (Progress), then `ready` (ReadyCapture) or `failed` (Problem)",
      needs: "see",
      answer: "events",
      events: { progress: Progress, ready: ReadyCapture, failed: Problem },
      handle: ({ params: { id }, response }) => tellOf(id, captures, answers, response),
    }),
  ];
}

/** Sends the progress of a capture's analysis until it has ended. */
async function tellOf(
  id: string,
  captures: Captures,
  answers: Pick<Answers, "summary">,
  response: Response,
): Promise<void> {
  // Watched before it is read: the analysis may end in between.
  const early: CaptureNews[] = [];
  let tell = (news: CaptureNews): void => void early.push(news);
  const stopWatching = captures.analyses.watch(id, (news) => tell(news));
  const capture = await captures.get(id).catch((error: unknown) => {
    stopWatching();
    throw error;
  });
  beginEvents(response, stopWatching);
  const tellLast = async (news: EndNews): Promise<void> => {
    tell = () => {};
    const data = news.news === "ready" ? await withSummary(news.capture, answers) : news.problem;
    sendEvent(response, news.news, JSON.stringify(data));
    response.end();
  };
  if (capture.state === "ready") return tellLast({ news: "ready", capture });
  if (capture.state === "failed") {
    return tellLast({
      news: "failed",
      problem: capture.problem ?? problemDocument("analysis-failed", "The analysis failed."),
    });
  }
  const tellProgress = (progress: Progress): void =>
    sendEvent(response, "progress", JSON.stringify(progress));
  if (capture.progress) tellProgress(capture.progress);
  tell = (news) => (news.news === "progress" ? tellProgress(news.progress) : void tellLast(news));
  for (const news of early) tell(news);
}

type EndNews = Exclude<CaptureNews, { readonly news: "progress" }>;

/** The summary is included, because the page would request it next. */
async function withSummary(capture: Capture, answers: Pick<Answers, "summary">): Promise<ReadyCapture> {
  const summary = await answers.summary(capture.id).catch(() => undefined);
  return { ...capture, ...(summary && { summary }) };
}
