import { Dialog } from "radix-ui";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { Episode, Link, Summary } from "@aglens/contract";
import { MinimapPicture } from "../../charts/minimap-picture.tsx";
import { PictureAxis } from "../../charts/picture-axis.tsx";
import { createLink, deleteLink } from "../../data/captures-client.ts";
import { httpSource } from "../../data/http-source.ts";
import { sentenceOf } from "../../data/problem.ts";
import { previewOf, usePreview } from "../../data/use-preview.ts";
import { encodeView } from "../../state/codec.ts";
import type { View } from "../../state/view.ts";
import { Button } from "../../ui/controls.tsx";
import { formatCount, formatUtc } from "../../ui/words.ts";
import { CloseIcon } from "../../frame/icons.tsx";
import { forgetLink, keepLink, type OwnLink, ownLinks } from "./own-links.ts";
import "../../frame/share.css";

type Tab = "overview" | "timeline" | "sequence";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly summary: Summary;
  readonly tab: Tab;
  readonly view: View;
}

const DAYS = ["1", "7", "30", "90", "never"] as const;
type Days = (typeof DAYS)[number];
const DAY_NUMBERS = { "1": 1, "7": 7, "30": 30, "90": 90, never: null } as const;
const DAY_WORDS: Record<Days, string> = {
  "1": "after 1 day",
  "7": "after 7 days",
  "30": "after 30 days",
  "90": "after 90 days",
  never: "never",
};

/** Makes a link to what is on screen, says what it restores and until when, and can take it back. */
export function ShareDialog({ open, onOpenChange, summary, tab, view }: Props): ReactNode {
  const first = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="dialog share"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // The title is what one may want to change; Close is the last thing to offer.
            event.preventDefault();
            first.current?.select();
          }}
        >
          <header className="dialog-head">
            <Dialog.Title>Share this view</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <CloseIcon />
            </Dialog.Close>
          </header>
          <ShareForm
            summary={summary}
            tab={tab}
            view={view}
            titleField={first}
            onClose={() => onOpenChange(false)}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ShareForm({
  summary,
  tab,
  view,
  titleField,
  onClose,
}: Omit<Props, "open" | "onOpenChange"> & {
  titleField: RefObject<HTMLInputElement | null>;
  onClose: () => void;
}): ReactNode {
  const [title, setTitle] = useState(() => titleOf(summary, view));
  const [days, setDays] = useState<Days>("90");
  const [link, setLink] = useState<Link | null>(null);
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const [earlier, setEarlier] = useState(() => ownLinks(summary.captureId));
  const preview = usePreview(previewOf(summary.captureId));
  const lsn = useLsn(summary.captureId, view.block);

  const guarded = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setSaid(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const make = (): Promise<void> =>
    guarded(async () => {
      const made = await createLink({
        captureId: summary.captureId,
        path: tab === "overview" ? "/" : `/${tab}`,
        view: encodeView(view),
        title: title.trim() === "" ? summary.name : title.trim(),
        expiresInDays: DAY_NUMBERS[days],
      });
      keepLink(made);
      setLink(made);
      setSaid(await copied(urlOf(made)));
    });
  const remove = (target: Link): Promise<void> =>
    guarded(async () => {
      if (target.deleteToken === undefined) return;
      await deleteLink(target.id, target.deleteToken);
      forgetLink(target.id);
      setEarlier((links) => links.filter(({ id }) => id !== target.id));
      if (target.id === link?.id) setLink(null);
      setSaid("The link is deleted. Nobody can open it any more.");
    });

  return (
    <>
      <div className="dialog-body share-body">
        <label className="field">
          <span>Title</span>
          <input
            ref={titleField}
            value={title}
            maxLength={200}
            disabled={link !== null}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <div className="restores">
          <MinimapPicture
            window={preview}
            secondary={view.secondary}
            range={view.range ?? [0, summary.durationUs]}
            height={40}
            label={`The whole capture; the frame is what the link shows: ${rangeOrWhole(summary, view)}.`}
          />
          <PictureAxis durationUs={summary.durationUs} />
          <p>{restoresWords(summary, tab, view, lsn)}</p>
        </div>
        <dl className="share-facts">
          <dt>Who can open</dt>
          <dd>Anyone who reaches this server and has the link</dd>
          <dt>
            <label htmlFor="share-expires">Expires</label>
          </dt>
          <dd>
            <select
              id="share-expires"
              value={days}
              disabled={link !== null}
              onChange={(event) => setDays(event.target.value as Days)}
            >
              {DAYS.map((value) => (
                <option key={value} value={value}>
                  {DAY_WORDS[value]}
                </option>
              ))}
            </select>{" "}
            <span className="quiet">{expiryWords(DAY_NUMBERS[days])}</span>
          </dd>
          <dt>Names</dt>
          <dd>Server and database names are shown as they are</dd>
          <dt>What is sent</dt>
          <dd>
            Nothing new. The capture of {formatCount(summary.blocks.total)} blocks is on this server already;
            the link adds the view and the title.
          </dd>
        </dl>
        {link === null ? null : (
          <MadeLink link={link} busy={busy} onDelete={() => void remove(link)} onSaid={setSaid} />
        )}
        <EarlierLinks links={earlier} busy={busy} onDelete={(one) => void remove(one)} onSaid={setSaid} />
        <output className="said">{said}</output>
      </div>
      <footer className="dialog-foot">
        <div className="end">
          <Button size="large" onClick={onClose}>
            {link === null ? "Cancel" : "Close"}
          </Button>
          {link === null ? (
            <Button kind="primary" size="large" disabled={busy} onClick={() => void make()}>
              Make and copy link
            </Button>
          ) : null}
        </div>
      </footer>
    </>
  );
}

function MadeLink({
  link,
  busy,
  onDelete,
  onSaid,
}: {
  link: Link;
  busy: boolean;
  onDelete: () => void;
  onSaid: (words: string) => void;
}): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <div className="made">
      <input
        ref={field}
        className="mono"
        readOnly
        aria-label="Link"
        value={urlOf(link)}
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => void copied(urlOf(link)).then(onSaid)}>Copy</Button>
      <Button disabled={busy} onClick={onDelete}>
        Delete link
      </Button>
    </div>
  );
}

/** Links of this capture made before in this browser: the only place from which they can be deleted. */
function EarlierLinks({
  links,
  busy,
  onDelete,
  onSaid,
}: {
  links: readonly OwnLink[];
  busy: boolean;
  onDelete: (link: OwnLink) => void;
  onSaid: (words: string) => void;
}): ReactNode {
  if (links.length === 0) return null;
  return (
    <section className="earlier" aria-label="Links you made before">
      <h3>Links you made before</h3>
      <ul>
        {links.map((link) => (
          <li key={link.id}>
            <span className="earlier-title" title={link.title}>
              {link.title}
            </span>
            <span className="quiet">{link.expires === null ? "no end" : `until ${dayOf(link.expires)}`}</span>
            <Button
              aria-label={`Copy the link ${link.title}`}
              onClick={() => void copied(urlOf(link)).then(onSaid)}
            >
              Copy
            </Button>
            <Button
              disabled={busy}
              aria-label={`Delete the link ${link.title}`}
              onClick={() => onDelete(link)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function dayOf(iso: string): string {
  return new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

function urlOf(link: Link): string {
  return `${window.location.origin}/l/${link.id}`;
}

/** Copies, and says whether it worked: browsers refuse it on plain http. */
async function copied(url: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(url);
    return "The link is copied.";
  } catch {
    return "The link is ready. This browser does not allow copying here: copy it from the field.";
  }
}

function rangeWords(summary: Summary, range: readonly [number, number]): string {
  const clock = (us: number): string => formatUtc(summary.originTicks, us, 0);
  return `${clock(range[0])} to ${clock(range[1])} UTC`;
}

/** `Slow network to SQL2, 02:17:28 to 02:18:04 UTC`: the range in view, else the episode, else the capture's name. */
function titleOf(summary: Summary, view: View): string {
  const [episode] = summary.verdict.episodes;
  const range = view.range ?? (episode === undefined ? null : ([episode.from, episode.to] as const));
  const words = episode === undefined ? summary.name : episodeWords(summary, episode);
  return (range === null ? words : `${words}, ${rangeWords(summary, range)}`).slice(0, 200);
}

/** Stages whose slowness has no replica in its label when there is only one secondary. */
const TOWARDS = ["networkRoundTrip", "remoteHarden"];

function episodeWords(summary: Summary, { label, stage, secondary }: Episode): string {
  const name = summary.replicas[secondary + 1]?.name;
  return name === undefined || !TOWARDS.includes(stage) || label.endsWith(` to ${name}`)
    ? label
    : `${label} to ${name}`;
}

function rangeOrWhole(summary: Summary, view: View): string {
  return view.range === null ? "whole capture" : rangeWords(summary, view.range);
}

/** LSN of the selected block, null until it is known. */
function useLsn(captureId: string, block: number | null): string | null {
  const [known, setKnown] = useState<{ block: number; lsn: string } | null>(null);
  useEffect(() => {
    if (block === null) return;
    const abort = new AbortController();
    httpSource(captureId)
      .sequence(block, abort.signal)
      .then(
        ({ lsn }) => setKnown({ block, lsn }),
        () => undefined,
      );
    return () => abort.abort();
  }, [captureId, block]);
  return known !== null && known.block === block ? known.lsn : null;
}

function restoresWords(summary: Summary, tab: Tab, view: View, lsn: string | null): string {
  const screen = `${tab[0].toUpperCase()}${tab.slice(1)}`;
  const range = rangeOrWhole(summary, view);
  const block = view.block === null ? "" : `, block ${lsn ?? formatCount(view.block + 1)} selected`;
  const clock = view.clock === "raw" ? ", raw clocks" : "";
  return `The link restores: ${screen}, ${range}${block}${clock}.`;
}

function expiryWords(days: number | null): string {
  if (days === null) return "Kept until you delete it here.";
  const date = dayOf(new Date(Date.now() + days * 86_400_000).toISOString());
  return `${date}. You can delete it here before.`;
}
