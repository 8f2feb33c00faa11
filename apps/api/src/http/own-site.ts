/**
 * Answers only requests that were sent to a name of this server, and writes only from its own pages or from programs.
 */
import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import type { Config } from "../settings/config.ts";
import { isLoopback } from "../settings/network-reach.ts";
import { problem } from "@aglens/engine/problems";

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const LOOPBACK = ["localhost", "127.0.0.1", "::1"];
/** A part of an upload, as tus 1.0 names its type. */
const PART_TYPE = "application/offset+octet-stream";
const PART = /^\/api\/v1\/captures\/[^/]+\/uploads\/[^/]+\/?$/u;
const UPLOAD = /^\/api\/v1\/captures\/(?:[^/]+\/files|aglens-file)\/?$/u;

/** Whether a request changes something. */
export const isWrite = ({ method }: Pick<Request, "method">): boolean => WRITES.has(method);

/**
 * Whether a name in the Host header is one of this server's. A page of another site that points its own name at this
 * machine (DNS rebinding) has the same origin as this server for a browser; the Host header then has that page's name.
 * A literal address cannot be pointed elsewhere, so a server that listens beyond the loopback address accepts each.
 * @param name result of `hostNameOf`
 */
export function isOwnName(name: string, { host, hosts }: Pick<Config, "host" | "hosts">): boolean {
  const own = [...LOOPBACK, host.toLowerCase(), ...hosts];
  return own.includes(name) || (!isLoopback(host) && isIP(name) !== 0);
}

/** The name in a Host header: lower case, without port, brackets and final dot; null for an invalid header. */
export function hostNameOf(header: string | undefined): string | null {
  const [, address, name] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]/@?#]+))(?::\d*)?$/iu.exec(header ?? "") ?? [];
  return (address ?? name)?.toLowerCase().replace(/\.$/u, "") ?? null;
}

/** Refuses requests that were sent to a name of another server. */
export function ownNamesOnly(config: Pick<Config, "host" | "hosts">): RequestHandler {
  return (request, _response, next) => {
    const name = hostNameOf(request.headers.host);
    if (name === null || !isOwnName(name, config)) {
      throw problem(
        "other-host",
        `This server does not answer under the name "${(name ?? "").slice(0, 80)}". If it is a name of this server, add it to AGLENS_HOSTS and start again.`,
      );
    }
    next();
  };
}

/**
 * Refuses writes that a browser sends for a page of another site: Origin has to name the host that the request was sent
 * to. Programs such as curl send neither Origin nor Sec-Fetch-Site, and are let through: without a login there
 * is nothing that a page could borrow from them (docs/contribute/decisions.md).
 */
export const ownPagesOnly: RequestHandler = (request, _response, next) => {
  if (isWrite(request) && !isFromOwnPage(request) && !isFromProgram(request)) {
    throw problem(
      "cross-site",
      "The request came from another site; AG Lens takes requests from its own pages only.",
    );
  }
  next();
};

function isFromOwnPage(request: Request): boolean {
  const site = request.get("sec-fetch-site") ?? "same-origin";
  return site === "same-origin" && isOriginOf(request.get("origin"), request.headers.host);
}

/** The scheme is not compared: behind a proxy that ends TLS it is not known here. Default ports may be missing. */
function isOriginOf(origin: string | undefined, host: string | undefined): boolean {
  const from = origin === undefined ? null : URL.parse(origin);
  if (from === null || !/^https?:$/u.test(from.protocol)) return false;
  return URL.parse(`${from.protocol}//${host}`)?.host === from.host;
}

function isFromProgram(request: Request): boolean {
  // Node's own fetch sends sec-fetch-mode too, but no site: that header is the browsers' alone.
  if (request.get("origin") !== undefined || request.get("sec-fetch-site") !== undefined) return false;
  const referrer = request.get("referer");
  return referrer === undefined || isOriginOf(referrer, request.headers.host);
}

/**
 * Refuses bodies of another type than the address takes. Types that a form or an image can send never do: a browser asks
 * first before it sends JSON or octets to another site, and this API never agrees.
 */
export const expectedTypesOnly: RequestHandler = (request, _response, next) => {
  const path = request.baseUrl + request.path;
  const isPart = request.method === "PATCH" && PART.test(path);
  const isUpload = isPart || (request.method === "POST" && UPLOAD.test(path));
  const expected = isPart ? PART_TYPE : isUpload ? "application/octet-stream" : "application/json";
  const sent = request.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (isWrite(request) && sent !== expected && (isUpload || sent !== undefined || hasBody(request))) {
    throw problem(
      "wrong-type",
      `The body must be sent as "content-type: ${expected}", not as ${sent === undefined ? "nothing" : `"${sent.slice(0, 80)}"`}.`,
    );
  }
  next();
};

const hasBody = (request: Request): boolean =>
  request.get("transfer-encoding") !== undefined || Number(request.get("content-length") ?? 0) > 0;
