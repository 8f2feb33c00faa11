/** Lets a request through when its sender has permission, and records the action in the audit log. */
import type { Request, RequestHandler, Response } from "express";
import type { Person } from "@aglens/contract";
import type { Access, Credentials } from "../access/access.ts";
import { hasRole, mayChange, maySee } from "../access/rules.ts";
import type { Records } from "../captures/records/records.ts";
import { problem } from "@aglens/engine/problems";
import type { Asker } from "../store/capture-state.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import { hashOf } from "../kernel/identity.ts";
import { sessionCookieOf } from "./cookies.ts";
import type { Config } from "../settings/config.ts";
import { isWrite } from "./own-site.ts";
import { logOf } from "./request-log.ts";
import type { Fit } from "./route.ts";

const PERSON = "person";
const AUDIT = "audit";

/**
 * The person of the request; null where no sign-in is required, and for a client that opens a link without a sign-in.
 */
export function personOf({ locals }: Pick<Response, "locals">): Person | null {
  return (locals[PERSON] as Person | undefined) ?? null;
}

/** Owner of what a request creates: undefined where users don't sign in. */
export function ownerOf(response: Pick<Response, "locals">): { id: string; name: string } | undefined {
  const person = personOf(response);
  return person === null ? undefined : { id: person.id, name: person.name };
}

/** The header by which a browser names itself on a server without sign-in. */
const BROWSER_HEADER = "x-aglens-browser";

/** Identifies the sender of later requests. */
export function askerOf(response: Pick<Response, "locals" | "req">): Asker {
  const name = response.req.get(BROWSER_HEADER);
  return {
    personId: personOf(response)?.id ?? null,
    browser: name === undefined || !/^[\w-]{20,100}$/u.test(name) ? null : hashOf(name),
  };
}

/**
 * Records a route's action in the audit log where the rule of its address does not name the object; does nothing where
 * users don't sign in.
 */
export async function noteInAudit(
  { locals }: Pick<Response, "locals">,
  action: string,
  what: string,
): Promise<void> {
  await (locals[AUDIT] as ((action: string, what: string) => Promise<void>) | undefined)?.(action, what);
}

interface GuardParts {
  readonly access: Access;
  readonly records: Records;
  readonly isProxy: (address: string | undefined) => boolean;
  readonly config: Pick<Config, "publicUrl">;
  /** The row of a request; one that no row fits is refused. */
  readonly find: (method: string, path: string) => Fit | null;
}

/** Runs before the routes of /api/v1. */
export function guard({ access, records, isProxy, config, find }: GuardParts): RequestHandler {
  return async (request, response, next) => {
    const fit = find(request.method, request.path);
    if (fit === null) throw problem("not-found", "There is nothing at this address.");
    const known = await access.identify(credentialsOf(request, access, isProxy, config));
    if (known?.by === "session" && isWrite(request) && request.get("origin") === undefined) {
      // Only browsers have the cookie, and they name the page that sends the write.
      throw problem("cross-site", "A write with a session's cookie has to say which page it comes from.");
    }
    if (known !== null) {
      const { person } = known;
      response.locals[PERSON] = person;
      response.locals[AUDIT] = (action: string, what: string) => access.audit(person, action, what);
    }
    await expectAllowed(fit, known?.person ?? null, records);
    if (known !== null) await auditWhenDone(access, records, fit, known.person, response);
    next();
  };
}

async function expectAllowed({ route, id }: Fit, person: Person | null, records: Records): Promise<void> {
  const { needs: need } = route;
  if (need === "anyone") return;
  if (person === null) throw problem("sign-in-needed", "Sign in to AG Lens first.");
  if (person.role === null) {
    throw problem(
      "no-role",
      `You are signed in as ${person.name}, without a role. Ask who runs this server to give one to you or to a group of yours.`,
    );
  }
  if (need === "see" || need === "change") {
    // A capture in the trash still belongs to its owner.
    const record = (await records.stored(id)) ?? (await records.get(id));
    // People who may not see a capture do not learn that it exists.
    if (!maySee(person, record)) throw noSuchCapture();
    if (need === "change" && !mayChange(person, record)) throw notYours(record);
    return;
  }
  if (!hasRole(person, need)) {
    throw problem("not-allowed", `This needs the role ${need}; ${person.name} has the role ${person.role}.`);
  }
}

/** @throws ProblemError when the person may not share, or delete links of, a capture; null is a server without a login */
export function expectMayChange(person: Person | null, record: CaptureRecord): void {
  if (person === null) return;
  if (!maySee(person, record)) throw noSuchCapture();
  if (!mayChange(person, record)) throw notYours(record);
}

const noSuchCapture = (): Error =>
  problem("capture-not-found", "There is no such capture. It may have expired or been deleted.");

const notYours = ({ owner }: CaptureRecord): Error =>
  problem(
    "not-allowed",
    `Only ${owner === undefined ? "an admin" : `${owner.name} or an admin`} can change this capture.`,
  );

async function auditWhenDone(
  access: Access,
  records: Records,
  { route, id }: Fit,
  person: Person,
  response: Response,
): Promise<void> {
  const { action } = route;
  if (action === undefined) return;
  // A capture that is deleted has no name any more.
  const what = (await records.stored(id))?.name ?? "";
  response.on("finish", () => {
    if (response.statusCode >= 400) return;
    access.audit(person, action, what).catch((error: unknown) => {
      logOf(response).error({ err: error, action }, "an audit entry was not stored");
    });
  });
}

/** Parts of a request that may identify a person. */
export function credentialsOf(
  request: Request,
  { settings }: Access,
  isProxy: (address: string | undefined) => boolean,
  config: Pick<Config, "publicUrl">,
): Credentials {
  const { userHeader, groupsHeader } = settings;
  const user = userHeader === null ? undefined : request.get(userHeader)?.trim();
  const groups = groupsHeader === null ? undefined : request.get(groupsHeader);
  const isFromProxy = isProxy(request.socket.remoteAddress);
  return {
    cookie: sessionCookieOf(request, config),
    bearer: bearerOf(request),
    proxy:
      isFromProxy && user !== undefined && user !== ""
        ? { user, groups: (groups ?? "").split(",").map((group) => group.trim()) }
        : null,
  };
}

function bearerOf(request: Request): Credentials["bearer"] {
  const text = /^Bearer ([\w.~+/=-]{1,400})$/iu.exec(request.get("authorization") ?? "")?.[1];
  return text === undefined ? null : { text, address: request.ip ?? "" };
}
