import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Link } from "wouter";
import { frameTexts as texts } from "../messages/frame.ts";
import { Kbd } from "../ui/controls.tsx";
import { KEYMAP, POINTER_MOVES, type KeyEntry, type KeyId } from "../ui/keymap.ts";
import { isKeyBound } from "../ui/keys.ts";
import { capitalised } from "../ui/words.ts";
import { Modal, ModalBody } from "./modal.tsx";
import styles from "./keys-dialog.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** A line of the dialog. */
interface Printed extends Pick<KeyEntry, "id" | "shown" | "does"> {
  readonly task: string;
  /** Whether the open screen uses it. */
  readonly isUsed: boolean;
}

/** Keys by task, with a search; from the table that handles them. */
export function KeysDialog({ open, onOpenChange }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Modal
      open={open}
      onOpenChange={onOpenChange}
      title={texts.keys}
      width={1000}
      onFocus={() => field.current?.focus()}
    >
      <Keys field={field} onLeave={() => onOpenChange(false)} />
    </Modal>
  );
}

function Keys({
  field,
  onLeave,
}: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onLeave: () => void;
}): ReactNode {
  const [search, setSearch] = useState("");
  const [entries] = useState(printedEntries);
  const shown = search.trim() === "" ? entries.filter(isOfScreen(entries)) : entries.filter(matches(search));
  return (
    <>
      <div className={styles.search}>
        <input
          ref={field}
          type="search"
          className={styles.field}
          aria-label={texts.searchKeysAndTasks}
          placeholder={texts.searchKeysAndTasks}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <ModalBody label={texts.keysByTask}>
        <div className={styles.groups}>
          {[...Map.groupBy(shown, ({ task }) => task)].map(([task, lines]) => (
            <section key={task}>
              <h3>{task}</h3>
              <dl>
                {lines.map(({ id, shown: keys, does, isUsed }) => (
                  <div key={id} data-used={isUsed}>
                    <dt>{capitalised(does)}</dt>
                    <dd>
                      {keys.map((key) =>
                        key === "to" ? <span key={key}>{texts.to}</span> : <Kbd key={key}>{key}</Kbd>,
                      )}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </ModalBody>
      <footer className={styles.foot}>
        <output>
          {shown.length === 0 ? texts.noKeyOrTask(search.trim()) : texts.tasksKeys(shown.length)}
        </output>
        <Link href="/help/keyboard" onClick={onLeave}>
          {texts.allKeysInHelp}
        </Link>
      </footer>
    </>
  );
}

const printedEntries = (): Printed[] => [
  ...(KEYMAP as readonly KeyEntry[]).map((entry) => ({ ...entry, isUsed: isKeyBound(entry.id as KeyId) })),
  ...POINTER_MOVES.map((move) => ({
    ...move,
    task: texts.timelineWithThePointer,
    isUsed: isKeyBound("zoomIn"),
  })),
];

/** Without a search: the keys of the open screen, and those that work everywhere. */
function isOfScreen(entries: readonly Printed[]): (entry: Printed) => boolean {
  const groupOf = (id: string): string =>
    (KEYMAP as readonly KeyEntry[]).find((entry) => entry.id === id)?.group ?? texts.timelineWithThePointer;
  const groups = new Set(entries.filter(({ isUsed }) => isUsed).map(({ id }) => groupOf(id)));
  return ({ id }) => groupOf(id) === "Everywhere" || groups.has(groupOf(id));
}

function matches(search: string): (entry: Printed) => boolean {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  return ({ shown, does, task }) => {
    const text = `${shown.join(" ")} ${does} ${task}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
