import { marked, type Token, type Tokens } from "marked";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { slugOf } from "./src/messages/causes.ts";
import { type Block, type GuidePage, type Inline, inlineText } from "./src/screens/help/guide-pages.ts";

const FOLDER = fileURLToPath(new URL("../../docs/guide/", import.meta.url));
const NAME = "virtual:guide";
const RESOLVED = `\0${NAME}`;

/** `virtual:guide` contains the pages of `docs/guide` as data, so that a browser needs no Markdown and no parser. */
export const guidePages: Plugin = {
  name: "guide-pages",
  resolveId: (source) => (source === NAME ? RESOLVED : null),
  load(id) {
    if (id !== RESOLVED) return null;
    for (const file of guideFiles()) this.addWatchFile(FOLDER + file);
    return `export default ${JSON.stringify(readGuide(FOLDER))};`;
  },
};

const guideFiles = (): string[] => readdirSync(FOLDER).filter((file) => file.endsWith(".md"));

/** The pages in the order of the index, `README.md` of the folder; it has a heading for each group and a link for each page. */
export function readGuide(folder: string): GuidePage[] {
  const groups = groupsOf(readFileSync(`${folder}/README.md`, "utf8"));
  return groups.map(({ id, group }) => {
    const blocks = blocksOf(marked.lexer(readFileSync(`${folder}/${id}.md`, "utf8")), id);
    const [first, ...rest] = blocks;
    if (first?.kind !== "heading") throw new Error(`docs/guide/${id}.md doesn't begin with a title.`);
    return { id, group, title: inlineText(first.children), blocks: rest };
  });
}

function groupsOf(index: string): { id: string; group: string }[] {
  let group = "";
  return index.split("\n").flatMap((line) => {
    group = /^## (.+)$/u.exec(line)?.[1] ?? group;
    const id = /^- \[.+\]\(([a-z-]+)\.md\)$/u.exec(line)?.[1];
    return id === undefined ? [] : [{ id, group }];
  });
}

const blocksOf = (tokens: readonly Token[], page: string): Block[] =>
  tokens.flatMap((token): Block[] => {
    const children = (): Inline[] => inlinesOf("tokens" in token ? (token.tokens ?? []) : [], page);
    switch (token.type) {
      case "heading": {
        const { depth } = token as Tokens.Heading;
        const inlines = children();
        return [{ kind: "heading", depth, id: slugOf(inlineText(inlines)), children: inlines }];
      }
      case "paragraph":
      case "text": {
        const inlines = children();
        // A paragraph that has only a picture is empty.
        return inlineText(inlines).trim() === "" ? [] : [{ kind: "paragraph", children: inlines }];
      }
      case "code":
        return [{ kind: "code", text: (token as Tokens.Code).text }];
      case "list": {
        const { ordered, items } = token as Tokens.List;
        return [
          { kind: "list", isOrdered: ordered, items: items.map((item) => blocksOf(item.tokens, page)) },
        ];
      }
      case "table": {
        const { header, rows } = token as Tokens.Table;
        const cell = ({ tokens: inside }: Tokens.TableCell): Inline[] => inlinesOf(inside, page);
        return [{ kind: "table", head: header.map(cell), rows: rows.map((row) => row.map(cell)) }];
      }
      case "space":
        return [];
      default:
        throw new Error(`docs/guide/${page}.md has Markdown that the app can't show: ${token.type}`);
    }
  });

const inlinesOf = (tokens: readonly Token[], page: string): Inline[] =>
  tokens.flatMap((token): Inline[] => {
    const children = (): Inline[] => inlinesOf("tokens" in token ? (token.tokens ?? []) : [], page);
    switch (token.type) {
      case "strong":
      case "em":
        return [{ kind: token.type, children: children() }];
      case "codespan":
        return [{ kind: "code", text: (token as Tokens.Codespan).text }];
      case "link": {
        const to = addressOf((token as Tokens.Link).href, page);
        return to === null ? children() : [{ kind: "link", to, children: children() }];
      }
      // The single file contains no pictures.
      case "image":
        return [];
      case "br":
        return ["\n"];
      case "escape":
      case "text": {
        const { text, tokens: inside } = token as Tokens.Text;
        return inside === undefined ? [text.replaceAll("\n", " ")] : inlinesOf(inside, page);
      }
      default:
        throw new Error(`docs/guide/${page}.md has Markdown that the app can't show: ${token.type}`);
    }
  });

/** Address of a link in the app; null for a document that the app doesn't have. */
function addressOf(href: string, page: string): string | null {
  if (href.startsWith("https://")) return href;
  const parts = /^(?:(?<file>[a-z-]+)\.md)?(?:#(?<section>.+))?$/u.exec(href)?.groups;
  if (parts === undefined) return null;
  return ["/help", parts["file"] ?? page, parts["section"]].filter((part) => part !== undefined).join("/");
}
