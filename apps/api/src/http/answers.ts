import type { Request, Response, Router } from "express";
import type { Encoding, SharedAnswer } from "../captures/answers/answer-cache.ts";
import * as contract from "@aglens/contract";
import { z } from "zod";
import type { Answers } from "../captures/answers/answers.ts";
import { eventHoldsText, QUESTION_ROUTES } from "@aglens/engine/answers";
import type { Question } from "@aglens/engine/answers";
import { gone } from "./gone.ts";
import { ARROW, PARQUET } from "./media.ts";

/** A capture as an address opens it. */
export interface OpenedCapture {
  readonly captureId: string;
  /** Id that the answers name in the place of the capture's. */
  readonly shownId: string;
  /** Called when the summary was answered: a screen opens with it. */
  readonly onSummary?: () => void;
  /** What is let out of an answer. */
  readonly shown?: (schema: z.core.$ZodType, value: unknown) => unknown;
  /** Questions whose answers `shown` changes; all without it. Others are shared with everybody who asks. */
  readonly shownAsks?: readonly Question["ask"][];
  /** A text that was sent, with names as the capture has them. */
  readonly asked?: (text: string) => string;
}

/** Addresses of answers, and what they open. */
export interface AnswerDoor {
  /** As Express writes it, with `:id`. */
  readonly path: string;
  /** @throws ProblemError for who may not */
  open(request: Request<{ id: string }>, response: Response): Promise<OpenedCapture>;
}

/** By its own id; who may open it was asked before (http/guard.ts). */
const openById: AnswerDoor["open"] = ({ params: { id } }) => Promise.resolve({ captureId: id, shownId: id });

const CAPTURE_DOOR: AnswerDoor = { path: "/captures/:id", open: openById };

/** What an answer in JSON holds. */
const SCHEMAS = {
  scope: contract.ScopeSummary,
  overview: contract.Overview,
  statistics: contract.RangeStatistics,
  slowest: contract.SlowBlocks,
  hits: contract.Hits,
  hitCounts: contract.HitCounts,
  find: contract.FoundBlocks,
  sequence: contract.Sequence,
  rawEvents: contract.RawEvents,
  eventDensity: contract.EventDensity,
  slowCommits: contract.SlowCommits,
  releases: contract.Releases,
  replicaRows: contract.ReplicaRows,
  waiting: contract.Waiting,
  distribution: contract.Distribution,
  spread: contract.PercentileSpread,
  whatIf: contract.WhatIf,
} as const;

/** What screens ask of an analysed capture, behind a door. */
export function addAnswerRoutes(
  router: Router,
  answers: Pick<Answers, "ask" | "summary">,
  door: AnswerDoor = CAPTURE_DOOR,
): void {
  const answerTo = (path: string, question: (request: Request<{ id: string }>) => Question): void => {
    router.get(`${door.path}/${path}`, async (request: Request<{ id: string }>, response) => {
      const { captureId, shown, shownAsks, asked } = await door.open(request, response);
      const wanted = inOwnNames(question(request), asked);
      const isShared = shown === undefined || shownAsks?.includes(wanted.ask) === false;
      const answer = await answers.ask(captureId, isShared ? wanted : withoutText(wanted), gone(response));
      if (answer === null) return;
      if (isShared || answer.type !== "json") await sendShared(request, response, answer);
      else response.json(withText(wanted, shown(schemaOf(wanted.ask), await valueOf(answer))));
    });
  };

  router.get(`${door.path}/summary`, async (request: Request<{ id: string }>, response) => {
    const { captureId, shownId, shown, onSummary } = await door.open(request, response);
    const summary = { ...(await answers.summary(captureId)), captureId: shownId };
    response.json(shown === undefined ? summary : shown(contract.Summary, summary));
    onSummary?.();
  });
  for (const { path, isOwn = false, question } of QUESTION_ROUTES) {
    if (isOwn && door !== CAPTURE_DOOR) continue;
    answerTo(path, ({ params, query }) => question(params, query));
  }
}

const MEDIA_TYPES = { json: "json", arrow: ARROW, csv: "text/csv", parquet: PARQUET } as const;

/** Sends an answer in the encoding that the client takes; each encoding of an answer is made once for all who ask. */
async function sendShared(request: Request, response: Response, answer: SharedAnswer): Promise<void> {
  const encoding = answer.encodingOf(acceptedEncoding(request));
  response.type(MEDIA_TYPES[answer.type]).vary("Accept-Encoding");
  response.set("ETag", answer.tag(encoding));
  if (request.fresh) return void response.status(304).end();
  if (encoding !== "identity") response.set("Content-Encoding", encoding);
  const { buffer, byteOffset, byteLength } = await answer.bytes(encoding);
  response.send(Buffer.from(buffer, byteOffset, byteLength));
}

function acceptedEncoding(request: Request): Encoding {
  const best = request.acceptsEncodings(["br", "gzip", "identity"]);
  return best === "br" || best === "gzip" ? best : "identity";
}

/** The question with names as the capture has them. */
function inOwnNames(question: Question, asked: OpenedCapture["asked"]): Question {
  if (asked === undefined || question.ask !== "whatIf" || question.change === undefined) return question;
  return { ...question, change: asked(question.change) };
}

/**
 * The question without its text: behind a link a text is looked for in what is shown. A search in what is hidden would say
 * whether it is there.
 */
const withoutText = (question: Question): Question =>
  question.ask === "rawEvents" ? { ...question, text: "" } : question;

/** The answer with what holds the question's text. */
function withText(question: Question, shown: unknown): unknown {
  if (question.ask !== "rawEvents") return shown;
  const answer = shown as contract.RawEvents;
  return { ...answer, events: answer.events.filter((event) => eventHoldsText(event, question.text)) };
}

/** What an answer in JSON holds; columns hold numbers only. */
function schemaOf(ask: Question["ask"]): z.core.$ZodType {
  const isColumns = ask === "window" || ask === "commits" || ask === "markers" || ask === "table";
  return isColumns ? z.unknown() : SCHEMAS[ask];
}

async function valueOf(answer: SharedAnswer): Promise<unknown> {
  return JSON.parse(Buffer.from(await answer.bytes("identity")).toString());
}
