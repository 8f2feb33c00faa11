import type { Response, Router } from "express";
import type { LostCaptures, TrashedCaptures } from "@aglens/contract";
import type { z } from "zod";
import { mayChange } from "../access/rules.ts";
import type { Owned } from "../access/rules.ts";
import type { Captures } from "../captures/captures.ts";
import { ownerOf, personOf } from "./guard.ts";

/** What can come back: captures in the trash, and files that the catalogue does not have. */
export function addTrashRoutes(router: Router, captures: Captures): void {
  router.get("/trash", async (_request, response) => {
    const trash: z.infer<typeof TrashedCaptures> = { captures: await captures.trash.list(theirs(response)) };
    response.json(trash);
  });

  router.delete("/trash", async (_request, response) => {
    await captures.trash.empty(theirs(response));
    response.status(204).end();
  });

  router.post("/captures/:id/restore", async (request, response) => {
    response.json(await captures.restore(request.params.id));
  });

  router.get("/lost-captures", async (_request, response) => {
    const lost: z.infer<typeof LostCaptures> = { captures: await captures.lost.list() };
    response.json(lost);
  });

  router.post("/lost-captures/:id/restore", async (request, response) => {
    const capture = await captures.takeBack(request.params.id, ownerOf(response));
    response.status(201).location(`/api/v1/captures/${capture.id}`).json(capture);
  });

  router.delete("/lost-captures/:id", async (request, response) => {
    await captures.lost.remove(request.params.id);
    response.status(204).end();
  });
}

/** Whether a capture is one that whoever asks may restore. */
function theirs(response: Response): (record: Owned) => boolean {
  const person = personOf(response);
  return person === null ? () => true : (record) => mayChange(person, record);
}
