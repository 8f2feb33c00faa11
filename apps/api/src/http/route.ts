/**
 * A route of the API is one row: its address, the required permission, its parameters, its answer, and its function.
 * The router, the guard and the OpenAPI document are loops over all rows.
 */
import express from "express";
import type { Request, Response, Router } from "express";
import type { z } from "zod";
import type { Need } from "../access/rules.ts";
import { ARROW, PARQUET, PERFETTO } from "./media.ts";

/** Answers that are no JSON but a file or a stream. */
export const MEDIA = {
  arrow: ARROW,
  events: "text/event-stream",
  csv: "text/csv",
  parquet: PARQUET,
  perfetto: PERFETTO,
  png: "image/png",
  zip: "application/zip",
} as const;
export type Media = keyof typeof MEDIA;

/** Names in a path, each with the text that an address has in its place. */
type PathParts<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & PathParts<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Readonly<Record<Name, string>>
    : object;

type Parsed<Schema> = Schema extends z.ZodType ? z.infer<Schema> : undefined;

/** A request as a row's `handle` gets it. */
export interface RequestInput<Path extends string, Query, Body> {
  readonly params: PathParts<Path>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  readonly request: Request<{ id: string }>;
  readonly response: Response;
}

interface Described {
  readonly method: "get" | "head" | "post" | "patch" | "delete";
  /** One sentence, for the OpenAPI document. */
  readonly says: string;
  readonly needs: Need;
  /** The entry in the audit log after success. */
  readonly action?: string;
  /** A query and a body that `handle` reads itself, after the permission was checked. */
  readonly ownQuery?: z.ZodObject;
  readonly ownBody?: z.ZodType;
  /** Headers of the request, with their meanings; of tus 1.0. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The key that a request must bring: a link's delete token, or a live run's control key. */
  readonly key?: "deleteToken" | "liveControl";
  /** Shapes of server-sent events, by event name. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
}

/** Bytes: a complete file, or a part of one. */
type Bytes = "octets" | "part";

/** A row of the table. */
export interface Route extends Described {
  /** In the form of Express, below /api/v1: `/captures/:id`. */
  readonly path: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | Bytes;
  readonly status: number;
  /** JSON of a shape, a file or stream, or null for an answer without a body. */
  readonly answer: z.ZodType | Media | null;
  readonly run: (request: Request<{ id: string }>, response: Response) => Promise<void>;
}

/** Result of `handle`: a value of the shape, or nothing when it has sent its answer itself. */
type Answered<Answer> = Answer extends z.ZodType ? z.input<Answer> | undefined | void : unknown;

interface Row<Path extends string, Query, Body, Answer> extends Described {
  readonly path: Path;
  /** Refused with 400 where it does not fit. */
  readonly query?: Query;
  readonly body?: Body;
  /** Default 200, or 204 without a body. */
  readonly status?: number;
  readonly answer: Answer;
  readonly handle: (given: RequestInput<Path, Query, Body>) => Answered<Answer> | Promise<Answered<Answer>>;
}

/** @param row typed by its path and by the shapes of query and body */
export function route<
  const Path extends string,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | Bytes | undefined = undefined,
  Answer extends Route["answer"] = Route["answer"],
>({ handle, ...row }: Row<Path, Query, Body, Answer>): Route {
  const { query, body, answer, status = answer === null ? 204 : 200, ...rest } = row;
  return {
    ...rest,
    status,
    answer,
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    run: async (request, response) => {
      const given = {
        params: request.params as unknown as PathParts<Path>,
        query: query?.parse(request.query) as Parsed<Query>,
        body: (typeof body === "object" ? body.parse(request.body) : undefined) as Parsed<Body>,
        request,
        response,
      };
      const value = await handle(given);
      if (answer !== null) {
        if (value !== undefined) response.status(status).json(value);
      } else if (!response.headersSent) response.status(status).end();
    },
  };
}

/** The rows as Express asks them, in their order. */
export function routerOf(routes: readonly Route[]): Router {
  const router = express.Router();
  for (const { method, path, run } of routes) router[method](path, run);
  return router;
}

/** A row that fits a request, and the id in its path, decoded; "" without one. */
export interface Fit {
  readonly route: Route;
  readonly id: string;
}

/** Finds the row of a request as Express does; null for an address that is not in the table. Paths are below /api/v1. */
export function routeFinder(routes: readonly Route[]): (method: string, path: string) => Fit | null {
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll(".", "\\.").replaceAll(/:\w+/gu, "([^/]+)")}/?$`, "iu"),
  }));
  return (method, path) => {
    const verb = method.toLowerCase();
    for (const { route, pattern } of patterns) {
      // Express answers HEAD by the routes of GET where it has no route of its own.
      if (route.method !== verb && !(verb === "head" && route.method === "get")) continue;
      const match = pattern.exec(path);
      if (match !== null) return { route, id: decoded(match[1] ?? "") };
    }
    return null;
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
