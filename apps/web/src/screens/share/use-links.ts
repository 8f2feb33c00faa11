import { useState } from "react";
import type { Link, NewLink } from "@aglens/contract";
import { createLink, deleteLink } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { copyText } from "../../frame/copy-text.ts";
import { forgetLink, keepLink, type OwnLink, ownLinks } from "./own-links.ts";

/** Links of one capture that were made in this browser. */
export interface Links {
  /** The one made in this dialog; null before and when it was deleted. */
  readonly made: Link | null;
  readonly earlier: readonly OwnLink[];
  readonly isBusy: boolean;
  /** What happened last, for the eye and for screen readers. */
  readonly notice: string;
  readonly make: (link: NewLink) => void;
  readonly copy: (link: Link) => void;
  readonly remove: (link: Link) => void;
}

/** Makes, copies and deletes links of a capture. */
export function useLinks(captureId: string): Links {
  const [made, setMade] = useState<Link | null>(null);
  const [earlier, setEarlier] = useState(() => ownLinks(captureId));
  const [notice, setNotice] = useState("");
  const act = useCommand(async (work: () => Promise<string>) => setNotice(await work()));
  const make = async (wanted: NewLink): Promise<string> => {
    const link = await createLink(wanted);
    keepLink(link);
    setMade(link);
    return copyUrl(urlOf(link));
  };
  const remove = async (link: Link): Promise<string> => {
    await deleteLink(link.id, link.deleteToken ?? "");
    forgetLink(link.id);
    setEarlier((links) => links.filter(({ id }) => id !== link.id));
    setMade((current) => (current?.id === link.id ? null : current));
    return "The link is deleted. Nobody can open it any more.";
  };
  return {
    made,
    earlier,
    isBusy: act.isRunning,
    notice: act.error ?? notice,
    make: (wanted) => act.run(() => make(wanted)),
    copy: (link) => act.run(() => copyUrl(urlOf(link))),
    remove: (link) => act.run(() => remove(link)),
  };
}

/** Where a link opens. */
export function urlOf(link: Link): string {
  return `${window.location.origin}/l/${link.id}`;
}

/** Copies, and answers whether it worked: browsers refuse it on plain http. */
async function copyUrl(url: string): Promise<string> {
  return (await copyText(url))
    ? "The link is copied."
    : "The link is ready. This browser does not allow copying here: copy it from the field.";
}
