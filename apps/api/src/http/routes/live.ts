import type { Request, Response } from "express";
import {
  ContactProgress,
  FirstContact,
  FirstContactRequest,
  LeftoverRemoval,
  LeftoverRemovalResult,
  LiveAllowance,
  LiveCheck,
  LiveCheckRequest,
  LiveFollow,
  LiveKeepLast,
  LiveLastStatement,
  LiveLeftSessions,
  LiveMark,
  LivePicture,
  LiveReadHealth,
  LiveRunCreated,
  LiveStop,
  LiveStopAfter,
  LiveStopped,
  NewLiveMark,
  NewLiveReplica,
  NewLiveRun,
} from "@aglens/contract";
import { z } from "zod";
import type { Live } from "../../live/live.ts";
import type { LiveRun } from "../../live/run/run.ts";
import { whereIs } from "../../live/server/connection.ts";
import type { MayForget } from "../../live/server/left-sessions.ts";
import { hasRole } from "../../access/rules.ts";
import { noteInAudit, ownerOf, personOf } from "../guard.ts";
import { LiveKept, LiveReplicaAdded } from "./answer-shapes.ts";
import { beginEvents, sendEvent } from "../event-stream.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Header with the key that the client got when it began the run; the key lets it stop, mark and keep alive the run. */
export const CONTROL_HEADER = "x-aglens-control";

const SessionId = z.number().int().min(1).max(65_535);

/** The person whose run left a session, or an admin, may take it off the list; anyone where users don't sign in. */
function mayForget(response: Response): MayForget {
  const person = personOf(response);
  return (owner) => person === null || hasRole(person, "admin") || owner?.id === person.id;
}

/**
 * Routes for attaching to servers: allowed servers, checks of a server, leftover sessions, runs. Statements that are
 * sent to a server, and reads of people's statements, are in the audit log before they happen: if the entry can't be
 * stored, the action does not happen.
 */
export const liveRoutes = (live: Live): Route[] => [
  ...serverRoutes(live),
  ...runRoutes(live),
  ...controlRoutes(live),
  ...replicaRoutes(live),
];

const serverRoutes = (live: Live): Route[] => [
  route({
    method: "get",
    path: "/live/allowance",
    says: "Whether this API attaches to servers, and to which hosts",
    needs: "contributor",
    answer: LiveAllowance,
    handle: () => live.allowance(),
  }),
  route({
    method: "get",
    path: "/live/leftovers",
    says: "Event sessions that live runs couldn't drop; AG Lens retries",
    needs: "contributor",
    answer: LiveLeftSessions,
    handle: ({ response }) => live.leftSessions(mayForget(response)),
  }),
  route({
    method: "delete",
    path: "/live/leftovers/:id",
    says: "Remove a session that was dropped on its server from the list. Only for its owner and admins",
    needs: "contributor",
    answer: null,
    handle: ({ params: { id }, response }) =>
      live.forgetLeftSession(id, mayForget(response), (what) =>
        noteInAudit(response, "took off the list of left sessions", what),
      ),
  }),
  route({
    method: "post",
    path: "/live/checks",
    says: "Get the version of a server, the permissions of the login and the replicas of its groups; changes nothing",
    needs: "contributor",
    body: LiveCheckRequest,
    answer: LiveCheck,
    handle: async ({ body, response }) => {
      live.expectAllowed(body.server);
      await noteInAudit(response, "checked", whereIs(body.server));
      return live.check(body, ownerOf(response));
    },
  }),
  route({
    method: "post",
    path: "/live/first-contacts",
    says: "Server-sent events: `progress` (ContactProgress) after each statement of live mode on a server, `report` (FirstContact) at the end",
    needs: "contributor",
    body: FirstContactRequest,
    answer: "events",
    events: { progress: ContactProgress, report: FirstContact },
    handle: async ({ body, response }) => {
      live.expectAllowed(body.server);
      await noteInAudit(response, "checked every statement of", whereIs(body.server));
      const gone = new AbortController();
      const contact = await live.contacts.begin(body, gone.signal, ownerOf(response));
      const send = (event: string, value: object): void => {
        if (!response.destroyed) sendEvent(response, event, JSON.stringify(value));
      };
      beginEvents(response, () => gone.abort());
      send("report", await contact((progress) => send("progress", progress)));
      response.end();
    },
  }),
  route({
    method: "post",
    path: "/live/leftovers/removal",
    says: "Stop and drop event sessions of earlier live runs",
    needs: "contributor",
    body: LeftoverRemoval,
    answer: LeftoverRemovalResult,
    handle: async ({ body, response }) => {
      live.expectAllowed(body.server);
      const what = `${whereIs(body.server)}: ${body.names.join(", ")}`;
      await noteInAudit(response, "removed sessions from", what);
      return { removed: await live.removeLeftovers(body) };
    },
  }),
];

/** Beginning a run and looking at it. */
const runRoutes = (live: Live): Route[] => [
  route({
    method: "post",
    path: "/live/runs",
    says: "Attach to replicas; returns the id of the run and the control key, which is shown once",
    needs: "contributor",
    body: NewLiveRun,
    status: 201,
    answer: LiveRunCreated,
    handle: async ({ body, response }) => {
      const created = await live.create(body, ownerOf(response), (what) =>
        noteInAudit(response, "attached live to", what),
      );
      response.location(`/api/v1/live/runs/${created.id}`);
      return created;
    },
  }),
  route({
    method: "get",
    path: "/live/runs/:id",
    says: "Complete current picture of a run",
    needs: "contributor",
    answer: LivePicture,
    handle: async ({ params: { id }, response }) => (await opened(live, id, response)).whole(),
  }),
  route({
    method: "get",
    path: "/live/runs/:id/events",
    says: "Server-sent events: `picture` (LivePicture), first the whole, then once a second what changed",
    needs: "contributor",
    query: LiveFollow,
    answer: "events",
    events: { picture: LivePicture },
    handle: async ({ params: { id }, query: { db }, response }) =>
      follow(await opened(live, id, response), db ?? null, response),
  }),
];

async function opened(live: Live, id: string, response: Response): Promise<LiveRun> {
  const run = live.run(id);
  await noteInAudit(response, "opened a live run of", run.names.join(", "));
  return run;
}

const CONTROL = { method: "post", needs: "contributor", key: "liveControl" } as const;

/** The run of a request that has its control key. */
const controlledBy =
  (live: Live) =>
  (request: Request<{ id: string }>): LiveRun =>
    live.controlled(request.params.id, request.get(CONTROL_HEADER));

/** Actions on a run that need its control key. */
function controlRoutes(live: Live): Route[] {
  const controlled = controlledBy(live);
  return [
    route({
      ...CONTROL,
      path: "/live/runs/:id/presence",
      says: "Keep a run active: after 60 s without this request, AG Lens stops and saves the run",
      answer: null,
      handle: ({ request }) => controlled(request).present(),
    }),
    route({
      ...CONTROL,
      path: "/live/runs/:id/marks",
      says: "Add a mark at the current time",
      body: NewLiveMark,
      status: 201,
      answer: LiveMark,
      handle: ({ body: { label, byRule }, request }) => controlled(request).mark(label, byRule),
    }),
    route({
      ...CONTROL,
      path: "/live/runs/:id/captures",
      says: "Create a capture of the last minutes; the run continues",
      body: LiveKeepLast,
      status: 201,
      answer: LiveKept,
      handle: async ({ body: { minutes }, request, response }) => {
        const run = controlled(request);
        const captureId = await run.keepLast(minutes);
        await noteInAudit(response, "kept the last minutes of", run.names.join(", "));
        return { captureId };
      },
    }),
    route({
      ...CONTROL,
      path: "/live/runs/:id/stop-after",
      says: "Stop and save the run after some minutes; null: only when a user stops it",
      body: LiveStopAfter,
      answer: null,
      handle: ({ body: { minutes }, request }) => controlled(request).stopAfter(minutes),
    }),
    route({
      ...CONTROL,
      path: "/live/runs/:id/health",
      says: "Read AlwaysOn_health of the replicas every 10 s, or end that",
      body: LiveReadHealth,
      answer: null,
      handle: async ({ body: { isOn }, request, response }) => {
        const run = controlled(request);
        const what = isOn ? "started reading AlwaysOn_health of" : "stopped reading AlwaysOn_health of";
        await noteInAudit(response, what, run.names.join(", "));
        run.readHealth(isOn);
      },
    }),
    route({
      ...CONTROL,
      path: "/live/runs/:id/stop",
      says: "End a run: its sessions are dropped and, with keep, it becomes a capture",
      body: LiveStop,
      answer: LiveStopped,
      handle: async ({ body: { keep }, request, response }) => {
        const run = controlled(request);
        const captureId = await run.stop(keep);
        const what = keep ? "kept the live run of" : "discarded the live run of";
        await noteInAudit(response, what, run.names.join(", "));
        return { captureId };
      },
    }),
  ];
}

/** Actions on the replicas of a run. */
function replicaRoutes(live: Live): Route[] {
  const controlled = controlledBy(live);
  return [
    route({
      ...CONTROL,
      path: "/live/runs/:id/replicas",
      says: "Attach to one more replica",
      body: NewLiveReplica,
      status: 201,
      answer: LiveReplicaAdded,
      handle: async ({ params: { id }, body, request, response }) => {
        controlled(request);
        live.expectAllowed(body.server);
        await noteInAudit(response, "attached live to", whereIs(body.server));
        return { index: live.addReplica(id, request.get(CONTROL_HEADER), body) };
      },
    }),
    route({
      ...CONTROL,
      path: "/live/runs/:id/replicas/:index/retry",
      says: "Retry a failed or waiting replica now",
      answer: null,
      handle: async ({ params, request, response }) => {
        const run = controlled(request);
        const index = Number(params.index);
        await noteInAudit(response, "attached live again to", run.nameOf(index));
        run.tryAgain(index);
      },
    }),
    route({
      ...CONTROL,
      method: "get",
      path: "/live/runs/:id/replicas/:index/sessions/:session",
      says: "Statement text of a waiting session, read from the server now and not stored; null if it has no request",
      answer: LiveLastStatement,
      handle: async ({ params: { index, session }, request, response }) => {
        const run = controlled(request);
        const number = SessionId.parse(Number(session));
        const what = `${run.nameOf(Number(index))}, session ${number}`;
        await noteInAudit(response, "read a statement on", what);
        response.set("cache-control", "no-store");
        return { text: await run.lastStatement(Number(index), number) };
      },
    }),
  ];
}

/** Sends the complete picture and then changes. @param database selects the database; null: all */
async function follow(run: LiveRun, database: string | null, response: Response): Promise<void> {
  run.expectRoomFor(database);
  let unfollow: (() => void) | null = null;
  let gone = false;
  beginEvents(response, () => {
    gone = true;
    unfollow?.();
  });
  unfollow = await run.follow((json) => sendEvent(response, "picture", json), database);
  // The client may have disconnected while the first picture was made.
  if (gone) unfollow();
}
