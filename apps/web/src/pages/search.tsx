import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { FoundBlocks, Summary } from "@aglens/contract";
import type { CaptureSource } from "../data/capture-source.ts";
import { Kbd } from "../ui/controls.tsx";
import { useKeys } from "../ui/keys.ts";
import { formatOffset, formatUtc } from "../ui/words.ts";
import type { ScreenProps } from "../screens/screen.ts";
import type { KeyId } from "../ui/keymap.ts";
import { commandsOf, matching } from "./commands.ts";
import { SearchIcon } from "../frame/icons.tsx";
import { useFound, type Found } from "./use-found.ts";

interface Props {
  readonly source: CaptureSource;
  readonly summary: Summary;
  readonly view: ScreenProps["view"];
  readonly open: ScreenProps["open"];
  /** What the box can do besides going somewhere, by the keymap's ids. */
  readonly actions: Partial<Record<KeyId, () => void>>;
}

/** One place to go to. */
interface Hit {
  readonly key: string;
  readonly label: string;
  readonly note: string;
  /** The label is words, not an LSN or a time. */
  readonly words?: boolean;
  readonly go: () => void;
}

/** µs around an instant when the view is not zoomed yet. */
const AROUND = 2e6;

/** Go to a time or to a log block, or do something by its name: type, choose with the arrows, Enter. */
export function Search({ source, summary, view, open, actions }: Props): ReactNode {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [listed, setListed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const list = useId();
  const found = useFound(source, summary, text);
  const hits =
    found === null
      ? []
      : [
          ...hitsOf(found, { summary, view, open }),
          ...commandHits(found.text, { summary, view, open, actions }),
        ];
  useKeys({ search: () => field.current?.focus() });

  const leave = (): void => {
    setText("");
    setListed(false);
    document.getElementById("content")?.focus();
  };
  const take = (hit: Hit | undefined): void => {
    if (!hit) return;
    hit.go();
    leave();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && hits.length > 0) setChosen((chosen + step + hits.length) % hits.length);
    else if (event.key === "Enter") take(hits[chosen]);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  };
  const shown = listed && text.trim() !== "";
  return (
    <search className="search">
      <SearchIcon />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Go to time or LSN, or a command"
        aria-expanded={shown && hits.length > 0}
        aria-controls={shown ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown && hits.length > 0 ? `${list}-${chosen}` : undefined}
        aria-keyshortcuts="/ Control+K"
        placeholder="Go to time, LSN, command"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
          setListed(true);
        }}
        onFocus={() => setListed(true)}
        onBlur={() => setListed(false)}
        onKeyDown={onKeyDown}
      />
      <Kbd>/</Kbd>
      {shown ? (
        // The list must not take the focus from the field when it is clicked.
        <div className="search-list" onPointerDown={(event) => event.preventDefault()}>
          {found === null ? <output>Looking</output> : null}
          {found !== null && hits.length === 0 ? <NothingFound summary={summary} /> : null}
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot follow a text field */}
          <div id={list} role="listbox" aria-label="Places found">
            {hits.map((hit, i) => (
              <button
                key={hit.key}
                id={`${list}-${i}`}
                type="button"
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot follow a text field
                role="option"
                tabIndex={-1}
                aria-selected={i === chosen}
                onPointerEnter={() => setChosen(i)}
                onClick={() => take(hit)}
              >
                <b className={hit.words === true ? "words" : ""}>{hit.label}</b>
                <span>{hit.note}</span>
              </button>
            ))}
          </div>
        </div>
      ) : null}
    </search>
  );
}

function NothingFound({ summary }: { summary: Summary }): ReactNode {
  return (
    <output>
      No such time, block or command in this capture. Try{" "}
      {formatUtc(summary.originTicks, summary.durationUs / 2, 0)}, +1.5&thinsp;s, 00000022:00000167 or a
      log_block_id.
    </output>
  );
}

function commandHits(text: string, { summary, view, open, actions }: Omit<Props, "source">): Hit[] {
  return matching(commandsOf(summary, view, open, actions), text).map(({ key, words, note, go }) => ({
    key,
    label: words,
    note,
    words: true,
    go,
  }));
}

function hitsOf(
  { at, from, blocks }: Found,
  { summary, view, open }: Pick<Props, "summary" | "view" | "open">,
): Hit[] {
  const when = (us: number): string => `${formatUtc(summary.originTicks, us)}, ${formatOffset(us)}`;
  const around = (us: number): readonly [number, number] => {
    const span = view.range === null ? Math.min(AROUND, summary.durationUs) : view.range[1] - view.range[0];
    const start = Math.min(Math.max(0, us - span / 2), Math.max(0, summary.durationUs - span));
    return [start, start + span];
  };
  const database = (index: number): string =>
    summary.databases.length > 1 ? `, ${summary.databases[index]?.name ?? "?"}` : "";
  const block = ({ row, lsn, time, database: db }: FoundBlocks["rows"][number]): Hit[] => [
    {
      key: `sequence-${row}`,
      label: lsn,
      note: `sequence, ${when(time)}${database(db)}`,
      go: () => open("sequence", { block: row }),
    },
    {
      key: `timeline-${row}`,
      label: lsn,
      note: `timeline, ${when(time)}${database(db)}`,
      go: () => open("timeline", { block: row, range: around(time) }),
    },
  ];
  const instant: Hit[] =
    at === null
      ? []
      : [
          {
            key: "time",
            label: formatUtc(summary.originTicks, at),
            note: `timeline, ${formatOffset(at)}`,
            go: () => open("timeline", { range: around(at) }),
          },
        ];
  return [
    ...blocks.flatMap(block),
    ...instant,
    ...from.slice(0, 1).map(({ row, lsn, time }) => ({
      key: `next-${row}`,
      label: lsn,
      note: `sequence of the first block from then, ${formatOffset(time)}`,
      go: () => open("sequence", { block: row }),
    })),
  ];
}
