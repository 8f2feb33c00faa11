import type { Request, Response, Router } from "express";
import {
  LeftoverRemoval,
  LiveCheckRequest,
  LiveFollow,
  LiveKeepLast,
  LiveStop,
  LiveStopAfter,
  NewLiveMark,
  NewLiveReplica,
  NewLiveRun,
} from "@aglens/contract";
import { z } from "zod";
import type { Live } from "../live/live.ts";
import type { LiveRun } from "../live/run/run.ts";
import { ownerOf } from "./guard.ts";
import { beginEvents, sendEvent } from "./event-stream.ts";

/** Who may stop, mark and keep alive a run shows the key it was given when it began the run. */
export const CONTROL_HEADER = "x-aglens-control";

interface OfReplica {
  readonly id: string;
  readonly index: string;
}
const SessionId = z.number().int().min(1).max(65_535);

/** Attaching to servers: what may be attached, what a server says, leftovers, runs. */
export function addLiveRoutes(router: Router, live: Live): void {
  const controlled = (request: Request<{ id: string }>): LiveRun =>
    live.controlled(request.params.id, request.get(CONTROL_HEADER));

  router.get("/live/allowance", (_request, response) => {
    response.json(live.allowance());
  });

  router.get("/live/leftovers", async (_request, response) => {
    response.json(await live.leftSessions());
  });

  router.delete("/live/leftovers/:id", async (request: Request<{ id: string }>, response) => {
    await live.forgetLeftSession(request.params.id);
    response.status(204).end();
  });

  router.post("/live/checks", async (request, response) => {
    response.json(await live.check(LiveCheckRequest.parse(request.body)));
  });

  router.post("/live/leftovers/removal", async (request, response) => {
    response.json({ removed: await live.removeLeftovers(LeftoverRemoval.parse(request.body)) });
  });

  router.post("/live/runs", async (request, response) => {
    const created = await live.create(NewLiveRun.parse(request.body), ownerOf(response));
    response.status(201).location(`/api/v1/live/runs/${created.id}`).json(created);
  });

  router.get("/live/runs/:id", async (request, response) => {
    response.json(await live.run(request.params.id).whole());
  });

  router.get("/live/runs/:id/events", async (request, response) => {
    const { db } = LiveFollow.parse(request.query);
    await follow(live.run(request.params.id), db ?? null, response);
  });

  router.post("/live/runs/:id/presence", (request: Request<{ id: string }>, response) => {
    controlled(request).present();
    response.status(204).end();
  });

  router.post("/live/runs/:id/marks", (request: Request<{ id: string }>, response) => {
    const { label, byRule } = NewLiveMark.parse(request.body);
    response.status(201).json(controlled(request).mark(label, byRule));
  });

  router.post("/live/runs/:id/captures", async (request: Request<{ id: string }>, response) => {
    const { minutes } = LiveKeepLast.parse(request.body);
    response.status(201).json({ captureId: await controlled(request).keepLast(minutes) });
  });

  router.post("/live/runs/:id/stop-after", (request: Request<{ id: string }>, response) => {
    controlled(request).stopAfter(LiveStopAfter.parse(request.body).minutes);
    response.status(204).end();
  });

  router.post("/live/runs/:id/replicas", (request: Request<{ id: string }>, response) => {
    const replica = NewLiveReplica.parse(request.body);
    const index = live.addReplica(request.params.id, request.get(CONTROL_HEADER), replica);
    response.status(201).json({ index });
  });

  router.post("/live/runs/:id/replicas/:index/retry", (request: Request<OfReplica>, response) => {
    controlled(request).tryAgain(Number(request.params.index));
    response.status(204).end();
  });

  router.get(
    "/live/runs/:id/replicas/:index/sessions/:session",
    async (request: Request<OfReplica & { session: string }>, response) => {
      const { index, session } = request.params;
      const run = controlled(request);
      response.set("cache-control", "no-store");
      response.json({ text: await run.lastStatement(Number(index), SessionId.parse(Number(session))) });
    },
  );

  router.post("/live/runs/:id/stop", async (request: Request<{ id: string }>, response) => {
    const { keep } = LiveStop.parse(request.body);
    response.json({ captureId: await controlled(request).stop(keep) });
  });
}

/** Sends the whole picture and then what changes. @param database the one that it shall be of; null: all */
async function follow(run: LiveRun, database: string | null, response: Response): Promise<void> {
  run.expectRoomFor(database);
  let unfollow: (() => void) | null = null;
  let gone = false;
  beginEvents(response, () => {
    gone = true;
    unfollow?.();
  });
  unfollow = await run.follow((json) => sendEvent(response, "picture", json), database);
  // The client may have gone while the first picture was made.
  if (gone) unfollow();
}
