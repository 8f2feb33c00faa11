/** Captures of groups side by side over weeks. */
import { Fleet, ServerStatus } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import type { Question } from "./use-answer.ts";

/** @param query groups and days as the API expects them */
export const fleetOf = (query: URLSearchParams): Question<Fleet> =>
  changing(jsonFrom(Fleet, `/fleet?${query.toString()}`));

/** Figures of the server for admins; own jobs and storage for contributors. */
export const serverStatus: Question<ServerStatus> = changing(jsonFrom(ServerStatus, "/status"));
