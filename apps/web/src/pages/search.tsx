import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import type { Answer } from "../data/use-answer.ts";
import { SearchIcon } from "../frame/icons.tsx";
import { Problem } from "../frame/problem.tsx";
import { useCapture } from "../screens/capture-context.ts";
import { Kbd } from "../ui/controls.tsx";
import type { KeyId } from "../ui/keymap.ts";
import { useKeys } from "../ui/keys.ts";
import { formatUtc } from "../ui/words.ts";
import { commandsFound, placesFound, type SearchHit } from "./search-hits.ts";
import { useFound, type Found } from "./use-found.ts";
import styles from "./search.module.css";

interface Props {
  /** What the box can do besides opening a place, by the keymap's ids. */
  readonly actions: Partial<Record<KeyId, () => void>>;
}

/** Go to a time or to a log block, or do something by its name: type, choose with the arrows, Enter. */
export function Search({ actions }: Props): ReactNode {
  const capture = useCapture();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [listed, setListed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const list = useId();
  const found = useFound(capture.source, capture.summary, text);
  const isEmpty = text.trim() === "";
  // Commands are known without the server, and all of them before anything is typed.
  const hits =
    !isEmpty && found.value === null && found.error === null
      ? []
      : [...placesFound(found.value, capture), ...commandsFound(text, capture, actions)];
  useKeys({ search: () => field.current?.focus() });

  const leave = (): void => {
    setText("");
    setChosen(0);
    setListed(false);
    document.getElementById("content")?.focus();
  };
  const take = (hit: SearchHit | undefined): void => {
    if (!hit) return;
    hit.open();
    leave();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && hits.length > 0) {
      const next = (chosen + step + hits.length) % hits.length;
      setChosen(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") take(hits[chosen]);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  };
  const shown = listed;
  return (
    <search className={styles.search}>
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
        <div className={styles.list} onPointerDown={(event) => event.preventDefault()}>
          {isEmpty ? null : <SearchState found={found} isEmpty={hits.length === 0} />}
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot follow a text field */}
          <div id={list} role="listbox" aria-label="Places and commands">
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
                <b data-words={hit.words === true}>{hit.label}</b>
                <span>{hit.note}</span>
              </button>
            ))}
          </div>
        </div>
      ) : null}
    </search>
  );
}

/** What the list cannot say by its entries: still looking, nothing found, or not answered. */
function SearchState({ found, isEmpty }: { found: Answer<Found>; isEmpty: boolean }): ReactNode {
  const { summary } = useCapture();
  if (found.error !== null) return <Problem sentence={found.error} onRetry={found.retry} />;
  if (found.value === null) return <output>Looking</output>;
  if (!isEmpty) return null;
  return (
    <output>
      No such time, block or command in this capture. Try {formatUtc(summary, summary.durationUs / 2, 0)},
      +1.5&thinsp;s, 00000022:00000167 or a log_block_id.
    </output>
  );
}
