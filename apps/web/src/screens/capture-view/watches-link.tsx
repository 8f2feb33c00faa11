import type { ReactNode } from "react";
import { IS_ALONE } from "../../alone.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { allWatches } from "../../data/watch-client.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { frameTexts as texts } from "../../messages/frame.ts";

/** A link to the watches, for users of a server that has them. */
export function WatchesLink(): ReactNode {
  const { value } = useAnswer(IS_ALONE ? null : allWatches);
  return value === null ? null : <TextLink href="/watches">{texts.watches}</TextLink>;
}
