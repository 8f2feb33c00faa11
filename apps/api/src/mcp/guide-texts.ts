/** Sections of the documents for users, found by words. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MOST_OF_TEXT } from "./bounded.ts";

/** A part of a page under one heading. */
interface Section {
  /** Title of the page, which is a question. */
  readonly page: string;
  /** Path of the page in the repository. */
  readonly file: string;
  readonly heading: string;
  readonly text: string;
}

/** Reference documents in addition to the guide: columns of tables for SQL. */
const REFERENCE = ["reference/tables.md"];
const WORTH_OF_HEADING = 5;

/** @param docs folder of the documents */
export async function guideSections(docs: string): Promise<Section[]> {
  const pages = (await readdir(join(docs, "guide"))).filter(
    (file) => file.endsWith(".md") && file !== "README.md",
  );
  const files = [...pages.toSorted().map((file) => `guide/${file}`), ...REFERENCE];
  const texts = await Promise.all(files.map((file) => readFile(join(docs, file), "utf8")));
  return files.flatMap((file, i) => sectionsOf(file, texts[i] ?? ""));
}

function sectionsOf(file: string, markdown: string): Section[] {
  const [head = "", ...parts] = markdown.split(/^(?=## )/mu);
  const page = /^# (.+)$/mu.exec(head)?.[1] ?? file;
  const sections = [head.replace(/^# .+$/mu, `## ${page}`), ...parts].flatMap((part) => {
    const [, heading = page] = /^## (.+)$/mu.exec(part) ?? [];
    const texts = shortTexts(plain(part.replace(/^## .+$/mu, "")));
    return texts.map((text, i) => ({
      page,
      file: `docs/${file}`,
      heading: i === 0 ? heading : `${heading} (part ${i + 1})`,
      text,
    }));
  });
  return sections.filter(({ text }) => text !== "");
}

/** Parts that an answer doesn't cut, such as those of a script: lines that are together up to the bound of a text. */
function shortTexts(text: string): string[] {
  const parts: string[] = [];
  for (const line of text.split("\n")) {
    const longer = `${parts.at(-1) ?? ""}\n${line}`;
    if (parts.length > 0 && longer.length <= MOST_OF_TEXT) parts[parts.length - 1] = longer;
    else parts.push(line);
  }
  return parts;
}

/** Markdown without pictures, and links as their texts. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/gu, "")
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/gu, "$1")
    .trim();

/** The heading, or the name that it explains, such as a table's: `blocks: a row per …`. */
const subjectOf = ({ heading }: Section): string => (heading.split(":")[0] ?? "").toLowerCase();

/** Sections with the most of the words first; those with all of them before others. */
export function findSections(sections: readonly Section[], words: string): Section[] {
  const wanted = words.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const scored = sections.map((section) => {
    const heading = `${section.heading} ${section.page}`.toLowerCase();
    const text = section.text.toLowerCase();
    const found = wanted.filter((word) => heading.includes(word) || text.includes(word));
    const score = found.reduce(
      (sum, word) =>
        sum +
        (subjectOf(section) === words.trim().toLowerCase() ? 100 : 0) +
        (heading.includes(word) ? WORTH_OF_HEADING : 0) +
        Math.min(3, text.split(word).length - 1),
      found.length * 10,
    );
    return { section, score: found.length === 0 ? 0 : score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ section }) => section);
}
