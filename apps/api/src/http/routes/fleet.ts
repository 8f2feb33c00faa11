import { Fleet } from "@aglens/contract";
import type { Library } from "../../captures/life/library.ts";
import { fleetAnswer } from "../../fleet/fleet.ts";
import { readerOf } from "./library.ts";
import { FleetQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Captures of groups side by side over weeks. */
export const fleetRoutes = (library: Library): Route[] => [
  route({
    method: "get",
    path: "/fleet",
    says: "Captures of a group or two by night or week: percentiles of their stages, and what has changed",
    needs: "viewer",
    query: FleetQuery,
    answer: Fleet,
    handle: async ({ query, response }) => fleetAnswer(await library.figured(readerOf(response)), query),
  }),
];
