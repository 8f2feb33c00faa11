import type { ReactNode } from "react";
import { captureById, shareCapture } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Check } from "../../frame/field.tsx";
import { Problem } from "../../frame/problem.tsx";
import { shareTexts as texts } from "../../messages/share.ts";
import { useAccount } from "../../state/account.ts";
import { useCapture } from "../capture-view/capture-context.ts";

/** The other way to share where users sign in: the complete capture, in the list of every user. */
export function SharedCapture(): ReactNode {
  return useAccount() === null ? null : <SharedSwitch />;
}

function SharedSwitch(): ReactNode {
  const { captureId } = useCapture().summary;
  const { value, retry } = useAnswer(captureById(captureId));
  const share = useCommand(async (shared: boolean) => {
    await shareCapture(captureId, shared);
    retry();
  });
  if (value === null) return null;
  return (
    <>
      <Check
        checked={value.shared ?? false}
        disabled={share.isRunning}
        onChange={(shared) => share.run(shared)}
      >
        {texts.listedForAllSigned}
      </Check>
      <Problem sentence={share.error} />
    </>
  );
}
