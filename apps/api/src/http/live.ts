import type { Router } from "express";
import { LeftoverRemoval, LiveCheckRequest } from "xel-parser/contract";
import type { Live } from "../live/live.ts";

/** Attaching to servers: what may be attached, what a server says, leftovers, runs. */
export function addLiveRoutes(router: Router, live: Live): void {
  router.get("/live/allowance", (_request, response) => {
    response.json(live.allowance());
  });

  router.post("/live/checks", async (request, response) => {
    response.json(await live.check(LiveCheckRequest.parse(request.body ?? {})));
  });

  router.post("/live/leftovers/removal", async (request, response) => {
    response.json({ removed: await live.removeLeftovers(LeftoverRemoval.parse(request.body ?? {})) });
  });
}
