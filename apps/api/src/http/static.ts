import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import type { Express, Response } from "express";

/** By this the page knows that it has to ask who is signed in; without it, it asks nothing. */
const ACCESS_MARK = '<meta name="aglens-access" content="sign-in">';

const HASHED = /[\\/]assets[\\/]/u;

/** Serves the built web app: hashed assets for ever, pages always fresh, any other address the app's own page. */
export function serveWeb(app: Express, directory: string, hasAccess: boolean, base: string): void {
  app.use(
    express.static(directory, {
      index: false,
      setHeaders: (response: Response, path: string) => {
        response.set("cache-control", HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache");
      },
    }),
  );
  app.get(/^\/(?!api\/|assets\/).*/u, (_request, response, next) => {
    const page = join(directory, "index.html");
    if (!existsSync(page)) {
      next();
      return;
    }
    response.set("cache-control", "no-cache");
    response.type("html").send(pageUnder(base, readFileSync(page, "utf8"), hasAccess));
  });
}

/** The page with its files' addresses from the base path on, whatever address it is shown under, and with what it has to know. */
function pageUnder(base: string, page: string, hasAccess: boolean): string {
  const marks = [
    ...(base === "" ? [] : [`<meta name="aglens-base" content="${escapeHtml(base)}">`]),
    ...(hasAccess ? [ACCESS_MARK] : []),
  ];
  return page
    .replaceAll(/(?<=(?:src|href)=")\.\//gu, () => `${escapeHtml(base)}/`)
    .replace("</head>", () => `${marks.join("")}</head>`);
}

const escapeHtml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
