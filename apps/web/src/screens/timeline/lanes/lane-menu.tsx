import * as Menu from "@radix-ui/react-dropdown-menu";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { copyText } from "../../../frame/copy.tsx";
import { Kbd } from "../../../ui/controls.tsx";
import { focusAgain } from "../../../ui/focus-again.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { blockCopies, type Copy, filterLike, headOf, timeCopies } from "./menu-target.ts";
import { useTimelineData, useTimelineSelection } from "../timeline-context.ts";
import type { OpenMenu } from "./use-lane-menu.ts";
import styles from "./lane-menu.module.css";

/** Time for which a line shows that it has copied, ms. */
const SAID_MS = 1_000;

interface Props {
  readonly opened: OpenMenu;
  readonly onClose: () => void;
  readonly onMeasure: (opened: OpenMenu) => void;
}

/** Actions for an instant of the lanes and for the bar there: copy, measure, filter, open the sequence. */
export function LaneMenu({ opened, onClose, onMeasure }: Props): ReactNode {
  const { summary, view, setView, open } = useCapture();
  const { buffer: loaded } = useTimelineData();
  const { selection } = useTimelineSelection();
  const buffer = loaded.value;
  // The focus returns to its earlier element, so that keys continue from there.
  const before = useRef(document.activeElement);
  const { bar, at } = opened;
  const head = bar && buffer && headOf(summary, buffer, bar);
  const copies = bar && buffer ? blockCopies(summary, buffer, bar, view.secondary) : [];
  const like = bar && filterLike(summary, bar);
  return (
    <Menu.Root open modal={false} onOpenChange={(next) => next || onClose()}>
      <Menu.Trigger asChild>
        <span className={styles.place} style={{ left: opened.x, top: opened.y }} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          className={styles.menu}
          aria-labelledby={undefined}
          aria-label={head === null ? "This instant" : `${head.what} of block ${head.lsn}`}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onContextMenu={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(before.current);
          }}
        >
          {head === null ? null : (
            <div className={styles.head}>
              <b>
                {head.what} of block <code>{head.lsn}</code>
              </b>
              <span className="muted">{head.more}</span>
            </div>
          )}
          <Menu.Label className={styles.label}>
            {bar === null ? "Copy time" : "Copy time of its start"}
          </Menu.Label>
          {timeCopies(summary, at).map((copy) => (
            <CopyLine key={copy.label} copy={copy} />
          ))}
          {copies.length === 0 ? null : (
            <>
              <Menu.Label className={styles.label}>Copy</Menu.Label>
              {copies.map((copy) => (
                <CopyLine key={copy.label} copy={copy} />
              ))}
            </>
          )}
          <Menu.Separator className={styles.separator} />
          <Line onSelect={() => onMeasure(opened)} does="Measure from here" keys="q">
            snaps to edges
          </Line>
          {like === null ? null : (
            <Line onSelect={() => setView({ where: like.where })} does="Filter to blocks like it">
              {like.words}
            </Line>
          )}
          {bar === null ? null : (
            <Line onSelect={() => selection.toggle(bar.row)} does="Add to the selection" keys="Ctrl click" />
          )}
          {bar === null ? null : (
            <Line
              onSelect={() => open("sequence", { block: bar.row })}
              does="Open sequence"
              keys={bar.row === view.block ? "Enter" : undefined}
            />
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface LineProps {
  readonly does: string;
  readonly onSelect: (event: Event) => void;
  readonly keys?: string | undefined;
  readonly children?: ReactNode;
}

function Line({ does, onSelect, keys, children }: LineProps): ReactNode {
  return (
    <Menu.Item className={styles.line} onSelect={onSelect}>
      <span>{does}</span>
      <span>{children}</span>
      {keys === undefined ? null : <Kbd>{keys}</Kbd>}
    </Menu.Item>
  );
}

/** Copies and stays open, because users often copy several lines; the line shows the outcome. */
function CopyLine({ copy: { label, text, shown } }: { readonly copy: Copy }): ReactNode {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (event: Event): void => {
    event.preventDefault();
    void copyText(text).then((isCopied) =>
      setSaid(isCopied ? "copied" : "the browser does not allow copying here"),
    );
  };
  return (
    <Line does={label} onSelect={copy}>
      <output>{said ?? shown ?? text}</output>
    </Line>
  );
}
