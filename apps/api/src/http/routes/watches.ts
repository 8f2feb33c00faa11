import type { Response } from "express";
import {
  Watch,
  WatchCheck,
  WatchCheckRequest,
  WatchDefinition,
  WatchEpisode,
  WatchEpisodes,
  Watches as WatchList,
  WatchMessageTest,
  WatchMessageTested,
  WatchPause,
  WatchRecordNow,
  WatchRehearsal,
  WatchRehearsalRequest,
  WatchReplicaCheck,
  WatchSeries,
  WatchSeriesRequest,
} from "@aglens/contract";
import type { Watches } from "../../watch/watches.ts";
import { noteInAudit, personOf } from "../guard.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Writes the entry of an action before it happens. */
const noteTo = (response: Response, action: string) => (what: string) => noteInAudit(response, action, what);

/**
 * Watches of availability groups. Statements to servers and changes are in the audit log before they happen. Only the
 * owner of a watch and admins change it.
 */
export const watchRoutes = (watches: Watches): Route[] => [
  ...readRoutes(watches),
  // Before `/watches/:id`, which would take their addresses.
  ...askRoutes(watches),
  ...changeRoutes(watches),
];

const readRoutes = (watches: Watches): Route[] => [
  route({
    method: "get",
    path: "/watches",
    says: "All watches with their state, last trigger and next schedule, and names that a watch can use",
    needs: "viewer",
    answer: WatchList,
    handle: ({ response }) => watches.list(personOf(response)),
  }),
  route({
    method: "get",
    path: "/watches/:id",
    says: "A watch with its state, replicas and cost",
    needs: "viewer",
    answer: Watch,
    handle: ({ params: { id }, response }) => watches.get(id, personOf(response)),
  }),
  route({
    method: "get",
    path: "/watches/:id/series",
    says: "Polls of a time in columns of equal width, with the usual of weekday and hour",
    needs: "viewer",
    query: WatchSeriesRequest,
    answer: WatchSeries,
    handle: ({ params: { id }, query }) => watches.series(id, query),
  }),
  route({
    method: "get",
    path: "/watches/:id/episodes",
    says: "Triggers of a watch, recorded or refused, the newest first",
    needs: "viewer",
    answer: WatchEpisodes,
    handle: async ({ params: { id }, response }) => ({
      episodes: await watches.episodes(id, personOf(response)),
    }),
  }),
];

/** Requests that change nothing in a watch; some are about a watch that doesn't exist yet. */
const askRoutes = (watches: Watches): Route[] => [
  route({
    method: "post",
    path: "/watches/check",
    says: "Rights of a login on a server: sign in, watch, record; changes nothing",
    needs: "contributor",
    body: WatchCheckRequest,
    answer: WatchCheck,
    handle: ({ body, response }) => watches.check(body, noteTo(response, "checked")),
  }),
  route({
    method: "post",
    path: "/watches/:id/check",
    says: "Rights on one replica of a watch; AG Lens also tries again to poll it",
    needs: "contributor",
    body: WatchReplicaCheck,
    answer: WatchCheck,
    handle: ({ params: { id }, body, response }) =>
      watches.checkReplica(id, body.replica, noteTo(response, "checked")),
  }),
  route({
    method: "post",
    path: "/watches/rehearsal",
    says: "Triggers that a definition would have had over the kept polls of a watch",
    needs: "contributor",
    body: WatchRehearsalRequest,
    answer: WatchRehearsal,
    handle: ({ body: { definition, watch } }) => watches.rehearse(definition, watch),
  }),
  route({
    method: "post",
    path: "/watches/messages/test",
    says: "Send a test message to a receiver now, and return its answer",
    needs: "contributor",
    body: WatchMessageTest,
    answer: WatchMessageTested,
    handle: ({ body: { receiver }, response }) =>
      watches.testMessage(receiver, noteTo(response, "sent a test message to")),
  }),
];

const changeRoutes = (watches: Watches): Route[] => [
  route({
    method: "post",
    path: "/watches",
    says: "Create a watch; it starts at once",
    needs: "contributor",
    body: WatchDefinition,
    status: 201,
    answer: Watch,
    handle: async ({ body, response }) => {
      const watch = await watches.create(body, personOf(response), noteTo(response, "created a watch of"));
      response.location(`/api/v1/watches/${watch.id}`);
      return watch;
    },
  }),
  route({
    method: "post",
    path: "/watches/:id",
    says: "Change a watch; its polls and episodes stay. Only for its owner and admins",
    needs: "contributor",
    body: WatchDefinition,
    answer: Watch,
    handle: ({ params: { id }, body, response }) =>
      watches.change(id, body, personOf(response), noteTo(response, "changed the watch of")),
  }),
  route({
    method: "delete",
    path: "/watches/:id",
    says: "Delete a watch with its polls and episodes; its captures stay. Only for its owner and admins",
    needs: "contributor",
    answer: null,
    handle: ({ params: { id }, response }) =>
      watches.remove(id, personOf(response), noteTo(response, "deleted the watch of")),
  }),
  route({
    method: "post",
    path: "/watches/:id/pause",
    says: "Pause a watch, or resume it. Only for its owner and admins",
    needs: "contributor",
    body: WatchPause,
    answer: Watch,
    handle: ({ params: { id }, body: { isPaused }, response }) => {
      const action = isPaused ? "paused the watch of" : "resumed the watch of";
      return watches.pause(id, isPaused, personOf(response), noteTo(response, action));
    },
  }),
  route({
    method: "post",
    path: "/watches/:id/record",
    says: "Begin a recording by hand, or by a tool; the answer is its episode, also where it is refused",
    needs: "contributor",
    body: WatchRecordNow,
    status: 201,
    answer: WatchEpisode,
    handle: ({ params: { id }, body: { rule }, response }) =>
      watches.record(id, rule, noteTo(response, "began a recording of")),
  }),
];
