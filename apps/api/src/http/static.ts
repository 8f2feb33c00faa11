import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import type { Express, Response } from "express";

/** By this the page knows that it has to ask who is signed in; without it, it asks nothing. */
const ACCESS_MARK = '<meta name="aglens-access" content="sign-in">';

const HASHED = /[\\/]assets[\\/]/u;

/** Serves the built web app: hashed assets for ever, pages always fresh, any other address the app's own page. */
export function serveWeb(app: Express, directory: string, hasAccess: boolean): void {
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
    if (hasAccess) {
      response.type("html").send(readFileSync(page, "utf8").replace("</head>", `${ACCESS_MARK}</head>`));
      return;
    }
    // Dot files are only a danger in what users ask for; the directory itself may sit under one.
    response.sendFile(page, { dotfiles: "allow" });
  });
}
