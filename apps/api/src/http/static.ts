import { existsSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import type { Express, Response } from "express";

const HASHED = /[\\/]assets[\\/]/u;

/** Serves the built web app: hashed assets for ever, pages always fresh, any other address the app's own page. */
export function serveWeb(app: Express, directory: string): void {
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
    // Dot files are only a danger in what users ask for; the directory itself may sit under one.
    response.sendFile(page, { dotfiles: "allow" });
  });
}
