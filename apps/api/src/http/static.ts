import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import expressStaticGzip from "express-static-gzip";
import type { Express, Request } from "express";
import { escapeHtml } from "../kernel/escape-html.ts";
import { screenTags } from "./screen-files.ts";

/** With this mark, the page asks whether the user is signed in; without it, it does not. */
const ACCESS_MARK = '<meta name="aglens-access" content="sign-in">';

/** The product as one file, to be kept: shown from here it would be under this server's content policy, which forbids scripts inside pages. */
const TAKE_AWAY = /[\\/]ag-lens\.html$/u;

/**
 * After the app's own script and style: a browser requests a few files at once, in the order of the head, and the
 * server computes the first answers while it sends the other scripts.
 */
const AFTER_OWN = /<script type="module"[^>]*><\/script>\s*(?:<link rel="stylesheet"[^>]*>)?|(?=<\/head>)/u;

const HASHED = /[\\/]assets[\\/]/u;

/**
 * Serves the built web app: hashed assets with a long lifetime and compressed by the build, pages always fresh, and the
 * app's own page for any other address.
 * @param tagsOf tags of an address for the head of its page, as HTML
 */
export function serveWeb(
  app: Express,
  directory: string,
  hasAccess: boolean,
  base: string,
  tagsOf: (request: Request) => Promise<string[]> = () => Promise.resolve([]),
): void {
  app.use(
    expressStaticGzip(directory, {
      index: false,
      enableBrotli: true,
      orderPreference: ["br", "gzip"],
      serveStatic: {
        index: false,
        setHeaders: (response, path) => {
          response.setHeader(
            "cache-control",
            HASHED.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
          );
          if (TAKE_AWAY.test(path))
            response.setHeader("content-disposition", "attachment; filename=ag-lens.html");
        },
      },
    }),
  );
  app.get(/^\/(?!api\/|assets\/).*/u, async (request, response, next) => {
    const page = join(directory, "index.html");
    if (!existsSync(page)) {
      next();
      return;
    }
    response.set("cache-control", "no-cache");
    const tags = [...(await tagsOf(request)), ...screenTags(directory, request.path)];
    response.type("html").send(pageUnder(base, readFileSync(page, "utf8"), hasAccess, tags));
  });
}

/** The page with its files' addresses from the base path on, regardless of its own address, and with its marks. */
function pageUnder(base: string, page: string, hasAccess: boolean, tags: readonly string[]): string {
  const marks = [
    ...tags,
    ...(base === "" ? [] : [`<meta name="aglens-base" content="${escapeHtml(base)}">`]),
    ...(hasAccess ? [ACCESS_MARK] : []),
  ];
  return page
    .replace(AFTER_OWN, (own) => `${own}${marks.join("")}`)
    .replaceAll(/(?<=(?:src|href)=")\.\//gu, () => `${escapeHtml(base)}/`);
}
