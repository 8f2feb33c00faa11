import type { Request, Response } from "express";
import type { Need } from "../../access/rules.ts";
import type { Encoding, SharedAnswer } from "../../captures/answers/answer-cache.ts";
import * as contract from "@aglens/contract";
import type { z } from "zod";
import type { Answers } from "../../captures/answers/answers.ts";
import { eventHoldsText, QUESTION_ROUTES } from "@aglens/engine/answers";
import type { Question, QuestionRoute } from "@aglens/engine/answers";
import { gone } from "../gone.ts";
import { ARROW, PARQUET, PERFETTO } from "../media.ts";
import { route } from "../route.ts";
import type { Media, Route } from "../route.ts";

/** A capture as an address opens it. */
export interface OpenedCapture {
  readonly captureId: string;
  /** Id that the answers name in the place of the capture's. */
  readonly shownId: string;
  /** Called when the summary was answered: a screen opens with it. */
  readonly onSummary?: () => void;
  /** Removes from an answer the parts that a link does not show. */
  readonly shown?: (schema: z.core.$ZodType, value: unknown) => unknown;
  /** Questions whose answers `shown` changes; all without it. Other answers are shared with all requests. */
  readonly shownAsks?: readonly Question["ask"][];
  /** A question as it may be asked here; absent where any may. */
  readonly asks?: (question: Question) => Question;
  /** A text that was sent, with names as the capture has them. */
  readonly asked?: (text: string) => string;
}

/** Addresses of answers, and the captures that they open. */
export interface AnswerDoor {
  readonly path: "/captures/:id" | "/links/:id";
  readonly needs: Need;
  /** Entry in the audit log for a question for the summary, with which a screen opens. */
  readonly action?: string;
  /** @throws ProblemError without permission */
  open(request: Request<{ id: string }>, response: Response): Promise<OpenedCapture>;
}

/** Captures by their own id; `http/guard.ts` has checked the permission already. */
const CAPTURE_DOOR: AnswerDoor = {
  path: "/captures/:id",
  needs: "see",
  action: "opened",
  open: ({ params: { id } }) => Promise.resolve({ captureId: id, shownId: id }),
};

/** Answer at each address: JSON of a shape, or columns, which contain numbers only. */
const SHAPES: Readonly<Record<string, z.ZodType | Media>> = {
  scope: contract.ScopeSummary,
  overview: contract.Overview,
  window: "arrow",
  commits: "arrow",
  markers: "arrow",
  statistics: contract.RangeStatistics,
  slowest: contract.SlowBlocks,
  hits: contract.Hits,
  "hit-counts": contract.HitCounts,
  find: contract.FoundBlocks,
  distribution: contract.Distribution,
  spread: contract.PercentileSpread,
  releases: contract.Releases,
  replicas: contract.ReplicaRows,
  "slow-commits": contract.SlowCommits,
  "raw-events": contract.RawEvents,
  "event-density": contract.EventDensity,
  waiting: contract.Waiting,
  "what-if": contract.WhatIf,
  "who-waited": contract.WhoWaited,
  evidence: contract.EvidenceAnswer,
  "evidence/samples": contract.EvidenceSamples,
  "blocks/:row": contract.Sequence,
  "export/csv/:table": "csv",
  "export/arrow/:table": "arrow",
  "export/parquet/:table": "parquet",
  "export/perfetto": "perfetto",
};

/** Questions of screens about an analyzed capture, for one kind of address. */
export const answerRoutes = (
  answers: Pick<Answers, "ask" | "summary">,
  door: AnswerDoor = CAPTURE_DOOR,
): Route[] => [
  route({
    method: "get",
    path: `${door.path}/summary`,
    says: "Verdict, replicas, clocks, statistics",
    needs: door.needs,
    ...(door.action === undefined ? {} : { action: door.action }),
    answer: contract.Summary,
    handle: async ({ request, response }) => {
      const { captureId, shownId, shown, onSummary } = await door.open(request, response);
      const summary = { ...(await answers.summary(captureId)), captureId: shownId };
      response.json(shown === undefined ? summary : shown(contract.Summary, summary));
      onSummary?.();
    },
  }),
  ...QUESTION_ROUTES.filter(({ isOwn = false }) => !isOwn || door === CAPTURE_DOOR).map((asked) =>
    questionRoute(asked, answers, door),
  ),
];

function questionRoute(
  { path, says, query, question }: QuestionRoute,
  answers: Pick<Answers, "ask">,
  door: AnswerDoor,
): Route {
  const shape = SHAPES[path];
  if (shape === undefined) throw new Error(`No shape of an answer is known for ${path}.`);
  return route({
    method: "get",
    path: `${door.path}/${path}`,
    says,
    needs: door.needs,
    ...(query === undefined ? {} : { ownQuery: query }),
    answer: shape,
    handle: async ({ request, response }) => {
      const { captureId, shown, shownAsks, asked, asks } = await door.open(request, response);
      const given = inOwnNames(question(request.params, request.query), asked);
      const wanted = asks === undefined ? given : asks(given);
      const isShared = shown === undefined || shownAsks?.includes(wanted.ask) === false;
      const answer = await answers.ask(captureId, isShared ? wanted : withoutText(wanted), gone(response));
      if (answer === null) return;
      if (isShared || typeof shape === "string") await sendShared(request, response, answer);
      else response.json(withText(wanted, shown(shape, await valueOf(answer))));
    },
  });
}

const MEDIA_TYPES = {
  json: "json",
  arrow: ARROW,
  csv: "text/csv",
  parquet: PARQUET,
  perfetto: PERFETTO,
} as const;

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
 * The question without its text: for a link, the text is searched in the shown names. A search in hidden names would
 * reveal whether they contain it.
 */
const withoutText = (question: Question): Question =>
  question.ask === "rawEvents" ? { ...question, text: "" } : question;

/** The answer with only the events that contain the question's text. */
function withText(question: Question, shown: unknown): unknown {
  if (question.ask !== "rawEvents") return shown;
  const answer = shown as contract.RawEvents;
  return { ...answer, events: answer.events.filter((event) => eventHoldsText(event, question.text)) };
}

async function valueOf(answer: SharedAnswer): Promise<unknown> {
  return JSON.parse(Buffer.from(await answer.bytes("identity")).toString());
}
