/** Description of a pasted link (Open Graph): title, verdict, picture. */
import { CaptureRange, decodeWindow } from "@aglens/contract";
import type { Request } from "express";
import { z } from "zod";
import type { Captures } from "../../captures/captures.ts";
import type { Config } from "../../settings/config.ts";
import { problem } from "@aglens/engine/problems";
import { drawLink } from "../../unfurl/draw-picture.ts";
import { linkFigures, type LinkFigures } from "../../unfurl/link-figures.ts";
import type { LinkDoor, LinkDescription } from "./link-door.ts";
import { escapeHtml } from "../../kernel/escape-html.ts";
import { PictureQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/**
 * Number of pictures kept: drawing one takes a tenth of a second, and several services request it when a link is
 * pasted.
 */
const MOST_PICTURES = 50;

interface PictureParts {
  readonly captures: Pick<Captures, "analyses">;
  readonly links: Pick<LinkDoor, "inWords">;
}

/** The picture of each link; for a link without a public description, the same as for a missing link. */
export function linkPictureRoutes({ captures, links }: PictureParts): Route[] {
  const drawn = new Map<string, Buffer>();
  return [
    route({
      method: "get",
      path: "/links/:id/picture.png",
      says: "Preview of a pasted link in chat programs: the verdict; empty for a link that has a passphrase or has expired",
      needs: "anyone",
      query: PictureQuery,
      answer: "png",
      handle: async ({ params: { id }, query: { theme }, response }) => {
        const words = await links.inWords(id);
        // A link that is changed, or a capture that is analyzed again, has another picture.
        const key =
          words === null ? theme : JSON.stringify([theme, words.captureId, words.view, words.summary]);
        const png = drawn.get(key) ?? (await drawLink(words && (await figuresOf(captures, words)), theme));
        if (png === null) throw problem("no-picture", "This system has no library to draw pictures with.");
        drawn.delete(key);
        drawn.set(key, png);
        for (const oldest of drawn.keys()) if (drawn.size > MOST_PICTURES) drawn.delete(oldest);
        response.type("png").send(png);
      },
    }),
  ];
}

async function figuresOf(
  { analyses }: PictureParts["captures"],
  words: LinkDescription,
): Promise<LinkFigures> {
  const window = decodeWindow(await analyses.preview(words.captureId));
  const { secondary, range } = shownBy(words.view);
  return linkFigures(
    words.summary,
    window,
    Math.min(secondary, Math.max(0, words.summary.stages.length - 1)),
    range,
  );
}

/** Range and secondary of a view; invalid values are ignored, as in the web app. */
function shownBy(view: string): {
  readonly secondary: number;
  readonly range: readonly [number, number] | null;
} {
  const params = new URLSearchParams(view);
  const range = CaptureRange.safeParse(params.get("range")?.split("_"));
  const secondary = z.coerce
    .number()
    .int()
    .min(0)
    .max(15)
    .catch(0)
    .parse(params.get("secondary") ?? 0);
  return { secondary, range: range.data ?? null };
}

/** The same description for all parts of one page: with replaced names, it needs all values of the summary. */
export function linkTextOnce(links: Pick<LinkDoor, "inWords">): Pick<LinkDoor, "inWords"> {
  const asked = new Map<string, Promise<LinkDescription | null>>();
  return {
    inWords: (id) => {
      const words = asked.get(id) ?? links.inWords(id);
      asked.set(id, words);
      return words;
    },
  };
}

/** Address of a link's page, `/l/ID` and further parts. */
const LINK_PAGE = /^\/l\/([A-Za-z0-9_-]{1,100})(?:\/|$)/u;

/**
 * Tags for the head of a link's page, by which chat programs show it; empty for other pages.
 * @param base path under which a proxy puts the app
 */
export function linkTags(
  links: Pick<LinkDoor, "inWords">,
  { publicUrl }: Pick<Config, "publicUrl">,
  base: string,
): (request: Request) => Promise<string[]> {
  return async (request) => {
    const id = LINK_PAGE.exec(request.path)?.[1];
    if (id === undefined) return [];
    const origin = publicUrl === null ? `${request.protocol}://${request.host}` : new URL(publicUrl).origin;
    const words = await links.inWords(id);
    return [
      ["og:type", "website"],
      ["og:site_name", "AG Lens"],
      ["og:title", words?.title ?? "A capture shared with AG Lens"],
      ["og:description", words?.summary.verdict.sentence ?? ""],
      ["og:image", `${origin}${base}/api/v1/links/${id}/picture.png`],
      ["og:image:width", "1200"],
      ["og:image:height", "630"],
    ]
      .filter(([, content]) => content !== "")
      .map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content ?? "")}">`);
  };
}
