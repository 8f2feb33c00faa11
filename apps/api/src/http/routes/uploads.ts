/** Uploads in parts: tus 1.0 (https://tus.io/protocols/resumable-upload) with creation, termination and expiration. */
import { Server } from "@tus/server";
import { DataStore, Upload } from "@tus/utils";
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { UploadInParts, UploadsInParts } from "@aglens/contract";
import type { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { z } from "zod";
import type { Quotas } from "../../access/quotas.ts";
import { mayChange } from "../../access/rules.ts";
import { newId } from "../../kernel/identity.ts";
import { asSentence, problem } from "@aglens/engine/problems";
import type { ProblemCode } from "@aglens/engine/problems";
import type { Uploads } from "../../uploads/uploads.ts";
import type { Records } from "../../captures/records/records.ts";
import { isListedFor } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { piecesOf, usedUp } from "../bodies.ts";
import { askerOf, noteInAudit, personOf } from "../guard.ts";
import { FileQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";
import { UploadLocks } from "../upload-locks.ts";

/** Fields of Upload-Metadata: `filename` as tus clients name it, the others as of a simple upload. */
const Metadata = z.object({
  filename: FileQuery.shape.name,
  path: FileQuery.shape.path,
  replaces: FileQuery.shape.replaces,
  keepSensitive: FileQuery.shape.keepSensitive,
  /** Beginning of the file, by which the client finds it again. */
  head: z.string().max(100).nullish(),
});

/** A request that takes over an upload from another one waits so long for the other's pending bytes, ms. */
const DRAIN_MS = 200;

/** Headers of the library's answers that are sent on: it would also agree to requests of other sites. */
const SENT_HEADERS = ["location", "upload-offset", "upload-length", "upload-metadata", "cache-control"];

/** Status codes of the protocol's refusals, with the problem codes of this API. */
const REFUSALS = new Map<number, ProblemCode>([
  [404, "upload-not-found"],
  [409, "upload-offset"],
  [410, "upload-expired"],
  [412, "tus-version"],
  [413, "too-big"],
  [500, "internal"],
]);

const TUS = { "Tus-Resumable": "1.0.0" };

export function uploadRoutes(uploads: Uploads, records: Records, quotas: Quotas): Route[] {
  const answer = tusAnswers(uploads, quotas);
  const one = "/captures/:id/uploads/:uploadId";
  return [
    route({
      method: "get",
      path: "/uploads",
      says: "Unfinished uploads in parts, of captures that the user can change",
      needs: "contributor",
      answer: UploadsInParts,
      handle: async ({ response }) => {
        const person = personOf(response);
        const asker = askerOf(response);
        const isTheirs = (record: CaptureRecord): boolean =>
          isListedFor(asker, record) && (person === null || mayChange(person, record));
        return { uploads: await uploads.list(isTheirs) };
      },
    }),
    route({
      method: "post",
      path: "/captures/:id/uploads",
      says: "Begin an upload in parts (tus 1.0: creation, termination, expiration); Location is where its parts are sent",
      needs: "change",
      headers: {
        ...TUS,
        "Upload-Length": "Bytes of the complete file",
        "Upload-Metadata":
          "filename, and optional path, replaces, keepSensitive and head, each with a space and its value in Base64",
      },
      status: 201,
      answer: null,
      handle: async ({ params: { id }, request, response }) => {
        await records.get(id);
        await answer(request, response, id);
      },
    }),
    // Before the route of GET, which Express would use for HEAD too.
    route({
      method: "head",
      path: one,
      says: "Number of bytes received: Upload-Offset",
      needs: "change",
      headers: TUS,
      status: 200,
      answer: null,
      handle: async ({ params: { id, uploadId }, request, response }) => {
        await uploads.expect(id, uploadId);
        await answer(request, response, id);
      },
    }),
    route({
      method: "get",
      path: one,
      says: "An upload in parts; its files when it is complete",
      needs: "change",
      answer: UploadInParts,
      handle: ({ params: { id, uploadId } }) => uploads.read(id, uploadId),
    }),
    route({
      method: "patch",
      path: one,
      says: "Send the next part; after the last one the file is in the capture",
      needs: "change",
      headers: { ...TUS, "Upload-Offset": "Bytes received" },
      body: "part",
      answer: null,
      handle: async ({ params: { id, uploadId }, request, response }) => {
        const { size } = await uploads.expect(id, uploadId);
        await answer(request, response, id);
        if (Number(response.get("upload-offset")) === size) {
          await noteInAudit(response, "uploaded to", (await records.stored(id))?.name ?? "");
        }
      },
    }),
    route({
      method: "delete",
      path: one,
      says: "Discard an upload",
      needs: "change",
      headers: TUS,
      answer: null,
      handle: async ({ params: { id, uploadId }, request, response }) => {
        await uploads.expect(id, uploadId);
        await answer(request, response, id);
      },
    }),
  ];
}

type Answering = (request: ExpressRequest, response: ExpressResponse, captureId: string) => Promise<void>;

/** Lets the library handle the protocol, and sends its answers; refusals are problem documents, as for other routes. */
function tusAnswers(uploads: Uploads, quotas: Quotas): Answering {
  const captureOf = new WeakMap<Request, string>();
  const failures = new WeakMap<Request, unknown>();
  const server = new Server({
    path: "/uploads",
    datastore: new PartStore(uploads),
    locker: new UploadLocks(),
    lockDrainTimeout: DRAIN_MS,
    allowedOrigins: [],
    namingFunction: () => newId(),
    generateUrl: (request, { id }) => `${new URL(request.url).pathname.replace(/\/$/u, "")}/${id}`,
    onUploadCreate: async (request, { id, size, metadata }) => {
      const captureId = captureOf.get(request) ?? "";
      const sent = Metadata.parse(metadata ?? {});
      const { filename: name, path = name, replaces, head = null } = sent;
      const keepSensitive = sent.keepSensitive === "true";
      const upload = { id, captureId, name, path, replaces, keepSensitive, size: size ?? 0, head };
      await uploads.begin(upload, quotas);
      return {};
    },
    onUploadFinish: async (_request, { id }) => {
      await uploads.finish(id);
      return {};
    },
    onResponseError: (request, error) => {
      failures.set(request, error);
      return undefined;
    },
  });
  return async (request, response, captureId) => {
    response.set("tus-resumable", "1.0.0");
    const asked = webRequest(request);
    captureOf.set(asked, captureId);
    const answered = await server.handleWeb(asked);
    const failure = failures.get(asked);
    if (failure instanceof Error) throw failure;
    if (answered.status >= 400) {
      throw problem(REFUSALS.get(answered.status) ?? "bad-request", asSentence(await answered.text()));
    }
    for (const name of SENT_HEADERS) {
      const value = answered.headers.get(name);
      if (value !== null) response.set(name, value);
    }
    const id = (answered.headers.get("location") ?? request.path).replace(/\/$/u, "").split("/").at(-1) ?? "";
    const until = await uploads.keptUntil(id);
    if (until !== null) response.set("upload-expires", new Date(until).toUTCString());
    response.status(answered.status).end();
  };
}

/**
 * The request in the library's form. No byte of a body is read before the library reads it, so that a refusal costs
 * nothing.
 */
function webRequest(request: ExpressRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  const url = `http://aglens${request.originalUrl.split("?", 1)[0]}`;
  if (request.method !== "PATCH") return new Request(url, { method: request.method, headers });
  const body = ReadableStream.from(piecesOf(request));
  // Node requires this property for a streamed body; the browser's types do not have it.
  const streamed = { body: body as BodyInit, duplex: "half" };
  return new Request(url, { method: "PATCH", headers, ...streamed });
}

/** The library's store: the bytes are `Uploads`' business. */
class PartStore extends DataStore {
  readonly #uploads: Uploads;

  constructor(uploads: Uploads) {
    super();
    this.#uploads = uploads;
    this.extensions = ["creation", "termination", "expiration"];
  }

  /** The upload was created by the check whether it may begin. */
  override create(upload: Upload): Promise<Upload> {
    return Promise.resolve(upload);
  }

  override async getUpload(id: string): Promise<Upload> {
    return new Upload({ id, ...(await this.#uploads.sizes(id)) });
  }

  override write(source: Readable, id: string, offset: number): Promise<number> {
    // Memory is released only here, because the library's own streams also hold pieces that were not read yet.
    return this.#uploads.append(id, offset, usedUp(source as AsyncIterable<Uint8Array>));
  }

  override remove(id: string): Promise<void> {
    return this.#uploads.remove(id);
  }

  /** Expired uploads are found, and swept, by `Uploads`, whose clock is this program's. */
  override getExpiration(): number {
    return 0;
  }
}
