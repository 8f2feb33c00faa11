import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from "react";
import type { Answer } from "../data/use-answer.ts";
import type { FilterProblem } from "../filter/read-filter.ts";
import { SearchIcon } from "../frame/icons.tsx";
import { KeyHint } from "../frame/key-hint.tsx";
import { Problem } from "../frame/problem.tsx";
import { pagesTexts as texts } from "../messages/pages.ts";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { Kbd } from "../ui/controls.tsx";
import type { KeyId } from "../ui/keymap.ts";
import { useKeys } from "../ui/keys.ts";
import { formatTime } from "../ui/words.ts";
import type { SearchHit } from "./search-hits.ts";
import { type Found } from "./use-found.ts";
import { useSearchList, withWord } from "./use-search-list.ts";
import styles from "./search.module.css";

interface Props {
  readonly field: RefObject<HTMLInputElement | null>;
  /** Actions of the box other than opening a place, by the keymap's ids. */
  readonly actions: Partial<Record<KeyId, () => void>>;
}

/**
 * Goes to a time or to a log block, filters blocks, or runs a command by its name: type, choose with the arrows, Enter.
 */
export function Search({ field, actions }: Props): ReactNode {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [listed, setListed] = useState(false);
  const list = useId();
  const { hits, found, problem } = useSearchList(text, listed, actions);
  useKeys({ search: () => field.current?.focus() });

  const write = (next: string): void => {
    setText(next);
    setChosen(0);
    setListed(true);
  };
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
  const complete = (): boolean => {
    const nearest = problem?.nearest[0];
    const next =
      nearest === undefined ? (hits[chosen]?.completes ?? text) : withWord(text, problem!, nearest);
    if (next === text || text === "") return false;
    write(next);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && hits.length > 0) {
      const next = (chosen + step + hits.length) % hits.length;
      setChosen(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") take(hits[chosen]);
    else if (event.key === "Tab" && !event.shiftKey && complete()) setListed(true);
    // First the preview of the typed filter's hits is closed; then the box.
    else if (event.key === "Escape" && text !== "" && found === null) write("");
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  };
  return (
    <search className={styles.search}>
      <SearchIcon />
      <UnreadPart field={field} text={text} problem={problem} />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={texts.filterTimeLsn}
        aria-expanded={listed && hits.length > 0}
        aria-controls={listed ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={listed && hits.length > 0 ? `${list}-${chosen}` : undefined}
        aria-invalid={problem !== null}
        aria-keyshortcuts="/ Control+K"
        placeholder={texts.filterTimeOrLsn}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => write(event.target.value)}
        onFocus={() => setListed(true)}
        onBlur={() => {
          setListed(false);
          setText("");
        }}
        onKeyDown={onKeyDown}
      />
      <Kbd>{listed ? "Esc" : "/"}</Kbd>
      {listed ? (
        // The list must not take the focus from the field: neither when it is clicked, nor as a scrolling element,
        // which browsers focus.
        <div className={styles.list} tabIndex={-1} onPointerDown={(event) => event.preventDefault()}>
          {problem === null ? null : <ProblemLine problem={problem} />}
          {found === null ? null : <SearchState found={found} isEmpty={hits.length === 0} />}
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot follow a text field */}
          <div id={list} role="listbox" aria-label={texts.conditionsPlaces}>
            {hits.map((hit, i) => (
              <Entry
                key={hit.key}
                id={`${list}-${i}`}
                hit={hit}
                opensGroup={hit.group !== hits[i - 1]?.group}
                isChosen={i === chosen}
                onPoint={() => setChosen(i)}
                onTake={() => take(hit)}
              />
            ))}
          </div>
          <Hints />
        </div>
      ) : null}
    </search>
  );
}

interface EntryProps {
  readonly id: string;
  readonly hit: SearchHit;
  /** True for the first of a group: the group's name is above it. */
  readonly opensGroup: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onTake: () => void;
}

function Entry({ id, hit, opensGroup, isChosen, onPoint, onTake }: EntryProps): ReactNode {
  return (
    <>
      {opensGroup ? (
        <div className={styles.group} role="presentation">
          {hit.group}
        </div>
      ) : null}
      <button
        id={id}
        type="button"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot follow a text field
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        onPointerEnter={onPoint}
        onClick={onTake}
      >
        <b data-words={hit.words === true}>{hit.label}</b>
        <span>{hit.note}</span>
        {hit.count === undefined ? null : <i>{hit.count}</i>}
      </button>
    </>
  );
}

function Hints(): ReactNode {
  return (
    <div className={styles.hints}>
      <KeyHint keys={["↑", "↓"]}>{texts.choose}</KeyHint>
      <KeyHint keys={["Enter"]}>{texts.apply}</KeyHint>
      <KeyHint keys={["Tab"]}>{texts.complete}</KeyHint>
      <span>{texts.filterSyntax}</span>
    </div>
  );
}

/** Reason why a part cannot be read, and its likely meanings. */
function ProblemLine({ problem: { sentence, nearest } }: { readonly problem: FilterProblem }): ReactNode {
  return (
    <output className={styles.unread}>
      {sentence}
      {nearest.length === 0 ? "" : texts.nearest(nearest.map((word) => word.trim()).join(", "))}
    </output>
  );
}

/** A wavy line below the unreadable part: the same text behind the field's own. */
function UnreadPart({
  field,
  text,
  problem,
}: {
  readonly field: Props["field"];
  readonly text: string;
  readonly problem: FilterProblem | null;
}): ReactNode {
  if (problem === null || problem.to === problem.from) return null;
  return (
    <div className={styles.behind} aria-hidden="true">
      <div style={{ transform: `translateX(${-(field.current?.scrollLeft ?? 0)}px)` }}>
        {text.slice(0, problem.from)}
        <u>{text.slice(problem.from, problem.to)}</u>
      </div>
    </div>
  );
}

/** State that the entries cannot show: searching, nothing found, or not answered. */
function SearchState({ found, isEmpty }: { found: Answer<Found>; isEmpty: boolean }): ReactNode {
  const { summary } = useCapture();
  if (found.error !== null) return <Problem sentence={found.error} onRetry={found.retry} />;
  if (found.value === null) return <output>{texts.looking}</output>;
  if (!isEmpty) return null;
  return <output>{texts.noSuchTimeBlock(formatTime(summary, summary.durationUs / 2, 0))}</output>;
}
