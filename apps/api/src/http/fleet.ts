import type { Router } from "express";
import type { Library } from "../captures/life/library.ts";
import { fleetAnswer } from "../fleet/fleet.ts";
import { personOf } from "./guard.ts";
import { readerOf } from "./library.ts";
import { FleetQuery } from "./parameters.ts";

/** Captures of groups side by side over weeks. */
export function addFleetRoutes(router: Router, library: Library): void {
  router.get("/fleet", async (request, response) => {
    const question = FleetQuery.parse(request.query);
    response.json(fleetAnswer(await library.figured(readerOf(personOf(response))), question));
  });
}
