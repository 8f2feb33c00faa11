import * as Menu from "@radix-ui/react-dropdown-menu";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import type { CaptureAddress } from "../data/capture-address.ts";
import { isLocalId } from "../data/local-server.ts";
import { happenedTexts } from "../messages/happened.ts";
import { pagesTexts as texts } from "../messages/pages.ts";
import { type CaptureTab, hasTab, TAB_LABELS } from "../screens/capture-view/capture-context.ts";
import { viewUrl } from "../state/use-view.ts";
import type { LinkedView } from "../state/view.ts";
import { Kbd } from "../ui/controls.tsx";
import { KEYMAP, type KeyEntry, type KeyId } from "../ui/keymap.ts";
import { type KeyBindings, pressKey } from "../ui/keys.ts";
import styles from "./tabs.module.css";

/** The screens that answer where commits wait, in the order of a closer look. */
const TABS: readonly CaptureTab[] = ["overview", "timeline", "sequence", "compare"];

/** Screens that figures lead to, and the menu. */
const MORE: readonly CaptureTab[] = ["distribution", "waiting", "what-if", "raw-events", "sql", "how-read"];

const KEY_IDS: Partial<Record<CaptureTab, string>> = {
  "what-if": "whatIf",
  "raw-events": "rawEvents",
  "how-read": "howRead",
};

const keysOf = (tab: CaptureTab): readonly string[] =>
  KEYMAP.find(({ id }) => id === (KEY_IDS[tab] ?? tab))?.shown ?? [];

/** Address of a screen of a capture. */
export function tabPath({ page }: CaptureAddress, tab: CaptureTab): string {
  return tab === "overview" ? page : `${page}/${tab}`;
}

/** False for files that this browser read: they have no tables for SQL. */
export const hasSql = ({ id }: CaptureAddress): boolean => !isLocalId(id);

/** Actions that had only keys. An action that the open screen or the visitor can't do is absent. */
const COMMANDS = {
  tags: "Tags",
  copyVerdict: texts.copyTheVerdict,
  clock: texts.rawOrAlignedClock,
  ruler: "Ruler",
} as const satisfies Partial<Record<KeyId, string>>;

interface Props {
  readonly address: CaptureAddress;
  readonly tab: CaptureTab;
  readonly view: LinkedView;
  /** True for a capture without data-movement events. */
  readonly alone?: boolean;
  /** Actions of the frame, which have keys. */
  readonly actions?: KeyBindings;
}

/** Four screens as tabs, the one that is open if it is another, and a menu of the others. */
export function Tabs({ address, tab, view, alone = false, actions = {} }: Props): ReactNode {
  const nav = useRef<HTMLElement>(null);
  const own = TABS.filter((each) => hasTab(alone, each));
  const tabs = own.includes(tab) ? own : [...own, tab];
  const at = tabs.indexOf(tab);
  // In a narrow window the tabs scroll: the one that is open is in sight.
  useEffect(() => {
    // The layout that it forces is then part of the frame's own layout.
    const frame = requestAnimationFrame(() =>
      nav.current?.children[at]?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
    return () => cancelAnimationFrame(frame);
  }, [at]);
  const hrefOf = (each: CaptureTab): string => viewUrl(tabPath(address, each), view);
  return (
    <nav ref={nav} className={styles.tabs} aria-label={texts.screens}>
      {tabs.map((each) => (
        <Link
          key={each}
          href={hrefOf(each)}
          aria-current={each === tab ? "page" : undefined}
          // Keys belong to the screen that opens, not to the tab that opened it.
          onClick={() => document.getElementById("content")?.focus()}
        >
          {alone && each === "timeline" ? happenedTexts.whatHappened : TAB_LABELS[each]}
        </Link>
      ))}
      <More
        tabs={MORE.filter(
          (each) => each !== tab && hasTab(alone, each) && (each !== "sql" || hasSql(address)),
        )}
        hrefOf={hrefOf}
        commands={KEYMAP.filter(
          ({ id }) => id in COMMANDS && (id in actions || (id === "ruler" && tab === "timeline")),
        )}
      />
    </nav>
  );
}

function More({
  tabs,
  hrefOf,
  commands,
}: {
  readonly tabs: readonly CaptureTab[];
  readonly hrefOf: (tab: CaptureTab) => string;
  readonly commands: readonly KeyEntry[];
}): ReactNode {
  const isLeaving = useRef(false);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={styles.more}>
        {texts.more}
        <span aria-hidden="true" className={styles.arrow} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          className={styles.menu}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (!isLeaving.current) return;
            // Keys belong to the screen that opens.
            isLeaving.current = false;
            event.preventDefault();
            document.getElementById("content")?.focus();
          }}
        >
          {tabs.map((each) => (
            <Menu.Item key={each} asChild onSelect={() => (isLeaving.current = true)}>
              <Link className={styles.line} href={hrefOf(each)}>
                <span>{TAB_LABELS[each]}</span>
                <Kbd>{keysOf(each).join("+")}</Kbd>
              </Link>
            </Menu.Item>
          ))}
          {commands.length > 0 && <Menu.Separator className={styles.rule} />}
          {commands.map((command) => (
            // The menu first returns the focus: a press inside of the menu belongs to it.
            <Menu.Item
              key={command.id}
              className={styles.line}
              onSelect={() => setTimeout(() => pressKey(command))}
            >
              <span>{COMMANDS[command.id as keyof typeof COMMANDS]}</span>
              <Kbd>{command.shown.join("+")}</Kbd>
            </Menu.Item>
          ))}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
