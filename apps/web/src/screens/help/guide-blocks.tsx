import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import { CopyCode } from "../../frame/copy.tsx";
import { helpTexts as texts } from "../../messages/help.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { type Block, type Inline, inlineText } from "./guide-pages.ts";

/** Blocks of a page never change their places, so the places are their keys. */
const keyed = <Part,>(parts: readonly Part[], draw: (part: Part) => ReactNode): ReactNode =>
  parts.map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- see above
    <Fragment key={place}>{draw(part)}</Fragment>
  ));

/** A part of the guide. @param section the heading that an address names, which is marked */
export const GuideBlocks = ({
  blocks,
  section,
}: {
  readonly blocks: readonly Block[];
  readonly section?: string | undefined;
}): ReactNode =>
  keyed(blocks, (block) => <GuideBlock block={block} isNamed={"id" in block && block.id === section} />);

function GuideBlock({ block, isNamed }: { readonly block: Block; readonly isNamed: boolean }): ReactNode {
  switch (block.kind) {
    case "heading": {
      const Heading = block.depth === 2 ? "h2" : "h3";
      return (
        <Heading id={block.id} data-named={isNamed}>
          <Text parts={block.children} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Text parts={block.children} />
        </p>
      );
    case "code":
      return <CopyCode code={block.text} label={texts.code} />;
    case "list": {
      const items = keyed(block.items, (item) => (
        <li>
          <GuideBlocks blocks={item} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    default:
      return (
        <FigureTable<readonly (readonly Inline[])[]>
          rows={block.rows}
          columns={block.head.map((head, column) => ({
            id: `${column} ${inlineText(head)}`,
            head: <Text parts={head} />,
            align: "left",
            cell: (row) => <Text parts={row[column] ?? []} />,
          }))}
        />
      );
  }
}

const Text = ({ parts }: { readonly parts: readonly Inline[] }): ReactNode =>
  keyed(parts, (part) => {
    if (typeof part === "string") return part;
    if (part.kind === "code") return <code>{part.text}</code>;
    const inside = <Text parts={part.children} />;
    if (part.kind !== "link") return part.kind === "strong" ? <strong>{inside}</strong> : <em>{inside}</em>;
    if (part.to.startsWith("https:"))
      return (
        <a href={part.to} target="_blank" rel="noreferrer">
          {inside}
        </a>
      );
    return <Link href={part.to}>{inside}</Link>;
  });
