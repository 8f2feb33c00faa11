/** Security headers: permissions of browsers on pages of this origin. */
import type { RequestHandler } from "express";
import helmet from "helmet";
import type { Config } from "../settings/config.ts";
import { isLoopback } from "../settings/network-reach.ts";

/** A year, as helmet and the preload list of browsers require. */
const HSTS_SECONDS = 365 * 24 * 3600;

/**
 * Whether browsers may be told to use only HTTPS for the name of the public address. They apply it to all ports of the
 * name, so an address with a port must not affect other programs of that name; a loopback name belongs to other
 * programs too.
 */
function isHttpsOnly({ publicUrl }: Pick<Config, "publicUrl">): boolean {
  if (publicUrl === null) return false;
  const { protocol, port, hostname } = new URL(publicUrl);
  return protocol === "https:" && port === "" && !isLoopback(hostname);
}

/** All content is from this origin; charts are canvas and SVG, whose element styles React sets as properties. */
export function securityHeaders(config: Pick<Config, "publicUrl">): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Radix and the virtual lists place their parts through style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        workerSrc: ["'self'", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttpsOnly(config) && { maxAge: HSTS_SECONDS, includeSubDomains: false },
    referrerPolicy: { policy: "no-referrer" },
    frameguard: { action: "deny" },
  });
}
