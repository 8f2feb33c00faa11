/** Requests of the form of a watch. */
import {
  Watch,
  WatchCheck,
  type WatchCheckRequest,
  type WatchDefinition,
  WatchMessageTested,
  WatchRehearsal,
} from "@aglens/contract";
import type { z } from "zod";
import { jsonBody, readJson } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** @param id null for a new watch */
export const saveWatch = (id: string | null, definition: WatchDefinition): Promise<Watch> =>
  readJson(
    Watch,
    id === null ? "/watches" : `/watches/${encodeURIComponent(id)}`,
    jsonBody("POST", definition),
  );

/** Rights of a login on a server; creates nothing there. */
export const checkRights = (request: z.input<typeof WatchCheckRequest>): Promise<WatchCheck> =>
  readJson(WatchCheck, "/watches/check", jsonBody("POST", request));

/** Triggers that a definition would have had over the polls of a watch. */
export const rehearsalOf = (definition: WatchDefinition, watch: string): Question<WatchRehearsal> => ({
  key: `/watches/rehearsal ${watch} ${JSON.stringify(definition)}`,
  ask: (signal) =>
    readJson(WatchRehearsal, "/watches/rehearsal", jsonBody("POST", { definition, watch }, signal)),
});

/** Sends a test message to a receiver of the watch file. */
export const testMessage = (receiver: string): Promise<WatchMessageTested> =>
  readJson(WatchMessageTested, "/watches/messages/test", jsonBody("POST", { receiver }));
