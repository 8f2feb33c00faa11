import { type ReactNode, useState } from "react";
import { mayContribute } from "../../../data/access-client.ts";
import { TextLink } from "../../../frame/app-bar.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { libraryTexts as texts } from "../../../messages/library.ts";
import { useAccount } from "../../../state/account.ts";
import { Button, Kbd } from "../../../ui/controls.tsx";
import { formatCount } from "../../../ui/words.ts";
import type { LibraryList } from "./use-library.ts";
import type { LibraryCommands } from "./use-library-commands.ts";
import styles from "./library-actions.module.css";

interface Props {
  readonly list: LibraryList;
  readonly commands: LibraryCommands;
  readonly onTag: (ids: readonly string[]) => void;
}

/** Actions for the selected captures; always shown, so that nothing moves. */
export function LibraryActions({ list, commands, onTag }: Props): ReactNode {
  const { sel, view } = list.address;
  const mayDo = mayContribute(useAccount()?.person ?? null);
  return (
    <section className={styles.actions} aria-label={texts.selectedCaptures}>
      <output>{sel.length === 0 ? afterText(commands) : texts.selected(formatCount(sel.length))}</output>
      {view === "trash" ? null : <BesideEachOther list={list} />}
      {sel.length === 0 || !mayDo ? null : view === "trash" ? (
        <TrashActions key={sel.join()} sel={sel} commands={commands} />
      ) : (
        <>
          <Button disabled={commands.isRunning} onClick={() => commands.trash(sel)}>
            {texts.moveToTrash} <Kbd>#</Kbd>
          </Button>
          <Button onClick={() => onTag(sel)}>
            {texts.tags} <Kbd>h</Kbd>
          </Button>
          <Button kind="quiet" disabled={commands.isRunning} onClick={() => commands.keep(sel, true)}>
            {texts.keepPermanently}
          </Button>
          <Button kind="quiet" disabled={commands.isRunning} onClick={() => commands.keep(sel, false)}>
            {texts.keepItsDaysAgain}
          </Button>
        </>
      )}
      {sel.length === 0 && commands.trashed.length > 0 ? (
        <Button disabled={commands.isRunning} onClick={() => commands.restore(commands.trashed)}>
          {texts.undo}
        </Button>
      ) : null}
      {sel.length === 0 ? null : (
        <Button kind="quiet" onClick={() => list.change({ sel: [] })}>
          {texts.clear} <Kbd>Esc</Kbd>
        </Button>
      )}
      <Problem sentence={commands.error} />
    </section>
  );
}

/** Two selected captures open the comparison. More than two open the fleet page of their group. */
function BesideEachOther({ list: { address, page } }: Pick<Props, "list">): ReactNode {
  const [first, second] = address.sel;
  if (first === undefined || second === undefined) return null;
  if (address.sel.length === 2) {
    return (
      <TextLink href={`/captures/${first}/compare?versus=${encodeURIComponent(second)}`}>
        {texts.compare}
      </TextLink>
    );
  }
  const group = page?.captures.find(({ id }) => id === first)?.group ?? null;
  return (
    <TextLink href={group === null ? "/fleet" : `/fleet?a=${encodeURIComponent(group)}`}>
      {texts.fleet}
    </TextLink>
  );
}

/** Deleted captures can't be restored, so the user has to confirm. */
function TrashActions({ sel, commands }: { sel: readonly string[]; commands: LibraryCommands }): ReactNode {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button disabled={commands.isRunning} onClick={() => commands.restore(sel)}>
        {texts.restore}
      </Button>
      <Button
        kind={asked ? "plain" : "quiet"}
        disabled={commands.isRunning}
        onClick={asked ? () => commands.deleteForGood(sel) : () => setAsked(true)}
      >
        {asked ? texts.deletePermanentlyNow(formatCount(sel.length)) : texts.deletePermanently}
      </Button>
    </>
  );
}

function afterText({ trashed }: LibraryCommands): string {
  if (trashed.length === 0) return texts.nothingIsSelected;
  return texts.captures(trashed.length);
}
