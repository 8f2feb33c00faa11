import type { Response, Router } from "express";
import { encodeCommits, encodeMarkers, encodeWindow, MODEL_FILES } from "xel-parser/contract";
import { commitWindow, findAt, findLsn, overview, rangeStatistics, slowest, window } from "xel-parser/query";
import type { CaptureModel } from "xel-parser/replication";
import type { Answers } from "../captures/answers.ts";
import {
  CommitQuery,
  FindQuery,
  OverviewQuery,
  RowParameter,
  SlowestQuery,
  StatisticsQuery,
  WindowQuery,
} from "./parameters.ts";
import { problem } from "./problem.ts";

const ARROW = "application/vnd.apache.arrow.stream";

/** What screens ask of an analysed capture. */
export function addAnswerRoutes(router: Router, answers: Answers): void {
  router.get("/captures/:id/summary", async (request, response) => {
    response.json(await answers.summary(request.params.id));
  });

  router.get("/captures/:id/overview", async (request, response) => {
    const { bins, secondary, ...asked } = OverviewQuery.parse(request.query);
    const model = await answers.model(request.params.id);
    expectSecondary(model, secondary);
    response.json(overview(model, { ...rangeOf(model, asked), bins, secondary }));
  });

  router.get("/captures/:id/window", async (request, response) => {
    const { limit, bins, ...asked } = WindowQuery.parse(request.query);
    const model = await answers.model(request.params.id);
    sendArrow(response, encodeWindow(window(model, { ...rangeOf(model, asked), limit, bins })));
  });

  router.get("/captures/:id/commits", async (request, response) => {
    const { limit, ...asked } = CommitQuery.parse(request.query);
    const model = await answers.model(request.params.id);
    sendArrow(response, encodeCommits(commitWindow(model, { ...rangeOf(model, asked), limit })));
  });

  router.get("/captures/:id/markers", async (request, response) => {
    const { markers } = await answers.model(request.params.id);
    sendArrow(response, encodeMarkers({ markers }));
  });

  router.get("/captures/:id/statistics", async (request, response) => {
    const asked = StatisticsQuery.parse(request.query);
    const model = await answers.model(request.params.id);
    const range = rangeOf(model, asked);
    response.json({ ...range, ...rangeStatistics(model, range) });
  });

  router.get("/captures/:id/slowest", async (request, response) => {
    const { descending, from, to, ...wanted } = SlowestQuery.parse(request.query);
    const model = await answers.model(request.params.id);
    expectSecondary(model, wanted.secondary);
    try {
      const range = rangeOf(model, { from, to });
      response.json(slowest(model, { ...wanted, ...range, descending: descending === "true" }));
    } catch (error) {
      if (error instanceof RangeError) throw problem("bad-request", error.message);
      throw error;
    }
  });

  router.get("/captures/:id/find", async (request, response) => {
    const { lsn, at } = FindQuery.parse(request.query);
    const model = await answers.model(request.params.id);
    response.json(lsn === undefined ? findAt(model, at ?? 0) : findLsn(model, lsn));
  });

  router.get("/captures/:id/blocks/:row", async (request, response) => {
    const row = RowParameter.safeParse(request.params.row);
    if (!row.success) throw problem("block-not-found", "A log block is asked for by its row number.");
    response.json(await answers.sequence(request.params.id, row.data));
  });

  router.get("/captures/:id/tables/:name", (request, response, next) => {
    const { id, name } = request.params;
    if (!TABLES.includes(name)) {
      throw problem("table-not-found", `There is no table of that name; there are ${TABLES.join(", ")}.`);
    }
    // What is stored is what is served.
    response.type(ARROW).attachment(name);
    response.sendFile(answers.tablePath(id, name), { dotfiles: "allow", lastModified: false }, (error) => {
      if (error) next(error);
    });
  });
}

/** Whole tables by the name they are downloaded under. */
const TABLES: readonly string[] = MODEL_FILES.filter((name) => name.endsWith(".arrow"));

function rangeOf(
  model: CaptureModel,
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): { from: number; to: number } {
  const range = { from: from ?? 0, to: to ?? model.duration };
  if (range.from < range.to) return range;
  throw problem("bad-request", `from (${range.from} µs) must lie before to (${range.to} µs).`);
}

function expectSecondary(model: CaptureModel, secondary: number): void {
  if (secondary < Math.max(1, model.hops.length)) return;
  throw problem(
    "bad-request",
    `The capture has ${model.hops.length} secondaries; there is no number ${secondary}.`,
  );
}

function sendArrow(response: Response, bytes: Uint8Array): void {
  response.type(ARROW).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
