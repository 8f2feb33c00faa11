import express from "express";
import request from "supertest";
import { encodeWindow } from "@aglens/contract";
import type { Summary } from "@aglens/contract";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import { summarise, windowOf } from "@aglens/ag-model/query";
import { expect, test } from "vitest";
import { linkPictureRoutes } from "./link-picture.ts";
import { routerOf } from "../route.ts";
import type { LinkDescription } from "./link-door.ts";

/** Ten seconds with one block at each end. */
const model = modelOf([{ at: 0 }, { at: 9e6 }], { duration: 10e6 });
const verdict = { sentence: "Commits are fast.", severity: "fine", episodes: [], findings: [] };
const summary = summarise(model, "id", "Friday", {
  ...verdict,
  evidence: [],
  checkNext: [],
} as never) as unknown as Summary;
const preview = encodeWindow(windowOf(model, { from: 0, to: 10e6, limit: 100, bins: 10 }));

test("each link has the picture of its own view, also of one capture and when it is asked for again", async () => {
  const app = express();
  const views: Readonly<Record<string, string>> = {
    whole: "v=1",
    first: "v=1&range=0_1000000",
    second: "v=1&range=2000000_3000000",
  };
  const words = (id: string): LinkDescription => ({
    title: "Friday",
    summary,
    captureId: "capture",
    view: views[id] ?? "",
  });
  const routes = linkPictureRoutes({
    captures: { analyses: { preview: () => Promise.resolve(preview) } } as never,
    links: { inWords: (id) => Promise.resolve(id === "none" ? null : words(id)) },
  });
  app.use(routerOf(routes));
  const picture = async (id: string): Promise<string> => {
    const { body } = await request(app).get(`/links/${id}/picture.png`).expect(200);
    return (body as Buffer).toString("base64");
  };
  const ids = ["whole", "first", "second", "none"];
  const drawn = await Promise.all(ids.map(picture));
  expect(new Set(drawn).size).toBe(4);
  expect(await Promise.all(ids.map(picture))).toEqual(drawn);
  const dark = await request(app).get("/links/whole/picture.png?theme=dark").expect(200);
  expect(drawn).not.toContain((dark.body as Buffer).toString("base64"));
});
