import type { CookieOptions, Request } from "express";
import type { Config } from "../settings/config.ts";
import { basePathOf } from "./base-path.ts";

/** The value of a cookie that a request brought; null without one. */
export function cookieOf({ headers }: Pick<Request, "headers">, name: string): string | null {
  for (const pair of (headers.cookie ?? "").split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name && value !== undefined && value !== "") return value;
  }
  return null;
}

/** Cookies go to this server's own addresses: others may be under other paths of the same host. */
export const cookiePath = (config: Pick<Config, "publicUrl">): string => `${basePathOf(config)}/`;

/**
 * The page's scripts can't read these cookies, and other sites can only send them by opening a page: a link in a mail
 * still opens signed in, and no other page can write.
 */
export function cookieOptions(
  request: Pick<Request, "secure">,
  { publicUrl }: Pick<Config, "publicUrl">,
): CookieOptions & { readonly secure: boolean; readonly path: string } {
  return {
    httpOnly: true,
    sameSite: "lax",
    path: cookiePath({ publicUrl }),
    secure: request.secure || publicUrl?.startsWith("https:") === true,
  };
}

/**
 * The name of a cookie that must be this server's own. With TLS one that no plain page can set, and no other host; browsers take
 * `__Host-` for the root path only. Under any other name a cookie counts for nothing: a sibling host could have set it.
 */
export function ownCookieName(
  name: string,
  request: Pick<Request, "secure">,
  config: Pick<Config, "publicUrl">,
): string {
  const { secure, path } = cookieOptions(request, config);
  if (!secure) return name;
  return path === "/" ? `__Host-${name}` : `__Secure-${name}`;
}

/** The value of such a cookie; null without one. */
export const ownCookieOf = (
  request: Request,
  name: string,
  config: Pick<Config, "publicUrl">,
): string | null => cookieOf(request, ownCookieName(name, request, config));

const SESSION = "aglens-session";

/** The session cookie of a request; null without one. */
export const sessionCookieOf = (request: Request, config: Pick<Config, "publicUrl">): string | null =>
  ownCookieOf(request, SESSION, config);

export const sessionCookieName = (
  request: Pick<Request, "secure">,
  config: Pick<Config, "publicUrl">,
): string => ownCookieName(SESSION, request, config);
