import type { Request, Response, Router } from "express";
import { MODEL_FILES } from "@aglens/contract";
import type { Encoding, SharedAnswer } from "../captures/answer-cache.ts";
import type { Answers } from "../captures/answers.ts";
import type { Question } from "../captures/questions.ts";
import { ARROW } from "./media.ts";
import {
  CommitQuery,
  FindQuery,
  OverviewQuery,
  RowParameter,
  SlowestQuery,
  StatisticsQuery,
  WhatIfQuery,
  WindowQuery,
} from "./parameters.ts";
import { problem } from "../problems.ts";

/** What screens ask of an analysed capture. */
export function addAnswerRoutes(router: Router, answers: Answers): void {
  const answerTo = (path: string, question: (request: Request<{ id: string }>) => Question): void => {
    router.get(`/captures/:id/${path}`, async (request: Request<{ id: string }>, response) => {
      const answer = await answers.ask(request.params.id, question(request), gone(response));
      if (answer === null) return;
      await sendShared(request, response, answer);
    });
  };

  router.get("/captures/:id/summary", async (request, response) => {
    response.json(await answers.summary(request.params.id));
  });
  answerTo("overview", ({ query }) => ({ ask: "overview", ...OverviewQuery.parse(query) }));
  answerTo("window", ({ query }) => ({ ask: "window", ...WindowQuery.parse(query) }));
  answerTo("commits", ({ query }) => ({ ask: "commits", ...CommitQuery.parse(query) }));
  answerTo("markers", () => ({ ask: "markers" }));
  answerTo("statistics", ({ query }) => ({ ask: "statistics", ...StatisticsQuery.parse(query) }));
  answerTo("slowest", ({ query }) => {
    const { descending, ...wanted } = SlowestQuery.parse(query);
    return { ask: "slowest", ...wanted, descending: descending === "true" };
  });
  answerTo("find", ({ query }) => ({ ask: "find", ...FindQuery.parse(query) }));
  answerTo("waiting", () => ({ ask: "waiting" }));
  answerTo("what-if", ({ query }) => {
    const { change, list } = WhatIfQuery.parse(query);
    return { ask: "whatIf", change, list: list === "true" };
  });
  answerTo("blocks/:row", ({ params }) => {
    const row = RowParameter.safeParse((params as { row?: string }).row);
    if (!row.success) throw problem("block-not-found", "A log block is asked for by its row number.");
    return { ask: "sequence", row: row.data };
  });

  router.get("/captures/:id/tables/:name", async (request, response, next) => {
    const { id, name } = request.params;
    if (!TABLES.includes(name)) {
      throw problem("table-not-found", `There is no table of that name; there are ${TABLES.join(", ")}.`);
    }
    const path = await answers.tablePath(id, name);
    // What is stored is what is served.
    // The name's own extension has no type of its own that a client would know.
    response.attachment(name).type(ARROW);
    response.sendFile(path, { dotfiles: "allow", lastModified: false }, (error) => {
      if (error) next(error);
    });
  });
}

/** Sends an answer in the encoding that the client takes; each encoding of an answer is made once for all who ask. */
async function sendShared(request: Request, response: Response, answer: SharedAnswer): Promise<void> {
  const encoding = answer.encodingOf(acceptedEncoding(request));
  response.type(answer.type === "json" ? "json" : ARROW).vary("Accept-Encoding");
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

/** Whole tables by the name they are downloaded under. */
const TABLES: readonly string[] = MODEL_FILES.filter((name) => name.endsWith(".arrow"));

/** Fires when the client has gone away before its answer. */
function gone(response: Response): AbortSignal {
  const abort = new AbortController();
  response.on("close", () => abort.abort());
  return abort.signal;
}
