import type { Request } from "express";
import { CaptureFile, FileCorrection } from "@aglens/contract";
import type { Quotas } from "../../access/quotas.ts";
import type { Captures } from "../../captures/captures.ts";
import { tooBig } from "../../captures/intake/intake.ts";
import { CaptureFiles } from "./answer-shapes.ts";
import { piecesOf, usedUp } from "../bodies.ts";
import { FileQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Files of a capture: streamed in, recognized, corrected, removed. */
export const fileRoutes = (captures: Captures, quotas: Quotas, maxUploadBytes: number): Route[] => [
  route({
    method: "post",
    path: "/captures/:id/files",
    says: "Add a .xel file, event XML, a CSV that SSMS saved, a topology XML, another file of a support folder, or a zip. The answer has the kind of each file",
    needs: "change",
    action: "uploaded to",
    query: FileQuery,
    body: "octets",
    status: 201,
    answer: CaptureFiles,
    handle: async ({
      params: { id },
      query: { name, path = name, replaces, keepSensitive, completeBytes },
      request,
    }) => {
      refuseBigLength(request, maxUploadBytes);
      const announced = Number(request.get("content-length") ?? 0);
      const record = await captures.records.get(id);
      const bytes = await quotas.within(record, announced, bodyOf(request));
      const kept = { replaces, keepSensitive: keepSensitive === "true", announced, completeBytes };
      return { files: await captures.files.receive(id, path, bytes, kept) };
    },
  }),
  route({
    method: "patch",
    path: "/captures/:id/files/:fileId",
    says: "Correct a file's role, replica or time zone",
    needs: "change",
    body: FileCorrection,
    answer: CaptureFile,
    handle: ({ params: { id, fileId }, body }) => captures.files.correct(id, fileId, body),
  }),
  route({
    method: "delete",
    path: "/captures/:id/files/:fileId",
    says: "Remove a file",
    needs: "change",
    action: "deleted a file of",
    answer: null,
    handle: ({ params: { id, fileId } }) => captures.files.remove(id, fileId),
  }),
];

/**
 * A body with an announced length that is too big need not be sent; one with a wrong length is stopped during the
 * transfer.
 */
export function refuseBigLength(request: Request, limit: number): void {
  if (Number(request.get("content-length") ?? 0) > limit) throw tooBig(limit);
}

/** The body, for a consumer that stores a piece before it takes the next one. */
export const bodyOf = (request: Request): AsyncIterable<Uint8Array> => usedUp(piecesOf(request));
