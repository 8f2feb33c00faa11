import * as Menu from "@radix-ui/react-dropdown-menu";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { LaneBox } from "../../../charts/timeline/heights.ts";
import { copyText } from "../../../frame/copy.tsx";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { Kbd } from "../../../ui/controls.tsx";
import { focusAgain } from "../../../ui/focus-again.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { blockCopies, type Copy, filterLike, headOf, timeCopies } from "./menu-target.ts";
import { useLaneChoice } from "./use-lane-choice.ts";
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
  const { summary, view } = useCapture();
  const { buffer: loaded } = useTimelineData();
  const buffer = loaded.value;
  // The focus returns to its earlier element, so that keys continue from there.
  const before = useRef(document.activeElement);
  const { bar, box, isOfName } = opened;
  const head = bar && buffer && headOf(summary, buffer, bar);
  const copies = bar && buffer ? blockCopies(summary, buffer, bar, view.secondary) : [];
  const like = bar === null ? null : filterLike(summary, bar);
  return (
    <Menu.Root open modal={false} onOpenChange={(next) => next || onClose()}>
      <Menu.Trigger asChild>
        <span className={styles.place} style={{ left: opened.x, top: opened.y }} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          className={styles.menu}
          aria-labelledby={undefined}
          aria-label={menuName(opened, head)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onContextMenu={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(before.current);
          }}
        >
          {isOfName ? (
            <div className={styles.head}>
              <b>{box?.lane.label}</b>
            </div>
          ) : null}
          {head === null ? null : (
            <div className={styles.head}>
              <b>{texts.ofBlock(head.what, <code>{head.lsn}</code>)}</b>
              <span className="muted">{head.more}</span>
            </div>
          )}
          {isOfName ? null : <TimeLines {...{ opened, onMeasure, copies, like }} />}
          {box === null ? null : <LaneLines box={box} isAlone={isOfName} />}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Name of the menu for screen readers. */
function menuName({ isOfName, box }: OpenMenu, head: ReturnType<typeof headOf>): string {
  if (isOfName) return texts.laneLabel(box?.lane.label ?? "");
  return head === null ? texts.thisInstant : texts.ofBlockPart(head.what, head.lsn);
}

interface TimeLinesProps extends Pick<Props, "opened" | "onMeasure"> {
  readonly copies: readonly Copy[];
  readonly like: ReturnType<typeof filterLike>;
}

/** Actions with an instant, and with the bar there. */
function TimeLines({ opened, onMeasure, copies, like }: TimeLinesProps): ReactNode {
  const { summary, view, setView, open } = useCapture();
  const { selection } = useTimelineSelection();
  const { bar, at } = opened;
  return (
    <>
      <Menu.Label className={styles.label}>{bar === null ? texts.copyTime : texts.copyTimeOf}</Menu.Label>
      {timeCopies(summary, at).map((copy) => (
        <CopyLine key={copy.label} copy={copy} />
      ))}
      {copies.length === 0 ? null : (
        <>
          <Menu.Label className={styles.label}>{texts.copy}</Menu.Label>
          {copies.map((copy) => (
            <CopyLine key={copy.label} copy={copy} />
          ))}
        </>
      )}
      <Menu.Separator className={styles.separator} />
      <Line onSelect={() => onMeasure(opened)} does={texts.measureFromHere} keys="q">
        {texts.snapsToEdges}
      </Line>
      {like === null ? null : (
        <Line onSelect={() => setView({ where: like.where })} does={texts.filterToBlocksLike}>
          {like.words}
        </Line>
      )}
      {bar === null ? null : (
        <Line
          onSelect={() => selection.toggle(bar.row)}
          does={texts.addToTheSelection}
          keys={texts.ctrlClick}
        />
      )}
      {bar === null ? null : (
        <Line
          onSelect={() => open("sequence", { block: bar.row })}
          does={texts.openSequence}
          keys={bar.row === view.block ? "Enter" : undefined}
        />
      )}
    </>
  );
}

/** Actions with the lane: the same as by its number key, by drag and by Alt and an arrow. */
function LaneLines({ box, isAlone }: { readonly box: LaneBox; readonly isAlone: boolean }): ReactNode {
  const { setLane, togglePin } = useLaneChoice();
  const { lane, tall } = box;
  return (
    <>
      {isAlone ? null : <Menu.Separator className={styles.separator} />}
      <Line
        onSelect={() => togglePin(lane)}
        does={lane.pinned ? texts.unpinLane : texts.pinLaneAbove}
        keys={lane.pinned ? undefined : "Alt \u2191"}
      />
      {lane.pinned ? null : (
        <Line onSelect={() => setLane(lane, !tall)} does={tall ? texts.makeLaneThin : texts.makeLaneTall} />
      )}
    </>
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
    void copyText(text).then((isCopied) => setSaid(isCopied ? texts.copied : texts.browserDoesNotAllow));
  };
  return (
    <Line does={label} onSelect={copy}>
      <output>{said ?? shown ?? text}</output>
    </Line>
  );
}
