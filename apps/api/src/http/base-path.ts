import type { RequestHandler } from "express";
import type { Config } from "../settings/config.ts";

/** Path under which a proxy puts the server, without a slash at its end: "/aglens"; "" at the root. */
export function basePathOf({ publicUrl }: Pick<Config, "publicUrl">): string {
  return publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/u, "");
}

/**
 * Takes the base path off the addresses of requests, whether the proxy did that before or not, and puts it before those that answers send
 * browsers to: all between works with addresses of a server at the root.
 */
export function underBasePath(base: string): RequestHandler {
  return (request, response, next) => {
    if (base === "") return next();
    const rest = request.url.slice(base.length);
    if (request.url.startsWith(base) && (rest === "" || /^[/?]/u.test(rest))) {
      request.url = rest.startsWith("/") ? rest : `/${rest}`;
      request.originalUrl = request.url;
    }
    const setHeader = response.setHeader.bind(response);
    response.setHeader = (name, value) => {
      const isOwn =
        name.toLowerCase() === "location" && typeof value === "string" && /^\/(?!\/)/u.test(value);
      return setHeader(name, isOwn ? `${base}${value}` : value);
    };
    next();
  };
}
