import { type ReactNode, useRef, useState } from "react";
import { navigate } from "../../../state/navigate.ts";
import { mayContribute } from "../../../data/access-client.ts";
import { TextButton, TextLink } from "../../../frame/app-bar.tsx";
import { SearchIcon } from "../../../frame/icons.tsx";
import { Modal, ModalBody } from "../../../frame/modal.tsx";
import { PageTitle } from "../../../frame/page-title.tsx";
import { Message, Page } from "../../../frame/page.tsx";
import { libraryTexts as texts } from "../../../messages/library.ts";
import { useAccount } from "../../../state/account.ts";
import { Button, Kbd } from "../../../ui/controls.tsx";
import { useKeys } from "../../../ui/keys.ts";
import { useMedia } from "../../../ui/use-media.ts";
import { formatBytes, formatCount } from "../../../ui/words.ts";
import { WatchesLink } from "../../capture-view/watches-link.tsx";
import { TagsDialog } from "../../tags/tags-dialog.tsx";
import { LIBRARY_FACETS, NO_CHOICE } from "./library-address.ts";
import { LibraryActions } from "./library-actions.tsx";
import { LibraryRail } from "./library-rail.tsx";
import { LibraryTable } from "./library-table.tsx";
import { type LibraryList, type RowRange, useLibrary } from "./use-library.ts";
import { useLibraryCommands } from "./use-library-commands.ts";
import styles from "./library-screen.module.css";

/** Width of windows that have the rail in a dialog. */
const NARROW = "(max-width: 1023px)";

/** Every capture of the server, one line each, with views, facets, search and the trash. */
export function LibraryScreen(): ReactNode {
  const account = useAccount();
  const list = useLibrary();
  const commands = useLibraryCommands(list);
  const [[top, bottom], setVisible] = useState<RowRange>([0, 0]);
  const [tagging, setTagging] = useState<readonly string[]>([]);
  const { page, error, retry, address, change } = list;
  const isNarrow = useMedia(NARROW);
  useKeys({
    back: () => {
      if (address.sel.length > 0) change({ sel: [] });
      else if (address.q !== "") change({ q: "" });
    },
  });
  if (page === null && error !== null) {
    return (
      <Page title={texts.capturesLabel}>
        <Message title={texts.capturesCannotBeListed} detail={error} onRetry={retry} />
      </Page>
    );
  }
  const total = page?.total ?? 0;
  return (
    <Page
      title={texts.capturesLabel}
      what={<PageTitle name="Captures" />}
      actions={
        <>
          <TextLink href="/fleet">{texts.fleet}</TextLink>
          <WatchesLink />
          <TextLink href="/sql">SQL</TextLink>
          {mayContribute(account?.person ?? null) ? <ContributorLinks /> : null}
        </>
      }
      status={
        total === 0 ? null : (
          <>
            <span>{texts.rowsToOf(formatCount(top + 1), formatCount(bottom), formatCount(total))}</span>
            <KeyText />
          </>
        )
      }
      statusRight={texts.minimapSlowestBlockPer}
    >
      <div className={styles.library}>
        <h1 className="sr-only">{texts.capturesLabel}</h1>
        {isNarrow ? null : (
          <nav className={styles.rail} aria-label={texts.viewsAndFilters}>
            <LibraryRail address={address} page={page} onChange={change} />
          </nav>
        )}
        <div className={styles.list}>
          <Toolbar list={list} isNarrow={isNarrow} />
          <LibraryActions list={list} commands={commands} onTag={setTagging} />
          {page !== null && total === 0 ? <Nothing list={list} /> : null}
          <LibraryTable
            list={list}
            onRows={setVisible}
            onTrash={commands.trash}
            onTag={setTagging}
            hasOwners={account !== null}
          />
        </div>
      </div>
      {tagging.length === 0 ? null : (
        <TagsDialog open onOpenChange={() => setTagging([])} ids={tagging} onChanged={list.retry} />
      )}
    </Page>
  );
}

function ContributorLinks(): ReactNode {
  // The app bar has the link for admins on every page.
  const isAdmin = useAccount()?.person.role === "admin";
  return (
    <>
      {isAdmin ? null : <TextLink href="/status">{texts.status}</TextLink>}
      <TextLink href="/live">{texts.attachLive}</TextLink>
      <Button kind="primary" onClick={() => navigate("/")}>
        {texts.addFiles}
      </Button>
    </>
  );
}

function KeyText(): ReactNode {
  return (
    <span className="one-line">
      <Kbd>j</Kbd> <Kbd>k</Kbd> {texts.row} <Kbd>Space</Kbd> {texts.selectPart} <Kbd>Enter</Kbd> {texts.open}{" "}
      <Kbd>h</Kbd> {texts.tagsPart} <Kbd>#</Kbd> {texts.toTrash}
    </span>
  );
}

/** Search, and below 1024 px a button for views and filters. */
function Toolbar({ list, isNarrow }: { readonly list: LibraryList; readonly isNarrow: boolean }): ReactNode {
  const { address, change, page } = list;
  const field = useRef<HTMLInputElement | null>(null);
  const [filters, setFilters] = useState(false);
  useKeys({ search: () => field.current?.focus() });
  return (
    <div className={styles.toolbar}>
      <label className={styles.search}>
        <SearchIcon />
        <span className="sr-only">{texts.searchCaptures}</span>
        <input
          ref={field}
          type="search"
          value={address.q}
          placeholder={texts.nameVerdictServerDatabase}
          onChange={({ target }) => change({ q: target.value, sel: [] })}
          onKeyDown={({ key }) => {
            if (key === "Escape") field.current?.blur();
          }}
        />
        <Kbd>/</Kbd>
      </label>
      <output className="one-line muted">
        {page === null ? null : (
          <>
            <b>{formatCount(page.total)}</b> {texts.capture(page.total)} <b>{formatBytes(page.bytes)}</b>
          </>
        )}
      </output>
      {isNarrow ? (
        <>
          <Button onClick={() => setFilters(true)}>{texts.viewsAndFilters}</Button>
          <Modal open={filters} onOpenChange={setFilters} title={texts.viewsAndFilters} width={360}>
            <ModalBody>
              <LibraryRail address={address} page={page} onChange={change} />
            </ModalBody>
          </Modal>
        </>
      ) : null}
    </div>
  );
}

/** Why no row is shown, and the actions that show some. */
function Nothing({ list: { page, address, change } }: { readonly list: LibraryList }): ReactNode {
  if (page === null) return null;
  const inView = page.views[address.view];
  if (inView === 0) {
    return (
      <div className={styles.nothing}>
        <p>{EMPTY_VIEWS[address.view]}</p>
        {address.view === "all" ? <TextLink href="/">{texts.addFiles}</TextLink> : null}
      </div>
    );
  }
  const ways = LIBRARY_FACETS.filter((facet) => address[facet].length > 0).map((facet) => ({
    words: texts.withoutTheChoiceOf(FACET_WORDS[facet]),
    count: page.facets[facet].reduce((sum, { count }) => sum + count, 0),
    remove: () => change({ [facet]: [] }),
  }));
  if (address.q !== "") {
    ways.push({
      words: texts.without(address.q),
      count: page.totalWithoutWords,
      remove: () => change({ q: "" }),
    });
  }
  return (
    <div className={styles.nothing}>
      <p>{texts.noCaptureMatches}</p>
      {ways
        .filter(({ count }) => count > 0)
        .map(({ words, count, remove }) => (
          <TextButton key={words} onClick={remove}>
            {texts.match(count, words)}
          </TextButton>
        ))}
      <TextButton onClick={() => change({ q: "", ...NO_CHOICE })}>
        {texts.showAll(formatCount(inView))}
      </TextButton>
    </div>
  );
}

const FACET_WORDS = { group: "group", wait: texts.whereCommitsWaitPart, owner: "owner", tag: "tag" } as const;

const EMPTY_VIEWS = {
  all: texts.noCapture,
  mine: texts.youHaveNoCapture,
  shared: texts.noCaptureIsShared,
  expiring: texts.noCaptureExpiresWithin,
  trash: texts.trashIsEmpty,
} as const;
