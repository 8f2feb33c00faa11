/** How the server is. */
import { ServerStatus } from "@aglens/contract";
import { changing, jsonFrom } from "./questions.ts";
import type { Question } from "./use-answer.ts";

/** Figures of the server for admins, one's own jobs and room for contributors. */
export const serverStatus: Question<ServerStatus> = changing(jsonFrom(ServerStatus, "/status"));
