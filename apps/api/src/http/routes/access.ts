import type { Request, Response } from "express";
import { AccessState, AuditPage, csvFile, csvText, SignedOut, TokenSignIn } from "@aglens/contract";
import type { Access, NewSession } from "../../access/access.ts";
import type { Config } from "../../settings/config.ts";
import { problem } from "@aglens/engine/problems";
import { cookieOptions, ownCookieName, ownCookieOf, sessionCookieName, sessionCookieOf } from "../cookies.ts";
import { personOf } from "../guard.ts";
import { logOf } from "../request-log.ts";
import { AuditQuery, AuditTableQuery, DirectoryQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** Newest entries of the table; more than a person can look through. */
const MOST_IN_TABLE = 100_000;

/** Finds the sign-in by the directory that a browser began. */
const PENDING_COOKIE = "aglens-sign-in";
const PENDING_MS = 10 * 60_000;
/** Why it failed, until the page has shown it. */
const FAILURE_COOKIE = "aglens-sign-in-failed";

/** Routes for signing in and out, and for the audit log. They exist only where access control is on. */
export function accessRoutes(access: Access | null, config: Pick<Config, "publicUrl">): Route[] {
  const setSession = (request: Request, response: Response, { secret, expires }: NewSession): void => {
    const options = cookieOptions(request, config);
    response.cookie(sessionCookieName(request, config), secret, { ...options, expires });
  };
  const setForMinutes = (request: Request, response: Response, name: string, value: string): void => {
    const options = { ...cookieOptions(request, config), maxAge: PENDING_MS };
    response.cookie(ownCookieName(name, request, config), value, options);
  };
  // Browsers take `__Host-` and `__Secure-` only with `Secure`, also where they delete.
  const clear = (request: Request, response: Response, name: string): void => {
    response.clearCookie(ownCookieName(name, request, config), cookieOptions(request, config));
  };

  return [
    route({
      method: "get",
      path: "/access",
      says: "Signed-in user and ways to sign in",
      needs: "anyone",
      answer: AccessState,
      handle: ({ request, response }) => {
        const failure = ownCookieOf(request, FAILURE_COOKIE, config);
        if (failure !== null) clear(request, response, FAILURE_COOKIE);
        return expectOn(access).state(personOf(response), failure === null ? null : FAILED);
      },
    }),
    route({
      method: "post",
      path: "/access/token",
      says: "Sign in with an access token; the answer sets the session's cookie",
      needs: "anyone",
      body: TokenSignIn,
      answer: AccessState,
      handle: async ({ body: { token }, request, response }) => {
        const signedIn = await expectOn(access).signInByToken(token, request.ip ?? "");
        setSession(request, response, signedIn);
        return expectOn(access).state(signedIn.person, null);
      },
    }),
    route({
      method: "delete",
      path: "/access/session",
      says: "Sign out, and where the directory's own session is ended",
      needs: "anyone",
      answer: SignedOut,
      handle: async ({ request, response }) => {
        const secret = sessionCookieOf(request, config);
        const left =
          secret === null ? { leaveAt: null, staysAt: null } : await expectOn(access).signOut(secret);
        response.clearCookie(sessionCookieName(request, config), cookieOptions(request, config));
        return left;
      },
    }),
    route({
      method: "get",
      path: "/access/directory",
      says: "Go to the directory (OpenID Connect) to sign in",
      needs: "anyone",
      ownQuery: DirectoryQuery,
      status: 302,
      answer: null,
      handle: async ({ request, response }) => {
        const { openId } = expectOn(access);
        if (openId === null) throw problem("not-found", "No directory is set up here.");
        const { returnTo } = DirectoryQuery.parse(request.query);
        const begun = await openId.begin(returnTo).catch((error: Error) => {
          throw problem("directory-unreachable", `${openId.name} does not answer: ${error.message}.`);
        });
        setForMinutes(request, response, PENDING_COOKIE, begun.key);
        response.redirect(302, begun.url);
      },
    }),
    route({
      method: "get",
      path: "/access/directory/answer",
      says: "Where the directory sends the browser back to",
      needs: "anyone",
      status: 302,
      answer: null,
      handle: async ({ request, response }) => {
        const { openId } = expectOn(access);
        const key = ownCookieOf(request, PENDING_COOKIE, config) ?? "";
        const returnTo = (await openId?.returnTo(key)) ?? "/";
        const query = /\?.*$/su.exec(request.originalUrl)?.[0] ?? "";
        try {
          setSession(request, response, await expectOn(access).signInByDirectory(key, query));
        } catch (error) {
          // The error itself may contain the directory's answer.
          logOf(response).warn({ reason: (error as Error).message }, "sign-in by the directory failed");
          setForMinutes(request, response, FAILURE_COOKIE, "1");
        }
        clear(request, response, PENDING_COOKIE);
        response.redirect(302, returnTo);
      },
    }),
    ...auditRoutes(access),
  ];
}

const auditRoutes = (access: Access | null): Route[] => [
  route({
    method: "get",
    path: "/access/audit",
    says: "Audit log, newest first; for admins",
    needs: "admin",
    query: AuditQuery,
    answer: AuditPage,
    handle: async ({ query: { limit, before = null, q } }) => {
      const entries = await expectOn(access).auditEntries(limit, before, q);
      return {
        entries: entries.map(({ at, person, action, what }) => ({ at, person, action, what })),
        next: entries.length < limit ? null : (entries.at(-1)?.number ?? null),
      };
    },
  }),
  route({
    method: "get",
    path: "/access/audit.csv",
    says: "The same as a table, all entries that have the words",
    needs: "admin",
    query: AuditTableQuery,
    answer: "csv",
    handle: async ({ query: { q }, response }) => {
      const entries = await expectOn(access).auditEntries(MOST_IN_TABLE, null, q);
      const rows = entries.map(({ at, person, action, what }) =>
        [at, person, action, what].map(csvText).join(","),
      );
      response
        .attachment("audit.csv")
        .type("text/csv")
        .send(Buffer.from(csvFile(["time_utc,who,did,what", ...rows])));
    },
  }),
];

const FAILED =
  "The directory did not sign you in. Try again; if that does not help, the server's log has the reason.";

function expectOn(access: Access | null): Access {
  if (access !== null) return access;
  throw problem("not-found", "This server has no sign-in.");
}
