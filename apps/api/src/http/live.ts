import type { Request, Response, Router } from "express";
import {
  FirstContactRequest,
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
import { whereIs } from "../live/server/connection.ts";
import type { MayForget } from "../live/server/left-sessions.ts";
import { hasRole } from "../access/rules.ts";
import { noteInAudit, ownerOf, personOf } from "./guard.ts";
import { beginEvents, sendEvent } from "./event-stream.ts";

/** Who may stop, mark and keep alive a run shows the key it was given when it began the run. */
export const CONTROL_HEADER = "x-aglens-control";

interface OfReplica {
  readonly id: string;
  readonly index: string;
}
const SessionId = z.number().int().min(1).max(65_535);

/** Who left a session takes it off the list, and admins do; anybody where nobody signs in. */
function mayForget(response: Response): MayForget {
  const person = personOf(response);
  return (owner) => person === null || hasRole(person, "admin") || owner?.id === person.id;
}

/**
 * Attaching to servers: what may be attached, what a server says, leftovers, runs. What is sent to a server, and what is read of
 * people's statements, is in the audit log before it is done: what can't be noted isn't done.
 */
export function addLiveRoutes(router: Router, live: Live): void {
  const controlled = (request: Request<{ id: string }>): LiveRun =>
    live.controlled(request.params.id, request.get(CONTROL_HEADER));

  const opened = async (request: Request<{ id: string }>, response: Response): Promise<LiveRun> => {
    const run = live.run(request.params.id);
    await noteInAudit(response, "opened a live run of", run.names.join(", "));
    return run;
  };

  router.get("/live/allowance", (_request, response) => {
    response.json(live.allowance());
  });

  router.get("/live/leftovers", async (_request, response) => {
    response.json(await live.leftSessions(mayForget(response)));
  });

  router.delete("/live/leftovers/:id", async (request: Request<{ id: string }>, response) => {
    await live.forgetLeftSession(request.params.id, mayForget(response), (what) =>
      noteInAudit(response, "took off the list of left sessions", what),
    );
    response.status(204).end();
  });

  router.post("/live/checks", async (request, response) => {
    const wanted = LiveCheckRequest.parse(request.body);
    live.expectAllowed(wanted.server);
    await noteInAudit(response, "checked", whereIs(wanted.server));
    response.json(await live.check(wanted));
  });

  router.post("/live/first-contacts", async (request, response) => {
    const wanted = FirstContactRequest.parse(request.body);
    live.expectAllowed(wanted.server);
    await noteInAudit(response, "checked every statement of", whereIs(wanted.server));
    const gone = new AbortController();
    const contact = await live.contacts.begin(wanted, gone.signal, ownerOf(response));
    const send = (event: string, value: object): void => {
      if (!response.destroyed) sendEvent(response, event, JSON.stringify(value));
    };
    beginEvents(response, () => gone.abort());
    send(
      "report",
      await contact((progress) => {
        send("progress", progress);
      }),
    );
    response.end();
  });

  router.post("/live/leftovers/removal", async (request, response) => {
    const wanted = LeftoverRemoval.parse(request.body);
    live.expectAllowed(wanted.server);
    await noteInAudit(
      response,
      "removed sessions from",
      `${whereIs(wanted.server)}: ${wanted.names.join(", ")}`,
    );
    response.json({ removed: await live.removeLeftovers(wanted) });
  });

  router.post("/live/runs", async (request, response) => {
    const created = await live.create(NewLiveRun.parse(request.body), ownerOf(response), (what) =>
      noteInAudit(response, "attached live to", what),
    );
    response.status(201).location(`/api/v1/live/runs/${created.id}`).json(created);
  });

  router.get("/live/runs/:id", async (request, response) => {
    response.json(await (await opened(request, response)).whole());
  });

  router.get("/live/runs/:id/events", async (request, response) => {
    const { db } = LiveFollow.parse(request.query);
    await follow(await opened(request, response), db ?? null, response);
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
    const run = controlled(request);
    const captureId = await run.keepLast(minutes);
    await noteInAudit(response, "kept the last minutes of", run.names.join(", "));
    response.status(201).json({ captureId });
  });

  router.post("/live/runs/:id/stop-after", (request: Request<{ id: string }>, response) => {
    controlled(request).stopAfter(LiveStopAfter.parse(request.body).minutes);
    response.status(204).end();
  });

  router.post("/live/runs/:id/replicas", async (request: Request<{ id: string }>, response) => {
    const replica = NewLiveReplica.parse(request.body);
    controlled(request);
    live.expectAllowed(replica.server);
    await noteInAudit(response, "attached live to", whereIs(replica.server));
    const index = live.addReplica(request.params.id, request.get(CONTROL_HEADER), replica);
    response.status(201).json({ index });
  });

  router.post("/live/runs/:id/replicas/:index/retry", async (request: Request<OfReplica>, response) => {
    const run = controlled(request);
    const index = Number(request.params.index);
    await noteInAudit(response, "attached live again to", run.nameOf(index));
    run.tryAgain(index);
    response.status(204).end();
  });

  router.get(
    "/live/runs/:id/replicas/:index/sessions/:session",
    async (request: Request<OfReplica & { session: string }>, response) => {
      const { index, session } = request.params;
      const run = controlled(request);
      const number = SessionId.parse(Number(session));
      await noteInAudit(response, "read a statement on", `${run.nameOf(Number(index))}, session ${number}`);
      response.set("cache-control", "no-store");
      response.json({ text: await run.lastStatement(Number(index), number) });
    },
  );

  router.post("/live/runs/:id/stop", async (request: Request<{ id: string }>, response) => {
    const { keep } = LiveStop.parse(request.body);
    const run = controlled(request);
    const captureId = await run.stop(keep);
    await noteInAudit(
      response,
      keep ? "kept the live run of" : "discarded the live run of",
      run.names.join(", "),
    );
    response.json({ captureId });
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
