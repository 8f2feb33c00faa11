import { useState } from "react";
import type { Link, NewLink, z } from "@aglens/contract";
import { withBasePath } from "../../base-path.ts";
import { createLink, linksOfCapture, renewLink, revokeLink } from "../../data/links-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { copyText } from "../../frame/copy.tsx";
import { shareTexts as texts } from "../../messages/share.ts";
import { useAccount } from "../../state/account.ts";
import { keepLinkToken, linkToken } from "./link-tokens.ts";
import { endedText } from "./share-text.ts";

/** Links of one capture. */
export interface Links {
  /** The link that was created in this dialog; null before. */
  readonly made: Link | null;
  /** All links of the capture, newest first. */
  readonly all: readonly Link[];
  readonly isBusy: boolean;
  /** Message on the last action, on screen and for screen readers. */
  readonly notice: string;
  readonly make: (link: z.input<typeof NewLink>) => void;
  readonly copy: (link: Link) => void;
  readonly takeBack: (link: Link) => void;
  readonly renew: (link: Link) => void;
  /** Whether this browser may revoke it and renew it. */
  readonly isOwn: (link: Link) => boolean;
  /** Why it no longer opens; null while it does. */
  readonly endedWordsOf: (link: Link) => string | null;
}

const RENEWED_DAYS = 30;

/** Creates, copies, revokes and renews links of a capture. */
export function useLinks(captureId: string): Links {
  const [made, setMade] = useState<Link | null>(null);
  const [notice, setNotice] = useState("");
  const [openedAt] = useState(() => new Date());
  const account = useAccount();
  const list = useAnswer(linksOfCapture(captureId));
  const act = useCommand(async (work: () => Promise<string>) => {
    setNotice(await work());
    list.retry();
  });
  const make = async (wanted: z.input<typeof NewLink>): Promise<string> => {
    const link = await createLink(wanted);
    keepLinkToken(link.id, link.deleteToken);
    setMade(link);
    return copyUrl(urlOf(link));
  };
  const takeBack = async (link: Link): Promise<string> => {
    await revokeLink(link.id, linkToken(link.id));
    setMade((current) => (current?.id === link.id ? null : current));
    return texts.linkIsRevoked;
  };
  const renew = async (link: Link): Promise<string> => {
    await renewLink(link.id, RENEWED_DAYS, linkToken(link.id));
    return texts.linkOpensForDays(RENEWED_DAYS);
  };
  return {
    made,
    all: list.value?.links ?? [],
    isBusy: act.isRunning,
    notice: act.error ?? list.error ?? notice,
    make: (wanted) => act.run(() => make(wanted)),
    copy: (link) => act.run(() => copyUrl(urlOf(link))),
    takeBack: (link) => act.run(() => takeBack(link)),
    renew: (link) => act.run(() => renew(link)),
    endedWordsOf: (link) => endedText(link, openedAt),
    isOwn: ({ id }) => account !== null || linkToken(id) !== null,
  };
}

/** Address of a link. */
export function urlOf(link: Link): string {
  return `${window.location.origin}${withBasePath(`/l/${link.id}`)}`;
}

/** Copies the text, and returns whether it worked: browsers refuse it on plain http. */
async function copyUrl(url: string): Promise<string> {
  return (await copyText(url)) ? texts.linkIsCopied : texts.linkIsReady;
}
