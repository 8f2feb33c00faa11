/** The pages of `docs/guide` that the build provides to the app (`guide-plugin.ts` of this package). */

/** Text inside of a block. */
export type Inline =
  | string
  | { readonly kind: "strong" | "em"; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  /** `to` is an address inside of the app (`/help/verdict/slow-network`), or one that begins with https. */
  | { readonly kind: "link"; readonly to: string; readonly children: readonly Inline[] };

/** A part of a page. */
export type Block =
  | {
      readonly kind: "heading";
      readonly depth: number;
      readonly id: string;
      readonly children: readonly Inline[];
    }
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: "table";
      readonly head: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    };

/** A page, which answers one question. */
export interface GuidePage {
  /** Its place in addresses: `/help/verdict`. */
  readonly id: string;
  readonly title: string;
  /** Heading of the index (`docs/guide/README.md`) that lists it. */
  readonly group: string;
  readonly blocks: readonly Block[];
}

/** The text of blocks, for the search. */
export const textOf = (blocks: readonly Block[]): string => blocks.map(textOfBlock).join("\n");

function textOfBlock(block: Block): string {
  switch (block.kind) {
    case "code":
      return block.text;
    case "list":
      return block.items.map(textOf).join("\n");
    case "table":
      return [block.head, ...block.rows].map((row) => row.map(inlineText).join(" ")).join("\n");
    default:
      return inlineText(block.children);
  }
}

/** Inline parts without their markup. */
export const inlineText = (parts: readonly Inline[]): string =>
  parts
    .map((part) =>
      typeof part === "string" ? part : part.kind === "code" ? part.text : inlineText(part.children),
    )
    .join("");

/** A page that a search finds, with the sentence that matched; null where its title did. */
export interface Found {
  readonly page: GuidePage;
  readonly sentence: string | null;
}

/** Pages that contain every word of a search, those with all words in their title first. */
export function searchPages(pages: readonly GuidePage[], search: string): Found[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  const hasAll = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const titled = pages.filter(({ title }) => hasAll(title));
  const others = pages.filter((page) => !titled.includes(page) && hasAll(textOf(page.blocks)));
  return [
    ...titled.map((page) => ({ page, sentence: null })),
    ...others.map((page) => ({ page, sentence: sentenceWith(page, words) })),
  ];
}

/** The first sentence with most of the words. */
function sentenceWith({ blocks }: GuidePage, words: readonly string[]): string {
  const sentences = textOf(blocks).split(/(?<=[.!?])\s+|\n/u);
  const count = (text: string): number => words.filter((word) => text.toLowerCase().includes(word)).length;
  return sentences.reduce((best, each) => (count(each) > count(best) ? each : best), "");
}
