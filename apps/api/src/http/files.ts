import type { Request, Router } from "express";
import { FileCorrection } from "@aglens/contract";
import type { Quotas } from "../access/quotas.ts";
import type { Captures } from "../captures/captures.ts";
import { tooBig } from "../captures/intake/intake.ts";
import { piecesOf, usedUp } from "./bodies.ts";
import { FileQuery } from "./parameters.ts";

/** Files of a capture: streamed in, recognised, corrected, removed. */
export function addFileRoutes(
  router: Router,
  captures: Captures,
  quotas: Quotas,
  maxUploadBytes: number,
): void {
  router.post("/captures/:id/files", async (request, response) => {
    const { name, path = name, replaces, keepSensitive } = FileQuery.parse(request.query);
    refuseBigLength(request, maxUploadBytes);
    const { id } = request.params;
    const announced = Number(request.get("content-length") ?? 0);
    const record = await captures.records.get(id);
    const bytes = await quotas.within(record, announced, bodyOf(request));
    const files = await captures.files.receive(id, path, bytes, {
      replaces,
      keepSensitive: keepSensitive === "true",
      announced,
    });
    response.status(201).json({ files });
  });

  router.patch("/captures/:id/files/:fileId", async (request, response) => {
    const correction = FileCorrection.parse(request.body);
    response.json(await captures.files.correct(request.params.id, request.params.fileId, correction));
  });

  router.delete("/captures/:id/files/:fileId", async (request, response) => {
    await captures.files.remove(request.params.id, request.params.fileId);
    response.status(204).end();
  });
}

/** A length that is announced too big need not be sent; one that lies is stopped while it streams. */
export function refuseBigLength(request: Request, limit: number): void {
  if (Number(request.get("content-length") ?? 0) > limit) throw tooBig(limit);
}

/** The body, for who stores a piece before taking the next. */
export const bodyOf = (request: Request): AsyncIterable<Uint8Array> => usedUp(piecesOf(request));
