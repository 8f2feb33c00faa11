import { ServerStatus } from "@aglens/contract";
import type { ServerStatusReader } from "../../status/server-status.ts";
import { readerOf } from "./library.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** State of the server. */
export const statusRoutes = (status: ServerStatusReader): Route[] => [
  route({
    method: "get",
    path: "/status",
    says: "State of the server: figures for admins; own jobs and free space for other users",
    needs: "contributor",
    answer: ServerStatus,
    handle: ({ response }) => status.read(readerOf(response)),
  }),
];
